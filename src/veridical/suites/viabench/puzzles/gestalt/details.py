"""Odd one out: one little picture lacks a detail that all others have."""

from __future__ import annotations

from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.gestalt import drawings, glyphs
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, odd_one_out
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle

_THINGS = {
    "beetle": (drawings.beetle, "spot"),
    "toadstool": (drawings.mushroom, "dot"),
    "house": (drawings.house, "window"),
    "cat": (drawings.cat, "whisker"),
}
_OF_GRADE = (("house", "beetle"), ("beetle", "toadstool", "house"), ("toadstool", "cat", "beetle"))


class Details(BaseItem):
    """The nuisances: what the things are, what one of them lacks, and their color."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.thing = nuisances.one_of(_OF_GRADE[grade - 1])
        self.detail = _THINGS[self.thing][1]
        self.paint = nuisances.one_of(list(PAINTS))
        self.grid = Grid(nuisances, grade)


def _cell(base: Details, paint: str, odd: bool) -> Pixels:
    parts = _THINGS[base.thing][0](PAINTS[paint], whole=not odd)
    return glyphs.cell(parts, base.grid.pitch, base.grid.panel, 0.86)


DETAILS = Puzzle(
    name="details",
    title="One lacks a detail",
    capability="fine detail",
    sees="the same little picture again and again",
    truth="the place of the one that lacks a detail",
    source="ours, after the paper's Appendix A: the odd one out in a repeated pattern",
    graded="a smaller detail, and more and smaller things",
    question="In which row and column is the {thing} that has one {detail} fewer than all others?" + ASKED,
    sample=Details,
    **odd_one_out(_cell),
)
