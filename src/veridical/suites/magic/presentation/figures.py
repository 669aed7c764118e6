"""MagiC's figures: focus against accuracy, scaling with size, healing by kind of prefix, and views."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document
from veridical.judges.judged_outcomes import COMBINED
from veridical.records import Estimate
from veridical.suite.findings import valued_estimate
from veridical.suite.points import (
    COLORS,
    MOST,
    categories,
    family,
    legend,
    model_colors,
    open_axes,
    order_figures,
    percent_bounds,
    point,
)
from veridical.suite.results import Figure, Result
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.magiscore import ALL, BINS
from veridical.suites.magic.analysis.rows import ALL_BOXES
from veridical.suites.magic.asking.trials import VIEWS
from veridical.suites.magic.presentation.markers import POOLED, healing_estimates, short_answers
from veridical.suites.magic.presentation.tables.healing import KINDS, self_heal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

TRUE = "true"
_VIEWS = {
    "relevant-boxes": "relevant boxes\nalone",
    "relevant-masked": "relevant boxes\ncovered",
    "adversarial-masked": "adversarial boxes\ncovered",
    "renumbered": "other\nnumbers",
    "blind": "no picture",
}
_PREFIXES = {
    **{name: title.replace(" ", "\n") for name, title in KINDS.items()},
    TRUE: "right reasoning\n(called wrong)",
}
_PANELS: Mapping[str, Callable[[Result], Estimate | None]] = {
    "F1 of boxes": lambda result: valued_estimate(result, "magiscore f1", {}),
    "right answers": short_answers,
    "heals": self_heal,
}
_OTHERS = "other models"


def models(results: Sequence[Result]) -> Figure | None:
    """A point for each of the first models: F1 of boxes, and right answers."""
    places = [(result, valued_estimate(result, "magiscore f1", {}), short_answers(result)) for result in results]
    shown = [(own, f1, right) for own, f1, right in places if f1 and right and right.value is not None][:MOST]
    if not shown:
        return None
    note = (
        "Macro F1 of the boxes mentioned, and right answers: short ones by the first judge, by the reader where nobody "
        "judged; 95 % intervals. Dashed: F1 of mentioning every box."
    )
    colors = model_colors([own for own, _, _ in shown])
    chance = valued_estimate(shown[0][0], "chance f1", {"chance": ALL})

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for own, f1, right in shown:
            x, low, high = percent_bounds(f1)
            axes.plot([low, high], [percent_bounds(right)[0]] * 2, color=colors[own.model], linewidth=1)
            point(axes, x, right, colors[own.model])
        if chance:
            axes.axvline(percent_bounds(chance)[0], color="0.6", linestyle="--", linewidth=1, zorder=0)
        open_axes(axes, "right answers, %")
        axes.set_xlim(-3, 103)
        axes.set_xlabel("F1 of boxes, %")
        legend(canvas, axes, colors)

    return Figure("magic-focus", "Focus and answers", note, document(WIDTH * 0.75, 3.3 + 0.1 * len(shown), draw))


def focus_figure(results: Sequence[Result]) -> Figure | None:
    """A line for each of the first models: right answers in each bin of F1."""
    lines = {result.model: points(result) for result in results[:MOST]}
    shown = {model: line for model, line in lines.items() if len(line) > 1}
    if not shown:
        return None
    colors = model_colors(results)
    note = (
        "Right answers, by the reader, among the replies with this F1 of boxes; 95 % intervals. A rise is no effect of "
        "focus: easy questions may have both."
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for number, (model, line) in enumerate(shown.items()):
            shift = 0.06 * (number - (len(shown) - 1) / 2)
            ys = [percent_bounds(each)[0] for _, each in line]
            axes.plot([x + shift for x, _ in line], ys, color=colors[model], linewidth=1)
            for x, each in line:
                point(axes, x + shift, each, colors[model])
        axes.set_xticks(range(len(BINS)), list(BINS))
        axes.set_xlim(-0.4, len(BINS) - 0.6)
        open_axes(axes, "right answers, %")
        axes.set_xlabel("F1 of the boxes that a reply mentions")
        legend(canvas, axes, {model: colors[model] for model in shown})

    height = 3.2 + 0.1 * len(shown)
    return Figure("magic-by-focus", "Answers by focus", note, document(WIDTH * 0.75, height, draw))


def points(result: Result) -> list[tuple[int, Estimate]]:
    """The bins of F1 that have replies, by place, with the right answers in each."""
    places = [valued_estimate(result, "accuracy by focus", {"focus": name, "by": READER}) for name in BINS]
    return [(place, each) for place, each in enumerate(places) if each]


def views(results: Sequence[Result]) -> Figure | None:
    """The change of right answers in each view, for each of the first models."""
    note = (
        "Right answers, by the reader, in this view − with all boxes, on the same questions; 95 % intervals. "
        "Where answers rest on what the relevant boxes show, they fall where these are covered, and there alone."
    )

    def finish(axes: Axes) -> None:
        axes.axhline(0, color="0.6", linewidth=1, zorder=0)
        open_axes(axes, "change, points", share=False)

    svg = _by_category(results, effects, _VIEWS, finish)
    return Figure("magic-views", "What covering and renumbering change", note, svg) if svg else None


def effects(result: Result) -> dict[str, Estimate]:
    """The change of right answers in each view, in points, where it is bounded at both sides."""
    changes = {
        view: valued_estimate(
            result, "view effect", {"view": view, "against": ALL_BOXES, "of": "accuracy", "by": READER}
        )
        for view in VIEWS
    }
    return {view: each for view, each in changes.items() if each and None not in (each.low, each.high)}


def prefixes(results: Sequence[Result]) -> Figure | None:
    """A point for each kind of prefix and each of the first models."""
    note = (
        "Continuations that name the mistake and correct it, by kind of prefix; prefilled, with the request to correct "
        "where it was made, by the first judge; 95 % intervals. Open: right reasoning that is called wrong. Listings "
        "state nothing false; healed are those whose irrelevant boxes are dismissed."
    )
    svg = _by_category(results, bars, _PREFIXES, lambda axes: open_axes(axes, "continuations, %"))
    return Figure("magic-healing", "Healing by kind of mistake", note, svg) if svg else None


def bars(result: Result) -> dict[str, Estimate]:
    """The share healed by kind of prefix, prefilled and by the first judge, and that of right ones called wrong."""
    shown: dict[str, Estimate] = {}
    every = [
        *healing_estimates(result, "heals", POOLED | {"prefix"}),
        *healing_estimates(result, "over-correction", POOLED),
    ]
    usual = [
        each
        for each in every
        if each.slice["injection"] == "prefill" and each.slice["judge"] not in COMBINED and each.value is not None
    ]
    for each in sorted(usual, key=lambda each: each.slice["correcting"] != "prompted"):
        shown.setdefault(str(each.slice.get("prefix", TRUE)), each)
    return shown


def _by_category(
    results: Sequence[Result],
    of: Callable[[Result], Mapping[str, Estimate]],
    ticks: Mapping[str, str],
    finish: Callable[[Axes], None],
) -> str | None:
    """Points of the first models side by side over categories; `None` where no model has any."""
    every = {result.model: own for result in results[:MOST] if (own := of(result))}
    if not every:
        return None
    present = [name for name in ticks if any(name in own for own in every.values())]
    colors = model_colors(results)

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for number, (model, own) in enumerate(every.items()):
            shift = 0.7 * ((number + 0.5) / len(every) - 0.5)
            for name, each in own.items():
                point(axes, present.index(name) + shift, each, colors[model], filled=name != TRUE)
        categories(axes, (ticks[name] for name in present))
        finish(axes)
        legend(canvas, axes, {model: colors[model] for model in every})

    return document(WIDTH, 3.2 + 0.1 * len(every), draw)


def scaling_figure(results: Sequence[Result]) -> Figure | None:
    """A panel for each main figure, over size on a logarithmic axis; a line for each family with several sizes."""
    sized = [(result.about.size, result) for result in results if result.about and result.about.size]
    if len({size for size, _ in sized}) < 2:
        return None
    shown = {
        title: [
            (size, family(own) or _OTHERS, each) for size, own in sized if (each := of(own)) and each.value is not None
        ]
        for title, of in _PANELS.items()
    }
    valued_ones = {title: [row for row in own if row[2].value is not None] for title, own in shown.items()}
    drawn = {title: own for title, own in valued_ones.items() if own}
    families = list(dict.fromkeys(family(own) or _OTHERS for _, own in sized))
    colors = {name: COLORS[k % len(COLORS)] for k, name in enumerate(families)}
    note = "By size in billions of parameters, as the file of models states it; lines join the models of a family."

    def draw(canvas: Canvas) -> None:
        panels = canvas.subplots(1, len(drawn), sharey=True, squeeze=False).ravel()
        for axes, (title, own) in zip(panels, drawn.items(), strict=True):
            _panel(axes, own, colors)
            axes.set_title(title, fontsize=9)
        open_axes(panels[0], "%")
        for axes in panels[1:]:
            axes.spines[["top", "right"]].set_visible(False)
        legend(canvas, panels[0], colors, "o-", columns=4, most=40)

    return Figure("magic-scaling", "Scaling with size", note, document(WIDTH, 3.0, draw))


def _panel(axes: Axes, own: Sequence[tuple[float, str, Estimate]], colors: Mapping[str, str]) -> None:
    axes.set_xscale("log")
    for name in dict.fromkeys(name for _, name, _ in own):
        line = sorted(((size, each) for size, of, each in own if of == name), key=lambda at: at[0])
        if name != _OTHERS:
            axes.plot(
                [x for x, _ in line], [percent_bounds(each)[0] for _, each in line], color=colors[name], linewidth=1
            )
        for x, each in line:
            point(axes, x, each, colors[name])
    ticks = sorted({size for size, _, _ in own})
    axes.set_xticks(ticks, [f"{each:g}" for each in ticks], fontsize=8)
    axes.minorticks_off()
    axes.set_xlabel("size, B", fontsize=8)


figures = order_figures(models, focus_figure, views, prefixes, scaling_figure)
