"""A letter hides among many that look much like it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from veridical.media.draw import Scene, Text, rasterise
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.gestalt import grid
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS, POPS
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, filled, names, place_of, replaced
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_PAIRS = (
    (("R", "B"), ("N", "M"), ("K", "X"), ("7", "1"), ("4", "9")),
    (("R", "P"), ("T", "I"), ("8", "3"), ("6", "9"), ("Y", "V")),
    (("Q", "O"), ("G", "C"), ("P", "F"), ("B", "8"), ("E", "F")),
)

_TAIL = 0.048
"""How far the tail of a Q moves the middle of its box below that of an O, in cells."""


@dataclass(frozen=True, slots=True)
class Search:
    """The nuisances: what is looked for, among what, and their color."""

    target: str
    crowd: str
    paint: str
    grid: Grid


def _sample(nuisances: Nuisances, grade: int) -> Search:
    target, crowd = nuisances.one_of(_PAIRS[grade - 1])
    return Search(
        target=target,
        crowd=crowd,
        paint=nuisances.one_of(list(PAINTS)),
        grid=grid.sampled(nuisances, grade),
    )


def _cell(base: Search, character: str, paint: str) -> Pixels:
    pitch = base.grid.pitch
    middle = pitch * (0.5 + (_TAIL if character == "Q" else 0.0))
    text = Text((pitch / 2, middle), character, 0.84 * pitch, PAINTS[paint].dark)
    return rasterise(Scene(pitch, pitch, base.grid.panel, (text,)))


@lru_cache(maxsize=2)
def _shared(base: Search) -> tuple[Pixels, dict[Variant, Pixels]]:
    """The grid with nothing hidden, and the cell to look for in both variants."""
    odd: dict[Variant, Pixels] = {
        "unusual": _cell(base, base.target, base.paint),
        "ordinary": _cell(base, base.target, POPS[base.paint]),
    }
    return filled(base.grid, _cell(base, base.crowd, base.paint)), odd


def _draw(base: Search, answer: str, variant: Variant) -> tuple[Pixels]:
    plain, odd = _shared(base)
    return (replaced(base.grid, plain, place_of(base.grid, answer), odd[variant]),)


LOOKALIKES = Puzzle(
    name="lookalikes",
    title="A letter among lookalikes",
    category="gestalt",
    capability="fine detail",
    sees="a field of equal characters",
    truth="the place of the one that is another character",
    source="ours, after Neisser 1963: search for a letter among similar ones",
    graded="characters that look more alike, and more and smaller ones",
    question='In which row and column is the character "{target}"?' + ASKED,
    sample=_sample,
    answers=lambda base: names(base.grid),
    draw=_draw,
    usual=lambda base, answer, variant: None,  # noqa: ARG005
    read=grid.read_replica,
)
