"""Rows of four tones, all of which seem to drift but one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Patch, Scene
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion import tone_order
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

ROWS = ("row 1", "row 2", "row 3", "row 4")


class StillRow(BaseItem):
    """The nuisances of four rows: their length, height, distance and place in px, and how many bands each has."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.length = round(nuisances.px(400, 460))
        self.height = round(nuisances.px(60, 80))
        self.x, self.y = round(nuisances.px(-20, 20)), round(nuisances.px(-20, 20))
        self.gap = round(nuisances.px(28, 40))
        self.bands = nuisances.one_of((3, 4, 5))
        self.tones = tone_order.DriftTones(nuisances, grade)
        self.size = nuisances.size
        self.scatter = nuisances.scatter()


def _draw(base: StillRow, answer: str, variant: Variant) -> tuple[Scene]:
    rng = np.random.default_rng(base.scatter)
    left, top = (base.size - base.length) // 2 + base.x, (base.size - 4 * base.height - 3 * base.gap) // 2 + base.y
    rows, rightward = [], rng.random(len(ROWS)) < 0.5
    for k, name in enumerate(ROWS):
        way = 0 if answer == name else 1 if rightward[k] else -1
        height = base.height / base.bands
        woven = tone_order.fabric(base.height, base.length, height, base.tones, way, variant, rng)
        rows.append(Patch(left, top + k * (base.height + base.gap), woven))
    return (Scene(base.size, base.size, base.tones.ground, tuple(rows)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same four)
    """Which of four things has steps in no order."""
    picture = pictures[0]
    boxes = sorted(tone_order.things(picture), key=lambda box: box[0].start)
    ways = [tone_order.way_of(tone_order.net_order(picture[box], picture[0, 0])) for box in boxes]
    if len(ways) != len(ROWS) or None in ways or ways.count(0) != 1:
        return None
    return ROWS[ways.index(0)]


STILL_ROW = Puzzle(
    name="still_row",
    title="Row that stands still",
    sees="rows that drift to the left or right",
    truth="which row has its tones in the same order forward and backward",
    question="The tones make all of these rows but one seem to drift. Which one, from the top, seems to stand still?",
    sample=StillRow,
    answers=lambda base: ROWS,  # noqa: ARG005 (always the same four)
    draw=_draw,
    read=_read,
    **tone_order.IN_COMMON,
)
