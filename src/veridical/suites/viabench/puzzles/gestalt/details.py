"""Odd one out: one little picture lacks a detail that all others have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.gestalt import drawings, glyphs, grid
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS, POPS
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, filled, names, place_of, replaced
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_THINGS = {
    "beetle": (drawings.beetle, "spot"),
    "toadstool": (drawings.mushroom, "dot"),
    "house": (drawings.house, "window"),
    "cat": (drawings.cat, "whisker"),
}
_OF_GRADE = (("house", "beetle"), ("beetle", "toadstool", "house"), ("toadstool", "cat", "beetle"))


@dataclass(frozen=True, slots=True)
class Details:
    """The nuisances: what the things are, what one of them lacks, and their color."""

    thing: str
    detail: str
    paint: str
    grid: Grid


def _sample(nuisances: Nuisances, grade: int) -> Details:
    thing = nuisances.one_of(_OF_GRADE[grade - 1])
    return Details(
        thing=thing,
        detail=_THINGS[thing][1],
        paint=nuisances.one_of(list(PAINTS)),
        grid=grid.sampled(nuisances, grade),
    )


def _cell(base: Details, paint: str, *, whole: bool) -> Pixels:
    parts = _THINGS[base.thing][0](PAINTS[paint], whole=whole)
    return glyphs.cell(parts, base.grid.pitch, base.grid.panel, 0.86)


@lru_cache(maxsize=2)
def _shared(base: Details) -> tuple[Pixels, dict[Variant, Pixels]]:
    """The grid with nothing odd, and the odd cell in both variants."""
    odd: dict[Variant, Pixels] = {
        "unusual": _cell(base, base.paint, whole=False),
        "ordinary": _cell(base, POPS[base.paint], whole=False),
    }
    return filled(base.grid, _cell(base, base.paint, whole=True)), odd


def _draw(base: Details, answer: str, variant: Variant) -> tuple[Pixels]:
    plain, odd = _shared(base)
    return (replaced(base.grid, plain, place_of(base.grid, answer), odd[variant]),)


DETAILS = Puzzle(
    name="details",
    title="One lacks a detail",
    category="gestalt",
    capability="fine detail",
    sees="the same little picture again and again",
    truth="the place of the one that lacks a detail",
    source="ours, after the paper's Appendix A: the odd one out in a repeated pattern",
    graded="a smaller detail, and more and smaller things",
    question="In which row and column is the {thing} that has one {detail} fewer than all others?" + ASKED,
    sample=_sample,
    answers=lambda base: names(base.grid),
    draw=_draw,
    usual=lambda base, answer, variant: None,  # noqa: ARG005
    read=grid.read_replica,
)
