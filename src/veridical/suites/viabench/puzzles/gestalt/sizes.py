"""Odd one out: one thing is larger or smaller than all others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.gestalt import drawings, glyphs, grid
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS, POPS
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, filled, names, place_of, replaced
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_THINGS = {"flower": drawings.flower, "button": drawings.button, "star": drawings.star, "doughnut": drawings.donut}
_RATIOS = (1.36, 1.26, 1.2)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The nuisances: what the things are, their color, and how large the others and the odd one are, in cells."""

    thing: str
    paint: str
    scale: float
    odd_scale: float
    differs: str
    grid: Grid


def _sample(nuisances: Nuisances, grade: int) -> Sizes:
    low, ratio = nuisances.between(0.62, 0.68), _RATIOS[grade - 1]
    larger = nuisances.one_of((True, False))
    return Sizes(
        thing=nuisances.one_of(list(_THINGS)),
        paint=nuisances.one_of(list(PAINTS)),
        scale=low if larger else low * ratio,
        odd_scale=low * ratio if larger else low,
        differs="larger" if larger else "smaller",
        grid=grid.sampled(nuisances, grade),
    )


def _cell(base: Sizes, paint: str, scale: float) -> Pixels:
    return glyphs.cell(_THINGS[base.thing](PAINTS[paint]), base.grid.pitch, base.grid.panel, scale)


@lru_cache(maxsize=2)
def _shared(base: Sizes) -> tuple[Pixels, dict[Variant, Pixels]]:
    """The grid with nothing odd, and the odd cell in both variants."""
    odd: dict[Variant, Pixels] = {
        "unusual": _cell(base, base.paint, base.odd_scale),
        "ordinary": _cell(base, POPS[base.paint], base.odd_scale),
    }
    return filled(base.grid, _cell(base, base.paint, base.scale)), odd


def _draw(base: Sizes, answer: str, variant: Variant) -> tuple[Pixels]:
    plain, odd = _shared(base)
    return (replaced(base.grid, plain, place_of(base.grid, answer), odd[variant]),)


SIZES = Puzzle(
    name="sizes",
    title="One has another size",
    category="gestalt",
    capability="size and length",
    sees="a pattern of equal things",
    truth="the place of the one that is larger, or smaller",
    source="ours, after Treisman and Gormican 1988: search for one of another size",
    graded="a smaller difference: 36, 26, 20 %, and more and smaller things",
    question="In which row and column is the {thing} that is {differs} than all others?" + ASKED,
    sample=_sample,
    answers=lambda base: names(base.grid),
    draw=_draw,
    usual=lambda base, answer, variant: None,  # noqa: ARG005
    read=grid.read_replica,
)
