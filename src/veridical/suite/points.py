"""Points of models in charts: colors, values with their intervals, axes and legends that several suites share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import shorten
from veridical.records import POINTS, Estimate
from veridical.suite.results import Figure, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#8c564b")
MOST = len(COLORS)
"""How many models one figure tells apart."""


def order_figures(*makers: Callable[[Sequence[Result]], Figure | None]) -> Callable[[Sequence[Result]], list[Figure]]:
    """A suite's function for its figures: those for which any run has something, in the order of what draws them."""
    return lambda results: [figure for maker in makers if (figure := maker(results)) is not None]


def model_colors(results: Sequence[Result]) -> dict[str, str]:
    """A color for each of the first models."""
    return {result.model: color for result, color in zip(results, COLORS, strict=False)}


def family(result: Result) -> str:
    """The family of a model, else its group; empty where a user states neither."""
    about = result.about
    return (about.family or about.group or "") if about else ""


def percent_bounds(estimate: Estimate) -> tuple[float, float, float]:
    """The value and its bounds in percent or points, of an estimate that has a value.

    A side without bound ends at the value.
    """
    scale = 1 if estimate.unit == POINTS else 100
    value = scale * (estimate.value or 0.0)
    low, high = (value if each is None else scale * each for each in (estimate.low, estimate.high))
    return value, low, high


def point(axes: Axes, x: float, estimate: Estimate, color: str, marker: str = "o", *, filled: bool = True) -> None:
    """A point in percent or points with its interval as a line."""
    value, low, high = percent_bounds(estimate)
    axes.plot([x, x], [low, high], color=color, linewidth=1)
    axes.plot(x, value, marker, color=color, markerfacecolor=color if filled else "white", markersize=5)


def open_axes(axes: Axes, label: str, *, share: bool = True) -> None:
    """Axes without a box, labeled at the left; those of a share go from 0 to 100 %."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_ylabel(label)
    if share:
        axes.set_ylim(-3, 103)


def legend(
    canvas: Canvas, axes: Axes, colors: Mapping[str, str], style: str = "o", columns: int = 2, most: int = 60
) -> None:
    """A legend of models below everything."""
    keys = [axes.plot([], [], style, color=color, label=shorten(name, most))[0] for name, color in colors.items()]
    legend_below(canvas, keys, columns)


def legend_below(canvas: Canvas, keys: Sequence[object], columns: int) -> None:
    """A legend below everything."""
    canvas.legend(handles=keys, loc="outside lower center", ncols=min(len(keys), columns), frameon=False, fontsize=8)


def categories(axes: Axes, names: Iterable[str]) -> None:
    """Names at 0, 1, 2 ... of the x axis."""
    ticks = list(names)
    axes.set_xticks(range(len(ticks)), ticks)
    axes.set_xlim(-0.6, len(ticks) - 0.4)
