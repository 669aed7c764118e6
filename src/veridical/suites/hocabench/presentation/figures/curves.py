"""Curves: answers over cuts of one clip, and recall over thresholds of the intersection over union."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, grid, panel_title, panels
from veridical.suite.find import find
from veridical.suite.results import Figure, Result
from veridical.suites.hocabench.presentation.figures.colors import MOST, colored, legend
from veridical.suites.hocabench.presentation.tables.oddness import CUTS, VARIANTS
from veridical.suites.hocabench.presentation.tables.probes import THRESHOLDS

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Point = tuple[float, float, float | None, float | None]
_PANELS, _APART = 12, 0.07
_STYLES = {"violating": ("#d55e00", "o-"), "plausible": ("#0072b2", "s--"), "explained": ("#009e73", "^:")}
_TICKS = {"before": "−0.5 s", "event": "event", "after-0.5": "+0.5 s", "after-1": "+1 s", "end": "end"}


def prefix_curves(results: Sequence[Result]) -> Figure | None:
    """A panel for each model that was asked about parts of clips: the share called implausible, by the cut."""
    shown = [result for result in results if any(len(points(result, each)) > 1 for each in VARIANTS)][:_PANELS]
    if not shown:
        return None
    note = (
        "The share of answers 'implausible' to the same clips, shown up to half a second before the event, up to it, "
        "later, and whole; with 95 % intervals. The curves of a model that sees part where the event begins."
    )
    return Figure("hocabench-prefixes", "When does it change its mind?", note, _prefixes(shown))


def points(result: Result, variant: str) -> list[Point]:
    """The curve of a kind of clip: place of the cut, share called implausible, and its bounds."""
    estimates = [find(result, "implausible until", {"variant": variant, "until": until}) for until in CUTS]
    return [
        (float(place), each.value, each.low, each.high)
        for place, each in enumerate(estimates)
        if each is not None and each.value is not None
    ]


def _prefixes(results: Sequence[Result]) -> str:
    columns, width, height = grid(len(results))

    def draw(canvas: Canvas) -> None:
        places = range(len(CUTS))
        for axes, result in zip(panels(canvas, len(results), columns, "shown up to"), results, strict=True):
            for number, variant in enumerate(VARIANTS):
                curve = [(x + _APART * (number - 1), y, low, high) for x, y, low, high in points(result, variant)]
                color, style = _STYLES[variant]
                xs = [x for x, *_ in curve]
                axes.plot(xs, [100 * y for _, y, *_ in curve], style, color=color, markersize=4, label=variant)
                for x, _, low, high in curve:
                    if low is not None and high is not None:
                        axes.plot([x, x], [100 * low, 100 * high], color=color, linewidth=0.8)
            axes.set_xticks(places, list(_TICKS.values()), fontsize=7)
            axes.set_ylim(-3, 103)
            axes.set_ylabel("called implausible, %", fontsize=8)
            axes.set_title(panel_title(result.model, columns), fontsize=9)
        handles, labels = canvas.axes[0].get_legend_handles_labels()
        canvas.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8)

    return document(width, height + 0.4, draw)


def recall_curves(results: Sequence[Result]) -> Figure | None:
    """The recall of each model over thresholds, and of the best fixed interval."""
    shown = [result for result in results if _recalls(result, "recall at iou")][:MOST]
    if not shown:
        return None
    note = (
        "The share of questions whose answer has at least this intersection over union with the truth. Gray, dashed: "
        "the best fixed interval, one answer to all questions."
    )
    return Figure("hocabench-recall", "When is it odd? Recall by overlap", note, _curves(shown))


def _recalls(result: Result, metric: str) -> list[tuple[float, float]]:
    estimates = [(each, find(result, metric, {"iou": each})) for each in THRESHOLDS]
    return [(x, 100 * each.value) for x, each in estimates if each is not None and each.value is not None]


def _curves(results: Sequence[Result]) -> str:
    colors = colored(results)

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for result in results:
            axes.plot(*zip(*_recalls(result, "recall at iou"), strict=True), "o-", color=colors[result.model], ms=4)
        chance = _recalls(results[0], "recall at iou chance")
        if chance:
            axes.plot(*zip(*chance, strict=True), "--", color="0.6", linewidth=1)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel("intersection over union, at least")
        axes.set_ylabel("recall, %")
        axes.set_ylim(-3, 103)
        legend(canvas, axes, colors)

    return document(WIDTH * 0.75, 3.2 + 0.1 * len(results), draw)
