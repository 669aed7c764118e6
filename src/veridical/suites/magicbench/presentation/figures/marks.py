"""Three marks by what is said, what silence takes from them, and what aids give back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, grid, panels, shorten
from veridical.records import Estimate, Json
from veridical.suite.results import Figure, Result, find
from veridical.suites.magicbench.analysis.marks import MARKS
from veridical.suites.magicbench.asking.aids import AIDS, NONE
from veridical.suites.magicbench.asking.cells import VISION_ONLY
from veridical.suites.magicbench.asking.ring import AID, CHOSEN
from veridical.suites.magicbench.presentation.marking import (
    COLUMNS,
    MOST,
    PATTER,
    STANCE,
    WORDED,
    Change,
    bars,
    forest,
    judge_name,
    judge_results,
    judges,
    legend,
    mark,
    select_styles,
    stances,
)
from veridical.suites.magicbench.presentation.tables.changes import CHOICES
from veridical.suites.magicbench.stimuli import LETTERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_MOST = 6
_APART = 0.08
Marked = tuple[Result, dict[str, Json]]


def three_marks(results: Sequence[Result]) -> Figure | None:
    """VTG, CPA and CFR under words of each type, of the first models and judges."""
    own = list(judge_results(results))[:_MOST]
    if not own:
        return None
    note = (
        "Marks of 100 with 95 % intervals under a lie (A), misdirection (B), other talk (C) and silence (D). "
        "Vision-only has no words. CFR on C, D and vision-only is about the apparent effect, not about a claim."
    )
    return Figure("magicbench-marks", "Where, how, and what is resisted", note, _marks(own), broad=True)


def _marks(own: Sequence[Marked]) -> str:
    present = list(dict.fromkeys(stance for result, judge in own for stance in stances(result, judge)))
    styles = select_styles(present, STANCE)

    def draw(canvas: Canvas) -> None:
        every = canvas.subplots(len(own), len(MARKS), sharex=True, sharey=True, squeeze=False)
        for (result, judge), row in zip(own, every, strict=True):
            for axes, score in zip(row, MARKS, strict=True):
                _mark_panel(axes, result, judge, score, list(styles))
                axes.set_title(score.upper(), fontsize=9)
            by = f"\nby {judge_name(result, judge)}" if len(judges(result)) > 1 else ""
            row[0].set_ylabel(f"{shorten(result.model, 30)}{by}", fontsize=8)
        legend(canvas, every[0][0], styles, 6)

    return document(WIDTH, 0.9 + 1.9 * len(own), draw)


def _mark_panel(axes: Axes, result: Result, judge: dict[str, Json], score: str, present: Sequence[str]) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    for number, stance in enumerate(present):
        if stance == VISION_ONLY and find(result, score, {"stance": stance, **judge}) is None:
            continue
        shift = _APART * (number - (len(present) - 1) / 2)
        found = [
            (place + shift, mark(result, score, {"stance": stance, **judge}, kind))
            for place, kind in enumerate(COLUMNS)
        ]
        bars(axes, [(x, each) for x, each in found if each is not None], STANCE[stance], 100)
    axes.set_xticks(range(len(COLUMNS)), [LETTERS[kind] for kind in COLUMNS])
    axes.set_ylim(-3, 103)


_MOST_ROWS = 24
_PARTS = {
    "A: under a lie": PATTER["lie"],
    "B: under misdirection": PATTER["misdirection"],
    "D: in silence": PATTER["silence"],
}


def paradox(results: Sequence[Result]) -> Figure | None:
    """CPA with words − vision-only, a row for each model, judge and stance."""
    rows = [row for result in results for row in _paradox_rows(result)][:_MOST_ROWS]
    if not rows:
        return None
    note = (
        "CPA with words − vision-only on the same clips, in points with 95 % intervals. To the right of 0, words light "
        "what matters (spotlight); to the left, silence takes what was leaned on (crutch): the loss on D is drawn as a "
        "fall. An autonomous observer has all three at 0."
    )
    svg = forest(rows, _PARTS, "CPA with words − vision-only, points", 1.3 + 0.55 * len(rows), fontsize=8)
    return Figure("magicbench-paradox", "Spotlight and crutch", note, svg)


def _paradox_rows(result: Result) -> Iterator[tuple[str, dict[str, Change]]]:
    every = judges(result)
    for judge in every:
        for stance in WORDED:
            where: dict[str, Json] = {"score": "cpa", "stance": stance, **judge}
            loss = find(result, "agency loss", where)
            gains = [find(result, "spotlight gain", {"type": kind, **where}) for kind in ("lie", "misdirection")]
            drawn = zip(_PARTS, (*gains, loss), (1.0, 1.0, -1.0), strict=True)
            changes = {name: _change(each, sign) for name, each, sign in drawn if each and each.value is not None}
            facts = [stance, *([f"by {judge_name(result, judge)}"] if len(every) > 1 else [])]
            if loss and changes:
                yield f"{shorten(result.model, 40)}\n{shorten(', '.join(facts), 40)}", changes


def _change(estimate: Estimate, sign: float) -> Change:
    low, high = ((None if each is None else sign * each) for each in (estimate.low, estimate.high))
    return sign * (estimate.value or 0.0), low, high


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
    for result, judge in judge_results(results):
        for level in CHOICES:
            where: dict[str, Json] = {"score": "cpa", CHOSEN: level, **judge}
            found = {aid: find(result, "aided marks", {AID: aid, **where}) for aid in AIDS}
            valued = {aid: each for aid, each in found.items() if each is not None and each.value is not None}
            if valued:
                title = f"{shorten(result.model, 28)}, {judge_name(result, judge)}\n{CHOICES[level]}"
                own.append((title, valued, find(result, "regression to the mean", where)))
    if not own:
        return None
    note = (
        "CPA of 100, with 95 % intervals, of explanations that were chosen because they were bad, asked again. Dashed: "
        "when they were chosen. From there to 'no aid' they rise without any help: regression to the mean. What an aid "
        "does is what lies above 'no aid', and what pointing at the right place does is above the placebo."
    )
    return Figure("magicbench-triplet", "Does it help to point?", note, _aided(own[:MOST]))


def _aided(own: Sequence[Panel]) -> str:
    columns, width, height = grid(len(own))

    def draw(canvas: Canvas) -> None:
        for axes, (title, valued, change) in zip(panels(canvas, len(own), columns, ""), own, strict=True):
            _aided_panel(axes, valued, change)
            axes.set_title(title, fontsize=8)

    return document(width, height + 0.4, draw)


def _aided_panel(axes: Axes, valued: dict[str, Estimate], change: Estimate | None) -> None:
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
