"""Colors and legends that the figures share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import shortened
from veridical.suite.results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#8c564b")
MOST = len(COLORS)
"""How many models one figure tells apart."""


def colored(results: Sequence[Result]) -> dict[str, str]:
    """A color for each of the first models."""
    return {result.model: color for result, color in zip(results, COLORS, strict=False)}


def legend(canvas: Canvas, axes: Axes, colors: Mapping[str, str]) -> None:
    """A legend of models below everything."""
    keys = [axes.plot([], [], "o-", color=color, label=shortened(model, 60))[0] for model, color in colors.items()]
    canvas.legend(handles=keys, loc="outside lower center", ncols=min(len(keys), 2), frameon=False, fontsize=8)
