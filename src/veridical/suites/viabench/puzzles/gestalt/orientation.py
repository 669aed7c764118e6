"""Odd one out: all things in a grid point the same way, but one."""

from __future__ import annotations

from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.gestalt import drawings, glyphs
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, odd_one_out
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle

_THINGS = {"leaf": drawings.leaf, "fish": drawings.fish, "pencil": drawings.pencil, "rocket": drawings.rocket}
_TURNS = ((38.0, 50.0), (24.0, 32.0), (17.0, 21.0))


class Pointing(BaseItem):
    """The nuisances: what the things are, their color, their direction, and by how much one is turned, in degrees."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.thing = nuisances.one_of(list(_THINGS))
        self.paint = nuisances.one_of(list(PAINTS))
        self.degrees = nuisances.between(0, 360)
        self.turn = nuisances.between(*_TURNS[grade - 1]) * nuisances.one_of((-1, 1))
        self.grid = Grid(nuisances, grade)


def _cell(base: Pointing, paint: str, odd: bool) -> Pixels:
    parts, turn = _THINGS[base.thing](PAINTS[paint]), base.turn if odd else 0.0
    return glyphs.cell(parts, base.grid.pitch, base.grid.panel, 0.84, base.degrees + turn)


ORIENTED = Puzzle(
    name="oriented",
    title="One points another way",
    capability="shape and orientation",
    sees="a pattern of things that all point the same way",
    truth="the place of the one that is turned",
    source="ours, after Neisser 1963 and Treisman and Gelade 1980: search for one among many",
    graded="a smaller turn, and more and smaller things",
    question="In which row and column is the {thing} that points in another direction than all others?" + ASKED,
    sample=Pointing,
    **odd_one_out(_cell),
)
