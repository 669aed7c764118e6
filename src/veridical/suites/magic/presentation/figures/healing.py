"""Healing by kind of prefix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document
from veridical.judges.judged import COMBINED
from veridical.records import Estimate
from veridical.suite.results import Figure, Result
from veridical.suites.magic.presentation.figures.marks import MOST, colored, framed, legend, point
from veridical.suites.magic.presentation.markers import POOLED, healed
from veridical.suites.magic.presentation.tables.healing import KINDS

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

TRUE = "true"
_TICKS = {**{name: title.replace(" ", "\n") for name, title in KINDS.items()}, TRUE: "right reasoning\n(called wrong)"}


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
    present = [name for name in _TICKS if any(name in own for own in every.values())]
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
        axes.set_xticks(range(len(present)), [_TICKS[name] for name in present])
        axes.set_xlim(-0.6, len(present) - 0.4)
        framed(axes, "continuations, %")
        legend(canvas, axes, {model: colors[model] for model in every})

    return Figure("magic-healing", "Healing by kind of mistake", note, document(WIDTH, 3.2 + 0.1 * len(every), draw))
