"""Odd one out: one letter among many is drawn mirror-reversed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from veridical.media.draw import Polygon, Scene, Text, rasterise
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.gestalt import grid
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS, POPS
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, filled, names, place_of, replaced, rounded
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_LETTERS = (("F", "R", "4", "G"), ("K", "E", "P", "5", "7"), ("S", "Z", "N", "2"))


@dataclass(frozen=True, slots=True)
class Letters:
    """The nuisances: the letter, its color, and whether each stands on a tile of its own."""

    letter: str
    paint: str
    tiled: bool
    grid: Grid


def _sample(nuisances: Nuisances, grade: int) -> Letters:
    return Letters(
        letter=nuisances.one_of(_LETTERS[grade - 1]),
        paint=nuisances.one_of(list(PAINTS)),
        tiled=nuisances.one_of((True, False)),
        grid=grid.sampled(nuisances, grade),
    )


def _cell(base: Letters, paint: str) -> Pixels:
    pitch, shade = base.grid.pitch, PAINTS[paint]
    items: list[Polygon | Text] = []
    middle = pitch / 2
    if base.tiled:
        low, high, corner = 0.07 * pitch, 0.93 * pitch, 0.16 * pitch
        items = [
            Polygon(rounded(low, low + 0.02 * pitch, high, high + 0.03 * pitch, corner), shade.dark),
            Polygon(rounded(low, low, high, high - 0.02 * pitch, corner), shade.body),
        ]
        middle -= 0.01 * pitch
    color = (255, 255, 255) if base.tiled else shade.dark
    items.append(Text((pitch / 2, middle), base.letter, (0.66 if base.tiled else 0.86) * pitch, color))
    return rasterise(Scene(pitch, pitch, base.grid.panel, tuple(items)))


@lru_cache(maxsize=2)
def _shared(base: Letters) -> tuple[Pixels, dict[Variant, Pixels]]:
    """The grid with nothing odd, and the odd cell in both variants."""
    plain = _cell(base, base.paint)
    return filled(base.grid, plain), {"unusual": plain[:, ::-1], "ordinary": _cell(base, POPS[base.paint])[:, ::-1]}


def _draw(base: Letters, answer: str, variant: Variant) -> tuple[Pixels]:
    plain, odd = _shared(base)
    return (replaced(base.grid, plain, place_of(base.grid, answer), odd[variant]),)


MIRRORED = Puzzle(
    name="mirrored",
    title="One is mirrored",
    category="gestalt",
    capability="shape and orientation",
    sees="a field of equal characters",
    truth="the place of the one that is mirror-reversed",
    source="ours, after Neisser 1963 and Frith 1974: search among mirrored letters",
    graded="characters that differ less from their mirror image, and more and smaller ones",
    question='In which row and column is the "{letter}" that is the wrong way round, as in a mirror?' + ASKED,
    sample=_sample,
    answers=lambda base: names(base.grid),
    draw=_draw,
    usual=lambda base, answer, variant: None,  # noqa: ARG005
    read=grid.read_replica,
)
