"""Grains of surfaces, made of noise: wood, cloth, tiles, metal, stone, plaster, rubber, bricks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from veridical.suite.nuisances import entropy
from veridical.suites.hocabench.physics.rendering.stage import Grain, Material

SIDE = 256
"""How wide and high a grain is, in px; it continues where it repeats."""
Tones = NDArray[np.float64]
"""By how much each pixel is lighter (or darker) than the color of its material, shape (SIDE, SIDE), about −1 to 1."""


def grain_pixels(material: Material, seed: int) -> NDArray[np.uint8]:
    """The surface of a material, shape (SIDE, SIDE, 3), uint8; the same seed gives the same pixels."""
    tones = _TONES[material.grain](np.random.default_rng(entropy(seed, material.grain)))
    color = np.array(material.color, float)
    lighter = np.where(tones[..., None] > 0, 255 - color, color)
    return np.asarray(np.clip(color + lighter * tones[..., None], 0, 255).round(), np.uint8)


def _noise(rng: np.random.Generator, across: int, down: int) -> Tones:
    """Smooth noise between −1 and 1 that repeats, from a lattice of so many cells."""
    lattice = rng.uniform(-1, 1, (down, across))
    lattice = np.concatenate([lattice, lattice[:1]])
    lattice = np.concatenate([lattice, lattice[:, :1]], 1)
    ys, xs = (np.arange(SIDE) / SIDE * count for count in (down, across))
    rows, columns = ys.astype(int), xs.astype(int)
    fy, fx = (_smooth(each - each.astype(int)) for each in (ys, xs))
    top = lattice[rows][:, columns] * (1 - fx) + lattice[rows][:, columns + 1] * fx
    below = lattice[rows + 1][:, columns] * (1 - fx) + lattice[rows + 1][:, columns + 1] * fx
    return np.asarray(top * (1 - fy[:, None]) + below * fy[:, None])


def _smooth(share: NDArray[np.float64]) -> NDArray[np.float64]:
    return share * share * (3 - 2 * share)


def _clouds(rng: np.random.Generator) -> Tones:
    octaves = [_noise(rng, 2**k, 2**k) / 1.7**k for k in range(2, 8)]
    return np.asarray(sum(octaves) / 1.2)


def _wood(rng: np.random.Generator) -> Tones:
    """Long rings along x, and fine pores."""
    ys = np.arange(SIDE)[:, None] / SIDE
    bent = ys + 0.11 * _noise(rng, 2, 4) + 0.02 * _noise(rng, 4, 16)
    rings = np.sin(2 * np.pi * 9 * bent)
    return np.asarray(0.13 * rings + 0.09 * _noise(rng, 4, 128) + 0.06 * _noise(rng, 1, 24) - 0.05)


def _cloth(rng: np.random.Generator) -> Tones:
    ys, xs = np.mgrid[:SIDE, :SIDE]
    weave = np.sin(2 * np.pi * xs / 8) * np.sin(2 * np.pi * ys / 8)
    return np.asarray(0.12 * weave + 0.06 * _noise(rng, 64, 64) + 0.06 * _noise(rng, 6, 6))


def _tiles(rng: np.random.Generator) -> Tones:
    ys, xs = np.mgrid[:SIDE, :SIDE]
    cell = SIDE // 4
    tones = rng.uniform(-0.12, 0.12, (4, 4))[ys // cell, xs // cell] + 0.04 * _clouds(rng)
    return np.where((ys % cell < 3) | (xs % cell < 3), -0.45, tones)


def _bricks(rng: np.random.Generator) -> Tones:
    ys, xs = np.mgrid[:SIDE, :SIDE]
    high, wide = SIDE // 8, SIDE // 4
    rows = ys // high
    moved = (xs + rows % 2 * (wide // 2)) % SIDE
    tones = rng.uniform(-0.16, 0.16, (8, 4))[rows, moved // wide] + 0.07 * _clouds(rng)
    return np.where((ys % high < 3) | (moved % wide < 3), 0.4 + 0.05 * _clouds(rng), tones)


def _metal(rng: np.random.Generator) -> Tones:
    return np.asarray(0.07 * _noise(rng, 2, 128) + 0.05 * _noise(rng, 4, 64) + 0.08 * _noise(rng, 1, 5))


def _stone(rng: np.random.Generator) -> Tones:
    specks = (rng.random((SIDE // 2, SIDE // 2)) > 0.86).repeat(2, 0).repeat(2, 1)
    return np.asarray(0.16 * _clouds(rng) - 0.16 * specks)


def _plaster(rng: np.random.Generator) -> Tones:
    return 0.07 * _clouds(rng) + 0.03 * _noise(rng, 96, 96)


def _rubber(rng: np.random.Generator) -> Tones:
    return 0.04 * _noise(rng, 64, 64) + 0.03 * _clouds(rng)


def _band(rng: np.random.Generator) -> Tones:
    """Rubber with a light band, by which one sees how a ball turns."""
    ys = np.arange(SIDE)[:, None] / SIDE
    return np.where(np.abs(ys - 0.5) < 0.13, 0.82, _rubber(rng))


def _plain(_: np.random.Generator) -> Tones:
    return np.zeros((SIDE, SIDE))


_TONES: dict[Grain, Callable[[np.random.Generator], Tones]] = {
    "wood": _wood,
    "cloth": _cloth,
    "tiles": _tiles,
    "metal": _metal,
    "stone": _stone,
    "plaster": _plaster,
    "rubber": _rubber,
    "band": _band,
    "bricks": _bricks,
    "plain": _plain,
}
