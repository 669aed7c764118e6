"""How materials look on a thing of any color: what light does to each of its pixels."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.suites.magic.scenes.kinds.kind import Form

Shares = NDArray[np.uint16]
"""Shares in 256ths."""
_STEPS = 512
_TILE = 512
_PERIODS = (4, 5, 6, 7, 8, 10, 12, 14, 18, 24, 32)

# Along the way of the light over a thing, 0 to 1: what is left of the color, and how much white is added.
_Light = tuple[tuple[float, float, float], ...]
_MATTE: dict[Form, _Light] = {
    "flat": ((0, 1, 0.05), (0.4, 1, 0), (1, 0.86, 0)),
    "round": ((0, 0.8, 0), (0.12, 0.92, 0), (0.3, 1, 0.12), (0.45, 1, 0), (0.7, 0.86, 0), (1, 0.64, 0)),
    "ball": ((0, 1, 0.2), (0.2, 1, 0.05), (0.5, 0.92, 0), (0.8, 0.75, 0), (1, 0.6, 0)),
}
_SHINY: dict[Form, _Light] = {
    "flat": (
        (0, 0.72, 0), (0.14, 1, 0.1), (0.2, 1, 0.62), (0.25, 1, 0.62), (0.3, 1, 0.08), (0.46, 0.72, 0),
        (0.6, 0.66, 0), (0.66, 0.95, 0.15), (0.69, 1, 0.5), (0.72, 0.95, 0.12), (0.84, 0.7, 0), (1, 0.62, 0),
    ),
    "round": (
        (0, 0.5, 0), (0.08, 0.62, 0), (0.17, 1, 0.2), (0.22, 1, 0.8), (0.3, 1, 0.8), (0.37, 1, 0.15), (0.5, 0.72, 0),
        (0.66, 0.5, 0), (0.76, 0.58, 0), (0.84, 1, 0.2), (0.88, 1, 0.45), (0.92, 0.9, 0.1), (1, 0.5, 0),
    ),
    "ball": (
        (0, 1, 0.95), (0.1, 1, 0.85), (0.2, 1, 0.2), (0.4, 0.85, 0), (0.6, 0.5, 0), (0.72, 0.52, 0), (0.82, 1, 0.3),
        (0.9, 0.9, 0.1), (1, 0.6, 0),
    ),
}  # fmt: skip
_CLEAR: dict[Form, _Light] = {
    "flat": (
        (0, 1, 0.06), (0.2, 1, 0.06), (0.21, 1, 0.6), (0.29, 1, 0.6), (0.3, 1, 0.1), (0.33, 1, 0.1), (0.34, 1, 0.45),
        (0.37, 1, 0.45), (0.38, 1, 0.06), (0.72, 1, 0.04), (0.73, 1, 0.4), (0.77, 1, 0.4), (0.78, 1, 0), (1, 0.96, 0),
    ),
    "round": (
        (0, 0.72, 0), (0.1, 0.92, 0), (0.15, 1, 0.04), (0.16, 1, 0.75), (0.24, 1, 0.75), (0.25, 1, 0.16),
        (0.6, 1, 0.12), (0.79, 0.96, 0), (0.8, 1, 0.35), (0.84, 1, 0.35), (0.85, 0.92, 0), (1, 0.68, 0),
    ),
    "ball": (
        (0, 1, 0.9), (0.14, 1, 0.9), (0.16, 1, 0.14), (0.55, 1, 0.1), (0.74, 0.9, 0), (0.76, 1, 0.4), (0.82, 1, 0.4),
        (0.84, 0.85, 0), (1, 0.62, 0),
    ),
}  # fmt: skip
_LIGHTS: dict[str, dict[Form, _Light]] = {"wooden": _MATTE, "woven": _MATTE, "metal": _SHINY, "glass": _CLEAR}
_TINT = 222
"""How much glass colors what lies behind it, in 256ths; the rest passes as it is."""
_OUTLINE = 150
"""How dark the outline of a thing is, in 256ths of its color."""


def lit(
    pixels: NDArray[np.uint8], behind: NDArray[np.uint8], body: NDArray[np.bool_], edge: NDArray[np.bool_],
    material: str, form: Form, offset: int,
) -> None:  # fmt: skip
    """Gives the pixels of a thing's box, shape (h, w, 3), the look of a material, in place.

    `behind` is the box without the thing, `body` where the material is, `edge` the outline, which is darker; `offset`
    is where the grain begins.
    """
    height, width = body.shape
    way = _way(form, height, width, slanted=material in ("metal", "glass"))
    left, white = (light[way] for light in _light(material, form))
    left = np.broadcast_to(left, body.shape)
    if material in ("wooden", "woven"):
        left = (left * _texture(material, height, width, offset)) >> np.uint16(8)
    scaled = pixels.astype(np.uint16)
    if material == "glass":
        back = behind.astype(np.uint16)
        clear = (scaled * (back + np.uint16(1)) >> 8) * np.uint16(_TINT) + back * np.uint16(256 - _TINT)
        np.copyto(scaled, clear >> 8, where=(body & ~edge)[..., None])
    left = np.where(body, left, np.uint16(256))
    left[edge] = left[edge] * np.uint16(_OUTLINE) >> 8
    scaled *= left[..., None]
    scaled >>= 8
    scaled += np.where(body & ~edge, white, np.uint16(0))[..., None]
    pixels[...] = scaled


def _way(form: Form, height: int, width: int, *, slanted: bool) -> NDArray[np.intp]:
    """How far along the light each pixel lies, 0 to `_STEPS` − 1; its shape broadcasts to (height, width)."""
    across = (np.arange(width) + 0.5) / width
    down = ((np.arange(height) + 0.5) / height)[:, None]
    if form == "round":
        way = across[None]
    elif form == "ball":
        way = np.sqrt((across[None] - 0.36) ** 2 + (down - 0.32) ** 2) / 0.86
    elif slanted:
        share = width / (width + 0.5 * height)
        way = share * across[None] + (1 - share) * (1 - down)
    else:
        way = down
    return np.asarray(way * (_STEPS - 1), np.intp)


@lru_cache(maxsize=64)
def _light(material: str, form: Form) -> tuple[Shares, Shares]:
    at, left, white = np.array(_LIGHTS[material][form], float).T
    steps = np.linspace(0, 1, _STEPS)
    white = np.interp(steps, at, white)
    return (
        np.rint(256 * (1 - white) * np.interp(steps, at, left)).astype(np.uint16),
        np.rint(255 * white).astype(np.uint16),
    )


def _texture(material: str, height: int, width: int, offset: int) -> Shares:
    fine = min(height, width) * (0.085 if material == "wooden" else 0.13)
    period = min(_PERIODS, key=lambda each: abs(each - fine))
    field = _FIELDS[material](period)
    y, x = offset * 37 % (_TILE - 1), offset * 101 % (_TILE - 1)
    y, x = min(y, 2 * _TILE - height), min(x, 2 * _TILE - width)
    return field[y : y + height, x : x + width]


@lru_cache(maxsize=16)
def _grain(period: int) -> Shares:
    """Wood: lines that wave along x, `period` px apart, over fine streaks."""
    from scipy.ndimage import gaussian_filter

    rng = np.random.default_rng(7)
    rough = rng.standard_normal((3, _TILE, _TILE))
    bend = gaussian_filter(rough[0], (1.2 * period, 9 * period), mode="wrap")
    fine = gaussian_filter(rough[1], (0.08 * period, 4 * period), mode="wrap")
    lines = round(_TILE / period / 1.6)
    rows = np.arange(_TILE)[:, None] / _TILE
    phase = 2 * np.pi * lines * rows + 2.6 * bend / bend.std()
    dark = 0.5 + 0.5 * np.sin(phase)
    share = 1 - 0.36 * dark**3 - 0.05 * np.clip(fine / fine.std(), -1, 2)
    return _tiled(share)


@lru_cache(maxsize=16)
def _weave(period: int) -> Shares:
    """Wickerwork: pairs of strands, together `period` px wide, that go over and under each other."""
    at = (np.arange(_TILE) + 0.5) / period
    block, along, strand = np.floor(at).astype(int), at % 1 * 2 - 1, 2 * at % 1 * 2 - 1
    across = 1 - 0.55 * np.abs(strand) ** 2.5
    bent = 1 - 0.4 * along**4
    level = (block[:, None] + block[None]) % 2 == 0
    return _tiled(np.where(level, across[:, None] * bent[None], 0.8 * bent[:, None] * across[None]))


_FIELDS = {"wooden": _grain, "woven": _weave}


def _tiled(share: NDArray[np.float64]) -> Shares:
    return np.tile(np.rint(255 * np.clip(share, 0, 1)).astype(np.uint16), (2, 2))
