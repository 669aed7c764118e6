"""Odd one out: Landolt rings, one of which is closed or has its gap on another side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.gestalt import glyphs, grid
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS, POPS, Fill, Part, oval
from veridical.suites.viabench.puzzles.gestalt.grid import (
    ASKED,
    Grid,
    filled,
    names,
    place_of,
    replaced,
    stands_out,
    taken_apart,
)
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_GAPS = (62.0, 46.0, 34.0)
_TURNS = (180.0, 90.0, 45.0)
_KINDS = {"closed": "that has no gap", "turned": "whose gap is on another side than in all others"}


@dataclass(frozen=True, slots=True)
class Rings:
    """The nuisances: what is odd, the gap's width and direction and by how much the odd one is turned, in degrees."""

    kind: str
    which: str
    paint: str
    gap: float
    degrees: float
    turn: float
    thickness: float
    grid: Grid
    scatter: int


def _sample(nuisances: Nuisances, grade: int) -> Rings:
    kind = nuisances.one_of(list(_KINDS))
    return Rings(
        kind=kind,
        which=_KINDS[kind],
        paint=nuisances.one_of(list(PAINTS)),
        gap=_GAPS[grade - 1],
        degrees=45.0 * nuisances.one_of(range(8)),
        turn=_TURNS[grade - 1] * nuisances.one_of((-1, 1)),
        thickness=nuisances.between(0.18, 0.22),
        grid=grid.sampled(nuisances, grade),
        scatter=nuisances.scatter(),
    )


def _cell(base: Rings, paint: str, degrees: float | None) -> Pixels:
    half, inner = (base.gap / 2 if degrees is not None else 0.0), 1 - 2 * base.thickness
    outline = np.concatenate([oval(0, 0, 1, 1, half, 360 - half), oval(0, 0, inner, inner, 360 - half, half)])
    lit = oval(0, 0, 0.94, 0.94, half + 4, 356 - half)
    shine = np.concatenate([lit, oval(0, 0, 0.84, 0.84, 356 - half, half + 4)])
    shade = PAINTS[paint]
    parts: list[Part] = [Fill(outline, shade.body)]
    if degrees is not None:
        parts.append(Fill(shine, shade.light))
    else:
        parts.append(Fill(np.concatenate([oval(0, 0, 0.94, 0.94), oval(0, 0, 0.84, 0.84, 360, 0)]), shade.light))
    return glyphs.cell(parts, base.grid.pitch, base.grid.panel, 0.72, degrees or 0.0)


@lru_cache(maxsize=2)
def _shared(base: Rings) -> tuple[Pixels, dict[Variant, Pixels]]:
    """The grid with nothing odd, and the odd cell in both variants."""
    if base.kind == "closed":
        rng, shape = np.random.default_rng(base.scatter), (base.grid.rows, base.grid.columns)
        every = np.stack([_cell(base, base.paint, 45.0 * k) for k in range(8)])[rng.integers(8, size=shape)]
        plain, direction = filled(base.grid, every), None
    else:
        plain, direction = filled(base.grid, _cell(base, base.paint, base.degrees)), base.degrees + base.turn
    return plain, {
        "unusual": _cell(base, base.paint, direction),
        "ordinary": _cell(base, POPS[base.paint], direction),
    }


def _draw(base: Rings, answer: str, variant: Variant) -> tuple[Pixels]:
    plain, odd = _shared(base)
    return (replaced(base.grid, plain, place_of(base.grid, answer), odd[variant]),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The place with more ink than the others, else the one whose cell is not like the others."""
    cells = taken_apart(pictures[0])
    if cells is None:
        return None
    ink = (cells != cells[0, 0, 0, 0]).any(4).mean((2, 3))
    return stands_out(ink, answers) or grid.read_replica(pictures, answers)


GAPS = Puzzle(
    name="gaps",
    title="One ring has another gap",
    category="gestalt",
    capability="fine detail",
    sees="a pattern of open rings",
    truth="the place of the ring that is closed, or open on another side",
    source="Landolt 1888; ours, after Treisman and Gormican 1988: search among rings with gaps",
    graded="a narrower gap, a smaller turn of it, and more and smaller rings",
    question="In which row and column is the ring {which}?" + ASKED,
    sample=_sample,
    answers=lambda base: names(base.grid),
    draw=_draw,
    usual=lambda base, answer, variant: None,  # noqa: ARG005
    read=_read,
)
