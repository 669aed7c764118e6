"""Odd one out: all things in a grid point the same way, but one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.gestalt import drawings, glyphs, grid
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS, POPS
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, filled, names, place_of, replaced
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_THINGS = {"leaf": drawings.leaf, "fish": drawings.fish, "pencil": drawings.pencil, "rocket": drawings.rocket}
_TURNS = ((38.0, 50.0), (24.0, 32.0), (17.0, 21.0))


@dataclass(frozen=True, slots=True)
class Pointing:
    """The nuisances: what the things are, their color, their direction, and by how much one is turned, in degrees."""

    thing: str
    paint: str
    degrees: float
    turn: float
    grid: Grid


def _sample(nuisances: Nuisances, grade: int) -> Pointing:
    return Pointing(
        thing=nuisances.one_of(list(_THINGS)),
        paint=nuisances.one_of(list(PAINTS)),
        degrees=nuisances.between(0, 360),
        turn=nuisances.between(*_TURNS[grade - 1]) * nuisances.one_of((-1, 1)),
        grid=grid.sampled(nuisances, grade),
    )


def _cell(base: Pointing, paint: str, turn: float) -> Pixels:
    parts = _THINGS[base.thing](PAINTS[paint])
    return glyphs.cell(parts, base.grid.pitch, base.grid.panel, 0.84, base.degrees + turn)


@lru_cache(maxsize=2)
def _shared(base: Pointing) -> tuple[Pixels, dict[Variant, Pixels]]:
    """The grid with nothing odd, and the odd cell in both variants."""
    odd: dict[Variant, Pixels] = {
        "unusual": _cell(base, base.paint, base.turn),
        "ordinary": _cell(base, POPS[base.paint], base.turn),
    }
    return filled(base.grid, _cell(base, base.paint, 0)), odd


def _draw(base: Pointing, answer: str, variant: Variant) -> tuple[Pixels]:
    plain, odd = _shared(base)
    return (replaced(base.grid, plain, place_of(base.grid, answer), odd[variant]),)


ORIENTED = Puzzle(
    name="oriented",
    title="One points another way",
    category="gestalt",
    capability="shape and orientation",
    sees="a pattern of things that all point the same way",
    truth="the place of the one that is turned",
    source="ours, after Neisser 1963 and Treisman and Gelade 1980: search for one among many",
    graded="a smaller turn, and more and smaller things",
    question="In which row and column is the {thing} that points in another direction than all others?" + ASKED,
    sample=_sample,
    answers=lambda base: names(base.grid),
    draw=_draw,
    usual=lambda base, answer, variant: None,  # noqa: ARG005
    read=grid.read_replica,
)
