"""Odd one out: one thing is larger or smaller than all others."""

from __future__ import annotations

from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.gestalt import drawings, glyphs
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, odd_one_out
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle

_THINGS = {"flower": drawings.flower, "button": drawings.button, "star": drawings.star, "doughnut": drawings.donut}
_RATIOS = (1.36, 1.26, 1.2)


class Sizes(BaseItem):
    """The nuisances: what the things are, their color, and how large the others and the odd one are, in cells."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        low, ratio = nuisances.between(0.62, 0.68), _RATIOS[grade - 1]
        larger = nuisances.one_of((True, False))
        self.thing = nuisances.one_of(list(_THINGS))
        self.paint = nuisances.one_of(list(PAINTS))
        self.scale = low if larger else low * ratio
        self.odd_scale = low * ratio if larger else low
        self.differs = "larger" if larger else "smaller"
        self.grid = Grid(nuisances, grade)


def _cell(base: Sizes, paint: str, odd: bool) -> Pixels:
    scale = base.odd_scale if odd else base.scale
    return glyphs.cell(_THINGS[base.thing](PAINTS[paint]), base.grid.pitch, base.grid.panel, scale)


SIZES = Puzzle(
    name="sizes",
    title="One has another size",
    capability="size and length",
    sees="a pattern of equal things",
    truth="the place of the one that is larger, or smaller",
    source="ours, after Treisman and Gormican 1988: search for one of another size",
    graded="a smaller difference: 36, 26, 20 %, and more and smaller things",
    question="In which row and column is the {thing} that is {differs} than all others?" + ASKED,
    sample=Sizes,
    **odd_one_out(_cell),
)
