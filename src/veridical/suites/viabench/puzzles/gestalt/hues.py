"""Odd one out: one thing has another hue, while lightness varies at random."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.gestalt import drawings, glyphs
from veridical.suites.viabench.puzzles.gestalt.glyphs import Paint
from veridical.suites.viabench.puzzles.gestalt.grid import (
    ASKED,
    Grid,
    cells_of,
    grid_picture,
    place_names,
    place_of,
    stands_out,
    with_cell,
)
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_THINGS = {"flower": drawings.flower, "button": drawings.button, "star": drawings.star}
_SHIFTS = (70.0, 52.0, 42.0)
_POP = 160.0
_LIGHTNESS = (0.58, 0.66, 0.74)
_CHROMA = 0.105
_TO_CONE = np.array(
    ((0.4122214708, 0.5363325363, 0.0514459929),
     (0.2119034982, 0.6806995451, 0.1073969566),
     (0.0883024619, 0.2817188376, 0.6299787005))
)  # fmt: skip
_TO_LAB = np.array(
    ((0.2104542553, 0.7936177850, -0.0040720468),
     (1.9779984951, -2.4285922050, 0.4505937099),
     (0.0259040371, 0.7827717662, -0.8086757660))
)  # fmt: skip
_LINEAR = (np.arange(256) / 255) ** 2.2


class Hues(BaseItem):
    """The nuisances: what the things are, their hue and by how much one differs, in degrees of OKLab."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.thing = nuisances.one_of(list(_THINGS))
        self.hue = nuisances.between(0, 360)
        self.shift = _SHIFTS[grade - 1] * nuisances.one_of((-1, 1))
        self.grid = Grid(nuisances, grade)
        self.scatter = nuisances.scatter()


def _color(lightness: float, hue: float) -> Colour:
    angle = math.radians(hue)
    lab = np.array((lightness, _CHROMA * math.cos(angle), _CHROMA * math.sin(angle)))
    linear = np.linalg.solve(_TO_CONE, np.linalg.solve(_TO_LAB, lab) ** 3)
    red, green, blue = np.rint(255 * np.clip(linear, 0, 1) ** (1 / 2.2)).astype(int).tolist()
    return red, green, blue


def _cell(base: Hues, lightness: float, hue: float) -> Pixels:
    paint = Paint(_color(lightness, hue), _color(lightness + 0.1, hue), _color(lightness - 0.14, hue))
    return glyphs.cell(_THINGS[base.thing](paint), base.grid.pitch, base.grid.panel, 0.82)


@lru_cache(maxsize=2)
def _shared(base: Hues) -> tuple[Pixels, NDArray[np.int64], dict[Variant, list[Pixels]]]:
    """The grid with nothing odd, the level of lightness of each cell, and the odd cell in both variants and levels."""
    levels = np.random.default_rng(base.scatter).integers(3, size=(base.grid.rows, base.grid.columns))
    plain = np.stack([_cell(base, lightness, base.hue) for lightness in _LIGHTNESS])
    odd: dict[Variant, list[Pixels]] = {
        "unusual": [_cell(base, lightness, base.hue + base.shift) for lightness in _LIGHTNESS],
        "ordinary": [_cell(base, lightness, base.hue + math.copysign(_POP, base.shift)) for lightness in _LIGHTNESS],
    }
    return grid_picture(base.grid, plain[levels]), levels, odd


def _draw(base: Hues, answer: str, variant: Variant) -> tuple[Pixels]:
    plain, levels, odd = _shared(base)
    place = place_of(base.grid, answer)
    return (with_cell(base.grid, plain, place, odd[variant][levels[place]]),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The place whose mean hue in OKLab differs."""
    cells = cells_of(pictures[0])
    if cells is None:
        return None
    some = cells[:, :, ::3, ::3]
    lab = np.cbrt(_LINEAR[some] @ _TO_CONE.T) @ _TO_LAB.T
    chroma = (lab[..., 1:] - lab[0, 0, 0, 0, 1:]).mean((2, 3))
    angles = np.arctan2(chroma[..., 1], chroma[..., 0])
    typical = math.atan2(float(np.median(np.sin(angles))), float(np.median(np.cos(angles))))
    return stands_out(np.abs(np.angle(np.exp(1j * (angles - typical)))), answers)


HUES = Puzzle(
    name="hues",
    title="One has another hue",
    category="gestalt",
    capability="color",
    sees="a pattern of things in lighter and darker shades of a color",
    truth="the place of the one with another hue",
    source="ours, after Treisman and Gelade 1980 and Callaghan 1984: hue among varied lightness",
    graded="a smaller difference of hue: 70, 52, 42 degrees, and more and smaller things",
    question=(
        "The {thing}s are lighter and darker shades of one color. "
        "In which row and column is the one {thing} of another color?" + ASKED
    ),
    sample=Hues,
    answers=lambda base: place_names(base.grid),
    draw=_draw,
    read=_read,
)
