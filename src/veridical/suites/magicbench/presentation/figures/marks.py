"""Three marks by what is said: a row of panels for each model, a line for each stance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.base.charts import WIDTH, document, shortened
from veridical.records import Json
from veridical.suite.results import Figure, Result, find
from veridical.suites.magicbench.analysis.marks import MARKS
from veridical.suites.magicbench.asking.cells import VISION_ONLY
from veridical.suites.magicbench.presentation.figures.style import STANCE, bars, legend, shown
from veridical.suites.magicbench.presentation.marking import COLUMNS, by_judge, judge_name, judges, mark, stances
from veridical.suites.magicbench.stimuli import LETTERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_MOST = 6
_APART = 0.08
Marked = tuple[Result, dict[str, Json]]


def three_marks(results: Sequence[Result]) -> Figure | None:
    """VTG, CPA and CFR under words of each type, of the first models and judges."""
    own = list(by_judge(results))[:_MOST]
    if not own:
        return None
    note = (
        "Marks of 100 with 95 % intervals under a lie (A), misdirection (B), other talk (C) and silence (D). "
        "Vision-only has no words. CFR on C, D and vision-only is about the apparent effect, not about a claim."
    )
    return Figure("magicbench-marks", "Where, how, and what is resisted", note, _drawn(own), broad=True)


def _drawn(own: Sequence[Marked]) -> str:
    present = list(dict.fromkeys(stance for result, judge in own for stance in stances(result, judge)))
    styles = shown(present, STANCE)

    def draw(canvas: Canvas) -> None:
        every = canvas.subplots(len(own), len(MARKS), sharex=True, sharey=True, squeeze=False)
        for (result, judge), row in zip(own, every, strict=True):
            for axes, score in zip(row, MARKS, strict=True):
                _panel(axes, result, judge, score, list(styles))
                axes.set_title(score.upper(), fontsize=9)
            by = f"\nby {judge_name(result, judge)}" if len(judges(result)) > 1 else ""
            row[0].set_ylabel(f"{shortened(result.model, 30)}{by}", fontsize=8)
        legend(canvas, every[0][0], styles, 6)

    return document(WIDTH, 0.9 + 1.9 * len(own), draw)


def _panel(axes: Axes, result: Result, judge: dict[str, Json], score: str, present: Sequence[str]) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    for number, stance in enumerate(present):
        if stance == VISION_ONLY and find(result, score, {"stance": stance, **judge}) is None:
            continue
        shift = _APART * (number - (len(present) - 1) / 2)
        found = [(place + shift, mark(result, score, judge, stance, kind)) for place, kind in enumerate(COLUMNS)]
        bars(axes, [(x, each) for x, each in found if each is not None], STANCE[stance], 100)
    axes.set_xticks(range(len(COLUMNS)), [LETTERS[kind] for kind in COLUMNS])
    axes.set_ylim(-3, 103)
