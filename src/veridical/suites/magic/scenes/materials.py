"""How materials look on a thing of any color: what light does to each of its pixels."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.suites.magic.scenes.kinds.kind import Form

GLASS = "glass"
Shares = NDArray[np.uint16]
"""Shares in 256ths."""
_STEPS = 512
_TILE = 512
"""About the side of a piece of texture, in px."""
_PERIODS = (4, 5, 6, 7, 8, 10, 12, 14, 18, 24, 32, 44, 60)

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
        (0, 1, 0.03), (0.2, 1, 0.03), (0.21, 1, 0.6), (0.29, 1, 0.6), (0.3, 1, 0.03), (0.33, 1, 0.03), (0.34, 1, 0.45),
        (0.37, 1, 0.45), (0.38, 1, 0.03), (0.72, 1, 0.03), (0.73, 1, 0.4), (0.77, 1, 0.4), (0.78, 1, 0), (1, 1, 0),
    ),
    "round": (
        (0, 0.72, 0), (0.08, 0.95, 0.05), (0.15, 0.95, 0.05), (0.16, 1, 0.75), (0.24, 1, 0.75), (0.25, 1, 0.05),
        (0.79, 1, 0.05), (0.8, 1, 0.4), (0.84, 1, 0.4), (0.85, 0.95, 0), (0.92, 0.95, 0), (1, 0.7, 0),
    ),
    "ball": (
        (0, 1, 0.9), (0.14, 1, 0.9), (0.16, 1, 0.05), (0.74, 1, 0.05), (0.76, 1, 0.4), (0.84, 1, 0.4), (0.86, 0.85, 0),
        (1, 0.7, 0),
    ),
}  # fmt: skip
_LIGHTS: dict[str, dict[Form, _Light]] = {"wooden": _MATTE, "woven": _MATTE, "metal": _SHINY, GLASS: _CLEAR}
_THIN, _THICK = 0.4, 0.95
"""How deep the color of glass is, and along its rim: the power to which its color filters what lies behind it."""
_PASSED = 205
"""How much of the light comes from behind glass, in 256ths; the rest has the color of the glass, before any ground."""
_OUTLINE = 150
"""How dark the outline of a thing is, in 256ths of its color."""


def light_material(
    pixels: NDArray[np.uint8], behind: NDArray[np.uint8], body: NDArray[np.bool_], edge: NDArray[np.bool_],
    material: str, form: Form, offset: int,
) -> None:  # fmt: skip
    """Gives the pixels of a thing's box, shape (h, w, 3), the look of a material, in place.

    `behind` is the box without the thing, `body` where the material is, `edge` the outline, which is darker; `offset`
    is where the grain begins.
    """
    height, width = body.shape
    way = _way(form, height, width, slanted=material in ("metal", GLASS))
    left, white = (light[way] for light in _light(material, form))
    left = np.broadcast_to(left, body.shape)
    if material in ("wooden", "woven"):
        left = np.right_shift(left * _texture(material, height, width, offset), 8, dtype=np.uint16)
    inner = body & ~edge
    left = np.where(inner, left, np.where(edge, np.uint16(_OUTLINE), np.uint16(256)))
    white = np.where(inner, white, np.uint16(0))
    if material == GLASS:
        thick = ~erode(body, max(2, round(0.035 * min(height, width))))
        ground = pale_ground(behind)
    for channel in range(3):  # each apart, which is faster than all at once
        plane = pixels[..., channel]
        if material == GLASS:
            plane = np.where(inner, seen_through(plane, ground[..., channel], thick), plane)
        scaled = plane * left
        scaled >>= 8
        scaled += white
        pixels[..., channel] = scaled


def pale_ground(behind: NDArray[np.uint8]) -> Shares:
    """Colors, shape (…, 3), half as colorful: seen through glass, they hardly change what color the glass seems."""
    red, green, blue = (behind[..., channel].astype(np.uint16) for channel in range(3))
    light = (red + green + blue) // np.uint16(3)
    return np.stack([(each + light) >> 1 for each in (red, green, blue)], -1)


def seen_through(color: NDArray[np.uint8], behind: Shares, thick: NDArray[np.bool_]) -> Shares:
    """A channel of what is seen through glass of a color, `thick` or not, with a pale ground `behind` it."""
    passed = np.where(thick, _filter(_THICK)[color], _filter(_THIN)[color])
    passed *= behind
    passed >>= 8
    passed *= np.uint16(_PASSED)
    passed += color * np.uint16(256 - _PASSED)
    passed >>= 8
    return passed


@lru_cache(maxsize=2)
def _filter(depth: float) -> Shares:
    """How much of the light behind it glass lets through, by the channel of its color."""
    return np.rint(256 * (np.arange(256) / 255) ** depth).astype(np.uint16)


def erode(mask: NDArray[np.bool_], depth: int) -> NDArray[np.bool_]:
    """The pixels of a mask that are at least `depth` px from what is above, below, left and right of it.

    >>> erode(np.ones((3, 5), bool), 1).sum()
    np.int64(3)
    """
    inner = np.zeros_like(mask)
    middle, low, high = slice(depth, -depth), slice(None, -2 * depth), slice(2 * depth, None)
    inner[middle, middle] = mask[middle, middle] & mask[low, middle] & mask[high, middle] & mask[middle, low]
    inner[middle, middle] &= mask[middle, high]
    return inner


def _way(form: Form, height: int, width: int, *, slanted: bool) -> NDArray[np.intp]:
    """How far along the light each pixel lies, 0 to `_STEPS` − 1; its shape broadcasts to (height, width)."""
    across = (np.arange(width) + 0.5) / width
    down = ((np.arange(height) + 0.5) / height)[:, None]
    if form == "round":
        way = across[None]
    elif form == "ball":
        way = np.minimum(np.sqrt((across[None] - 0.36) ** 2 + (down - 0.32) ** 2) / 0.8, 1.0)
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
    fine = min(height, width) * (0.066 if material == "wooden" else 0.13)
    period = min(_PERIODS, key=lambda each: abs(each - fine))
    field = _FIELDS[material](period)
    side = len(field) // 2
    y, x = offset * 37 % side, offset * 101 % side
    if max(y + height, x + width) <= 2 * side:
        return field[y : y + height, x : x + width]
    return field[(np.arange(y, y + height) % side)[:, None], (np.arange(x, x + width) % side)[None]]


def _side(period: int) -> int:
    """The side of a piece of texture that continues itself: a whole number of pairs of periods."""
    return 2 * period * round(_TILE / (2 * period))


@lru_cache(maxsize=len(_PERIODS))
def _grain(period: int) -> Shares:
    """Wood: lines that wave along x, `period` px apart, and part around knots."""
    from scipy.ndimage import gaussian_filter

    side = _side(period)
    rng = np.random.default_rng(7)
    bend = gaussian_filter(rng.standard_normal((side, side)), (1.2 * period, 9 * period), mode="wrap")
    height = 0.4 * bend / bend.std()
    knots = np.zeros((side, side))
    at = np.arange(side)
    for x, y in rng.uniform(0, side, (round(side**2 / (160 * period**2)), 2)):
        across, down = (np.abs(at - place) for place in (x, y))
        across, down = (np.minimum(each, side - each) / period for each in (across, down))
        near = np.exp(-((down / 1.5) ** 2))[:, None] * np.exp(-((across / 3.2) ** 2))[None]
        height += 1.7 * near
        knots = np.maximum(knots, np.exp(-((down / 0.5) ** 2))[:, None] * np.exp(-((across / 0.9) ** 2))[None])
    lines = round(side / period / 1.6)
    dark = 0.5 + 0.5 * np.sin(2 * np.pi * (lines * at[:, None] / side + height))
    return _tiled(1 - 0.4 * np.maximum(dark**3, knots))


@lru_cache(maxsize=len(_PERIODS))
def _weave(period: int) -> Shares:
    """Wickerwork: pairs of strands, together `period` px wide, that go over and under each other."""
    at = (np.arange(_side(period)) + 0.5) / period
    block, along, strand = np.floor(at).astype(int), at % 1 * 2 - 1, 2 * at % 1 * 2 - 1
    across = 1 - 0.55 * np.abs(strand) ** 2.5
    bent = 1 - 0.4 * along**4
    level = (block[:, None] + block[None]) % 2 == 0
    return _tiled(np.where(level, across[:, None] * bent[None], 0.8 * bent[:, None] * across[None]))


_FIELDS = {"wooden": _grain, "woven": _weave}


def _tiled(share: NDArray[np.float64]) -> Shares:
    return np.tile(np.rint(255 * np.clip(share, 0, 1)).astype(np.uint16), (2, 2))
