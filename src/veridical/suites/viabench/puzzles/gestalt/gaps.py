"""Odd one out: Landolt rings, one of which is closed or has its gap on another side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.gestalt import glyphs
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS, Fill, oval
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, cells_of, odd_one_out, read_replica, stands_out
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle

_GAPS = (62.0, 46.0, 34.0)
_TURNS = (180.0, 90.0, 45.0)
_KINDS = {"closed": "that has no gap", "turned": "whose gap is on another side than in all others"}


class Rings(BaseItem):
    """The nuisances: what is odd, the gap's width and direction and by how much the odd one is turned, in degrees."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.kind = nuisances.one_of(list(_KINDS))
        self.which = _KINDS[self.kind]
        self.paint = nuisances.one_of(list(PAINTS))
        self.gap = _GAPS[grade - 1]
        self.degrees = 45.0 * nuisances.one_of(range(8))
        self.turn = _TURNS[grade - 1] * nuisances.one_of((-1, 1))
        self.thickness = nuisances.between(0.18, 0.22)
        self.grid = Grid(nuisances, grade)
        self.scatter = nuisances.scatter()


def _ring(base: Rings, paint: str, degrees: float | None) -> Pixels:
    half, inner = (base.gap / 2 if degrees is not None else 0.0), 1 - 2 * base.thickness
    outline = np.concatenate([oval(0, 0, 1, 1, half, 360 - half), oval(0, 0, inner, inner, 360 - half, half)])
    lit = oval(0, 0, 0.94, 0.94, half + 4, 356 - half)
    shine = np.concatenate([lit, oval(0, 0, 0.84, 0.84, 356 - half, half + 4)])
    shade = PAINTS[paint]
    if degrees is None:
        shine = np.concatenate([oval(0, 0, 0.94, 0.94), oval(0, 0, 0.84, 0.84, 360, 0)])
    return glyphs.cell(
        [Fill(outline, shade.body), Fill(shine, shade.light)], base.grid.pitch, base.grid.panel, 0.72, degrees or 0.0
    )


def _cell(base: Rings, paint: str, odd: bool) -> Pixels:
    degrees = base.degrees + base.turn if odd else base.degrees
    return _ring(base, paint, None if odd and base.kind == "closed" else degrees)


def _crowd(base: Rings) -> Pixels:
    """The others, whose gaps lie on any side where one ring has none."""
    if base.kind != "closed":
        return _cell(base, base.paint, False)
    rng, shape = np.random.default_rng(base.scatter), (base.grid.rows, base.grid.columns)
    return np.stack([_ring(base, base.paint, 45.0 * k) for k in range(8)])[rng.integers(8, size=shape)]


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The place with more ink than the others, else the one whose cell is not like the others."""
    cells = cells_of(pictures[0])
    if cells is None:
        return None
    ink = (cells != cells[0, 0, 0, 0]).any(4).mean((2, 3))
    return stands_out(ink, answers) or read_replica(pictures, answers)


GAPS = Puzzle(
    name="gaps",
    title="One ring has another gap",
    capability="fine detail",
    sees="a pattern of open rings",
    truth="the place of the ring that is closed, or open on another side",
    source="Landolt 1888; ours, after Treisman and Gormican 1988: search among rings with gaps",
    graded="a narrower gap, a smaller turn of it, and more and smaller rings",
    question="In which row and column is the ring {which}?" + ASKED,
    sample=Rings,
    **odd_one_out(_cell, crowd=_crowd, read=_read),
)
