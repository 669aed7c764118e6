"""Spotlight and crutch: what words add on types A and B, and what silence takes, against vision-only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from veridical.base.charts import WIDTH, document, shortened
from veridical.records import Estimate, Json
from veridical.suite.results import Figure, Result, find
from veridical.suites.magicbench.presentation.figures.style import PATTER, legend
from veridical.suites.magicbench.presentation.marking import WORDED, judge_name, judges

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_MOST = 24
_PARTS = {"A: under a lie": "lie", "B: under misdirection": "misdirection", "D: in silence": "silence"}


class Row(NamedTuple):
    """A row of the figure: its label, and a change of CPA, with its interval, for each kind of words."""

    label: str
    changes: dict[str, tuple[float, float | None, float | None]]


def paradox(results: Sequence[Result]) -> Figure | None:
    """CPA with words − vision-only, a row for each model, judge and stance."""
    rows = [row for result in results for row in _rows(result)][:_MOST]
    if not rows:
        return None
    note = (
        "CPA with words − vision-only on the same clips, in points with 95 % intervals. To the right of 0, words light "
        "what matters (spotlight); to the left, silence takes what was leaned on (crutch): the loss on D is drawn as a "
        "fall. An autonomous observer has all three at 0."
    )
    return Figure("magicbench-paradox", "Spotlight and crutch", note, _drawn(rows))


def _rows(result: Result) -> Iterator[Row]:
    every = judges(result)
    for judge in every:
        present = [
            stance for stance in WORDED if find(result, "agency loss", {"score": "cpa", "stance": stance, **judge})
        ]
        for stance in present:
            where: dict[str, Json] = {"score": "cpa", "stance": stance, **judge}
            gains = {kind: find(result, "spotlight gain", {"type": kind, **where}) for kind in ("lie", "misdirection")}
            changes = {kind: _bounds(each, 1.0) for kind, each in gains.items()}
            changes["silence"] = _bounds(find(result, "agency loss", where), -1.0)
            kept = {kind: each for kind, each in changes.items() if each is not None}
            facts = [stance, *([f"by {judge_name(result, judge)}"] if len(every) > 1 else [])]
            if kept:
                yield Row(f"{shortened(result.model, 40)}\n{shortened(', '.join(facts), 40)}", kept)


def _bounds(estimate: Estimate | None, sign: float) -> tuple[float, float | None, float | None] | None:
    if estimate is None or estimate.value is None:
        return None
    low, high = ((None if each is None else sign * each) for each in (estimate.low, estimate.high))
    return sign * estimate.value, low, high


def _drawn(rows: Sequence[Row]) -> str:
    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        axes.axvline(0, color="0.6", linewidth=0.8)
        for place, row in enumerate(rows):
            for number, kind in enumerate(_PARTS.values()):
                if kind in row.changes:
                    value, low, high = row.changes[kind]
                    color, marker = PATTER[kind]
                    y = place + 0.2 * (number - 1)
                    axes.plot([value], [y], marker, color=color, markersize=5)
                    if low is not None and high is not None:
                        axes.plot([low, high], [y, y], color=color, linewidth=1.2)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_yticks(range(len(rows)), [row.label for row in rows], fontsize=8)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel("CPA with words − vision-only, points")
        legend(canvas, axes, {name: PATTER[kind] for name, kind in _PARTS.items()}, 3)

    return document(WIDTH, 1.3 + 0.55 * len(rows), draw)
