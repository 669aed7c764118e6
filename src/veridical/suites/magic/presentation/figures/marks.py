"""Points with their intervals, colors of models, and what all figures have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import shortened
from veridical.records import Estimate
from veridical.suite.results import Result, find
from veridical.suites.magic.presentation.markers import judged, judges

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#8c564b")
MOST = len(COLORS)
"""How many models one figure tells apart."""


def colored(results: Sequence[Result]) -> dict[str, str]:
    """A color for each of the first models."""
    return {result.model: color for result, color in zip(results, COLORS, strict=False)}


def answers(result: Result) -> Estimate | None:
    """Short answers by the first judge, or by the reader where nobody judged."""
    by_judge = judged(result, judges(result)[0], "short")
    return find(result, "accuracy", {}) if by_judge is None or by_judge.value is None else by_judge


def percent(estimate: Estimate) -> tuple[float, float, float]:
    """The value and its bounds in percent, of an estimate with a value; a side without bound ends at the value."""
    value = 100 * (estimate.value or 0.0)
    low, high = (value if each is None else 100 * each for each in (estimate.low, estimate.high))
    return value, low, high


def point(axes: Axes, x: float, estimate: Estimate, color: str, marker: str = "o", *, filled: bool = True) -> None:
    """A point in percent with its interval as a line."""
    value, low, high = percent(estimate)
    axes.plot([x, x], [low, high], color=color, linewidth=1)
    axes.plot(x, value, marker, color=color, markerfacecolor=color if filled else "white", markersize=5)


def framed(axes: Axes, label: str) -> None:
    """Axes without a box, from 0 to 100 %."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_ylim(-3, 103)
    axes.set_ylabel(label)


def legend(canvas: Canvas, axes: Axes, colors: Mapping[str, str]) -> None:
    """A legend of models below everything."""
    keys = [axes.plot([], [], "o", color=color, label=shortened(model, 60))[0] for model, color in colors.items()]
    canvas.legend(handles=keys, loc="outside lower center", ncols=min(len(keys), 2), frameon=False, fontsize=8)
