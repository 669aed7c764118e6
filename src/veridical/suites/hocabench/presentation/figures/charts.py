"""The H-Index as bars, answers over cuts of one clip, recall over thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, grid, panel_title, panels, shorten
from veridical.records import Estimate
from veridical.suite.findings import valued_estimate
from veridical.suite.points import COLORS, MOST, family, legend, legend_below, model_colors, open_axes, percent_bounds
from veridical.suite.results import Figure, Result
from veridical.suites.hocabench.presentation.tables.main import THRESHOLDS, judge_name, judge_results, judges, mode
from veridical.suites.hocabench.presentation.tables.oddness import CUTS, VARIANTS

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_MOST = 40
Bar = tuple[Result, str, Estimate]
_PANELS, _APART = 12, 0.07
_STYLES = {"violating": ("#d55e00", "o-"), "plausible": ("#0072b2", "s--"), "explained": ("#009e73", "^:")}
_TICKS = {"before": "−0.5 s", "event": "event", "after-0.5": "+0.5 s", "after-1": "+1 s", "end": "end"}


def index_bars(results: Sequence[Result]) -> Figure | None:
    """A bar for each model and judge, with its interval; nothing where no explanation is judged."""
    bars: list[Bar] = []
    for result, judge in judge_results(results):
        if estimate := valued_estimate(result, "h_index", {"weighting": "paper", **judge}):
            bars.append((result, _label(result, judge_name(result, judge)), estimate))
    if not bars:
        return None
    note = (
        "H-Index with 95 % intervals: families together, larger models below smaller ones, where models.toml states "
        "them. Striped: thinking mode."
    )
    ordered = sorted(bars, key=_place)[:_MOST]
    return Figure("hocabench-index", "H-Index by family and size", note, _drawn(ordered))


def _label(result: Result, judge: str | None) -> str:
    size = result.about.size if result.about else None
    facts = [f"{size:g} B" if size is not None else "", mode(result) or ""]
    facts += [f"by {judge}"] if len(judges(result)) > 1 and judge else []
    extra = ", ".join(filter(None, facts))
    return shorten(result.model, 46) + (f"\n{shorten(extra, 40)}" if extra else "")


def _place(bar: Bar) -> tuple[bool, str, float, bool]:
    result = bar[0]
    about = result.about
    size = about.size if about and about.size is not None else 0.0
    return not family(result), family(result), size, bool(about and about.thinking)


def _drawn(bars: Sequence[Bar]) -> str:
    families = dict.fromkeys(family(result) for result, _, _ in bars)
    colors = {name: COLORS[k % len(COLORS)] for k, name in enumerate(families)}

    def draw(canvas: Canvas) -> None:
        from matplotlib.patches import Patch

        axes = canvas.subplots()
        for place, (result, _, estimate) in enumerate(bars):
            value = 100 * (estimate.value or 0.0)
            hatch = "///" if result.about and result.about.thinking else None
            axes.barh(place, value, 0.7, color=colors[family(result)], hatch=hatch, edgecolor="white", linewidth=0)
            if estimate.low is not None and estimate.high is not None:
                axes.plot([100 * estimate.low, 100 * estimate.high], [place, place], color="0.1", linewidth=1)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_yticks(range(len(bars)), [label for _, label, _ in bars])
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.set_xlabel("H-Index")
        keys = [Patch(color=color, label=shorten(name, 40)) for name, color in colors.items() if name]
        if len(keys) > 1:
            legend_below(canvas, keys, 4)

    return document(WIDTH, 1.0 + 0.42 * len(bars), draw)


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


def points(result: Result, variant: str) -> list[tuple[int, Estimate]]:
    """The curve of a kind of clip: place of the cut, and share called implausible."""
    cuts = [valued_estimate(result, "implausible until", {"variant": variant, "until": until}) for until in CUTS]
    return [(place, each) for place, each in enumerate(cuts) if each]


def _prefixes(results: Sequence[Result]) -> str:
    columns, width, height = grid(len(results))

    def draw(canvas: Canvas) -> None:
        places = range(len(CUTS))
        for axes, result in zip(panels(canvas, len(results), columns, "shown up to"), results, strict=True):
            for number, variant in enumerate(VARIANTS):
                curve = [(x + _APART * (number - 1), each) for x, each in points(result, variant)]
                color, style = _STYLES[variant]
                xs, ys = [x for x, _ in curve], [percent_bounds(each)[0] for _, each in curve]
                axes.plot(xs, ys, style, color=color, markersize=4, label=variant)
                for x, each in curve:
                    if each.low is not None and each.high is not None:
                        axes.plot([x, x], [100 * each.low, 100 * each.high], color=color, linewidth=0.8)
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
    colors = model_colors(shown)

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for result in shown:
            axes.plot(*zip(*_recalls(result, "recall at iou"), strict=True), "o-", color=colors[result.model], ms=4)
        if chance := _recalls(shown[0], "recall at iou chance"):
            axes.plot(*zip(*chance, strict=True), "--", color="0.6", linewidth=1)
        open_axes(axes, "recall, %")
        axes.set_xlabel("intersection over union, at least")
        legend(canvas, axes, colors, "o-")

    svg = document(WIDTH * 0.75, 3.2 + 0.1 * len(shown), draw)
    return Figure("hocabench-recall", "When is it odd? Recall by overlap", note, svg)


def _recalls(result: Result, metric: str) -> list[tuple[float, float]]:
    recalls = [(each, valued_estimate(result, metric, {"iou": each})) for each in THRESHOLDS]
    return [(x, percent_bounds(each)[0]) for x, each in recalls if each]
