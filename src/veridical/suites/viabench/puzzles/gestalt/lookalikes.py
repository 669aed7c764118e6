"""A letter hides among many that look much like it."""

from __future__ import annotations

from veridical.media.draw import Scene, TextLine, rasterise
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, odd_one_out
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle

_PAIRS = (
    (("R", "B"), ("N", "M"), ("K", "X"), ("7", "1"), ("4", "9")),
    (("R", "P"), ("T", "I"), ("8", "3"), ("6", "9"), ("Y", "V")),
    (("Q", "O"), ("G", "C"), ("P", "F"), ("B", "8"), ("E", "F")),
)

_TAIL = 0.048
"""How far the tail of a Q moves the middle of its box below that of an O, in cells."""


class Search(BaseItem):
    """The nuisances: what is looked for, among what, and their color."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.target, self.crowd = nuisances.one_of(_PAIRS[grade - 1])
        self.paint = nuisances.one_of(list(PAINTS))
        self.grid = Grid(nuisances, grade)


def _cell(base: Search, paint: str, odd: bool) -> Pixels:
    character, pitch = base.target if odd else base.crowd, base.grid.pitch
    middle = pitch * (0.5 + (_TAIL if character == "Q" else 0.0))
    text = TextLine((pitch / 2, middle), character, 0.84 * pitch, PAINTS[paint].dark)
    return rasterise(Scene(pitch, pitch, base.grid.panel, (text,)))


LOOKALIKES = Puzzle(
    name="lookalikes",
    title="A letter among lookalikes",
    capability="fine detail",
    sees="a field of equal characters",
    truth="the place of the one that is another character",
    source="ours, after Neisser 1963: search for a letter among similar ones",
    graded="characters that look more alike, and more and smaller ones",
    question='In which row and column is the character "{target}"?' + ASKED,
    sample=Search,
    **odd_one_out(_cell),
)
