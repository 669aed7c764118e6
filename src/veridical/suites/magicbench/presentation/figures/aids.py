"""The triplet: the same failures asked again with no aid, a ring and a placebo ring, and where they began."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import document, grid, panels, shortened
from veridical.records import Estimate, Json
from veridical.suite.results import Figure, Result, find
from veridical.suites.magicbench.asking.aids import AIDS, NONE
from veridical.suites.magicbench.asking.ring import AID, CHOSEN
from veridical.suites.magicbench.presentation.figures.style import MOST
from veridical.suites.magicbench.presentation.marking import by_judge, judge_name
from veridical.suites.magicbench.presentation.tables.aided import CHOICES, LEVELS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_TICKS = {
    "none": "no aid",
    "ring": "ring",
    "placebo": "placebo\nring",
    "magnified": "magnified",
    "dense": "more\nframes",
}
_COLORS = {"none": "#999999", "ring": "#d55e00", "placebo": "#56b4e9", "magnified": "#009e73", "dense": "#cc79a7"}
Panel = tuple[str, dict[str, Estimate], Estimate | None]


def triplet(results: Sequence[Result]) -> Figure | None:
    """A panel for each model, judge and choice of items: CPA with each aid, and the line of those when chosen."""
    own: list[Panel] = []
    for result, judge in by_judge(results):
        for level in LEVELS:
            where: dict[str, Json] = {"score": "cpa", CHOSEN: level, **judge}
            found = {aid: find(result, "aided marks", {AID: aid, **where}) for aid in AIDS}
            valued = {aid: each for aid, each in found.items() if each is not None and each.value is not None}
            if valued:
                title = f"{shortened(result.model, 28)}, {judge_name(result, judge)}\n{CHOICES[level]}"
                own.append((title, valued, find(result, "regression to the mean", where)))
    if not own:
        return None
    note = (
        "CPA of 100, with 95 % intervals, of explanations that were chosen because they were bad, asked again. Dashed: "
        "when they were chosen. From there to 'no aid' they rise without any help: regression to the mean. What an aid "
        "does is what lies above 'no aid', and what pointing at the right place does is above the placebo."
    )
    return Figure("magicbench-triplet", "Does it help to point?", note, _drawn(own[:MOST]))


def _drawn(own: Sequence[Panel]) -> str:
    columns, width, height = grid(len(own))

    def draw(canvas: Canvas) -> None:
        for axes, (title, valued, change) in zip(panels(canvas, len(own), columns, ""), own, strict=True):
            _panel(axes, valued, change)
            axes.set_title(title, fontsize=8)

    return document(width, height + 0.4, draw)


def _panel(axes: Axes, valued: dict[str, Estimate], change: Estimate | None) -> None:
    for place, (aid, each) in enumerate(valued.items()):
        axes.bar(place, 100 * (each.value or 0.0), 0.6, color=_COLORS[aid])
        if each.low is not None and each.high is not None:
            axes.plot([place, place], [100 * each.low, 100 * each.high], color="0.1", linewidth=1)
    again = valued.get(NONE)
    if again is not None and again.value is not None and change is not None and change.value is not None:
        axes.axhline(100 * again.value - change.value, color="0.2", linestyle="--", linewidth=1)
    axes.set_xticks(range(len(valued)), [_TICKS[aid] for aid in valued], fontsize=8)
    axes.set_ylim(0, 100)
    axes.set_ylabel("CPA", fontsize=8)
