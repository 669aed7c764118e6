"""Focus against accuracy: among models, and among the replies of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, shortened
from veridical.records import Estimate
from veridical.suite.results import Figure, Result, find
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.magiscore import ALL, BINS
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


def models(results: Sequence[Result]) -> Figure | None:
    """A point for each of the first models: F1 of boxes, and right answers."""
    places = [(result, find(result, "magiscore f1", {}), answers(result)) for result in results]
    shown = [(own, f1, right) for own, f1, right in places if _is(f1) and _is(right)][:MOST]
    if not shown:
        return None
    note = (
        "Macro F1 of the boxes mentioned, and right answers: short ones by the first judge, by the reader where nobody "
        "judged; 95 % intervals. Dashed: F1 of mentioning every box."
    )
    colors = colored([own for own, _, _ in shown])
    chance = find(shown[0][0], "chance f1", {"chance": ALL})

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for own, f1, right in shown:
            assert f1 is not None
            assert right is not None
            x, low, high = percent(f1)
            axes.plot([low, high], [percent(right)[0]] * 2, color=colors[own.model], linewidth=1)
            point(axes, x, right, colors[own.model])
        if chance is not None and chance.value is not None:
            axes.axvline(100 * chance.value, color="0.6", linestyle="--", linewidth=1, zorder=0)
        framed(axes, "right answers, %")
        axes.set_xlim(-3, 103)
        axes.set_xlabel("F1 of boxes, %")
        legend(canvas, axes, colors)

    return Figure("magic-focus", "Focus and answers", note, document(WIDTH * 0.75, 3.3 + 0.1 * len(shown), draw))


def _is(estimate: Estimate | None) -> bool:
    return estimate is not None and estimate.value is not None


def by_focus(results: Sequence[Result]) -> Figure | None:
    """A line for each of the first models: right answers in each bin of F1."""
    lines = {result.model: points(result) for result in results[:MOST]}
    shown = {model: line for model, line in lines.items() if len(line) > 1}
    if not shown:
        return None
    colors = colored(results[:MOST])
    note = (
        "Right answers, by the reader, among the replies with this F1 of boxes; 95 % intervals. A rise is no effect of "
        "focus: easy questions may have both."
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for number, (model, line) in enumerate(shown.items()):
            shift = 0.06 * (number - (len(shown) - 1) / 2)
            ys = [percent(each)[0] for _, each in line]
            axes.plot([x + shift for x, _ in line], ys, color=colors[model], linewidth=1)
            for x, each in line:
                point(axes, x + shift, each, colors[model])
        axes.set_xticks(range(len(BINS)), list(BINS))
        axes.set_xlim(-0.4, len(BINS) - 0.6)
        framed(axes, "right answers, %")
        axes.set_xlabel("F1 of the boxes that a reply mentions")
        legend(canvas, axes, {model: colors[model] for model in shown})

    height = 3.2 + 0.1 * len(shown)
    return Figure("magic-by-focus", "Answers by focus", note, document(WIDTH * 0.75, height, draw))


def points(result: Result) -> list[tuple[int, Estimate]]:
    """The bins of F1 that have replies, by place, with the right answers in each."""
    places = [
        (place, find(result, "accuracy by focus", {"focus": name, "by": READER})) for place, name in enumerate(BINS)
    ]
    return [(place, each) for place, each in places if each is not None and each.value is not None]
