"""Answers by view, and healing by kind of prefix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document
from veridical.judges.judged import COMBINED
from veridical.records import Estimate
from veridical.suite.results import Figure, Result, find
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.rows import ALL_BOXES
from veridical.suites.magic.asking.trials import VIEWS
from veridical.suites.magic.presentation.figures.focus import MOST, colored, framed, legend, point
from veridical.suites.magic.presentation.markers import POOLED, healed
from veridical.suites.magic.presentation.tables.healing import KINDS

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_VIEWS = {
    "relevant-boxes": "relevant boxes\nalone",
    "relevant-masked": "relevant boxes\ncovered",
    "adversarial-masked": "adversarial boxes\ncovered",
    "renumbered": "other\nnumbers",
    "blind": "no picture",
}


def effects(result: Result) -> dict[str, tuple[float, float, float]]:
    """The change of right answers in each view, in points with its bounds."""
    changed = {}
    for view in VIEWS:
        place = {"view": view, "against": ALL_BOXES, "of": "accuracy", "by": READER}
        each = find(result, "view effect", place)
        if each is not None and each.value is not None and each.low is not None and each.high is not None:
            changed[view] = (each.value, each.low, each.high)
    return changed


def views(results: Sequence[Result]) -> Figure | None:
    """The change of right answers in each view, for each of the first models."""
    every = {result.model: own for result in results[:MOST] if (own := effects(result))}
    if not every:
        return None
    present = [view for view in VIEWS if any(view in own for own in every.values())]
    colors = colored(results[:MOST])
    note = (
        "Right answers, by the reader, in this view − with all boxes, on the same questions; 95 % intervals. "
        "Where answers rest on what the relevant boxes show, they fall where these are covered, and there alone."
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for number, (model, own) in enumerate(every.items()):
            shift = 0.7 * ((number + 0.5) / len(every) - 0.5)
            for view, (value, low, high) in own.items():
                x = present.index(view) + shift
                axes.plot([x, x], [low, high], color=colors[model], linewidth=1)
                axes.plot(x, value, "o", color=colors[model], markersize=5)
        axes.axhline(0, color="0.6", linewidth=1, zorder=0)
        axes.set_xticks(range(len(present)), [_VIEWS[view] for view in present])
        axes.set_xlim(-0.6, len(present) - 0.4)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_ylabel("change, points")
        legend(canvas, axes, {model: colors[model] for model in every})

    height = 3.2 + 0.1 * len(every)
    return Figure("magic-views", "What covering and renumbering change", note, document(WIDTH, height, draw))


TRUE = "true"
_PREFIXES = {
    **{name: title.replace(" ", "\n") for name, title in KINDS.items()},
    TRUE: "right reasoning\n(called wrong)",
}


def bars(result: Result) -> dict[str, Estimate]:
    """The share healed by kind of prefix, prefilled and by the first judge, and that of right ones called wrong."""
    shown: dict[str, Estimate] = {}
    every = [*healed(result, "heals", POOLED | {"prefix"}), *healed(result, "over-correction", POOLED)]
    usual = [
        each
        for each in every
        if each.slice["injection"] == "prefill" and each.slice["judge"] not in COMBINED and each.value is not None
    ]
    for each in sorted(usual, key=lambda each: each.slice["correcting"] != "prompted"):
        shown.setdefault(str(each.slice.get("prefix", TRUE)), each)
    return shown


def prefixes(results: Sequence[Result]) -> Figure | None:
    """A point for each kind of prefix and each of the first models."""
    every = {result.model: own for result in results[:MOST] if (own := bars(result))}
    if not every:
        return None
    present = [name for name in _PREFIXES if any(name in own for own in every.values())]
    colors = colored(results[:MOST])
    note = (
        "Continuations that name the mistake and correct it, by kind of prefix; prefilled, with the request to correct "
        "where it was made, by the first judge; 95 % intervals. Open: right reasoning that is called wrong. Listings "
        "state nothing false; healed are those whose irrelevant boxes are dismissed."
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for number, (model, own) in enumerate(every.items()):
            shift = 0.7 * ((number + 0.5) / len(every) - 0.5)
            for name, each in own.items():
                point(axes, present.index(name) + shift, each, colors[model], filled=name != TRUE)
        axes.set_xticks(range(len(present)), [_PREFIXES[name] for name in present])
        axes.set_xlim(-0.6, len(present) - 0.4)
        framed(axes, "continuations, %")
        legend(canvas, axes, {model: colors[model] for model in every})

    return Figure("magic-healing", "Healing by kind of mistake", note, document(WIDTH, 3.2 + 0.1 * len(every), draw))
