"""Reading back from pixels what a thing looks like: its color, and its material where simple measures decide."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.suites.magic.scenes.kinds import PALETTE
from veridical.suites.magic.scenes.layout import PlacedThing
from veridical.suites.magic.scenes.materials import GLASS, erode, pale_ground, seen_through
from veridical.suites.magic.scenes.paint import body_of

_SHADES, _WHITES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0), (0.0, 0.1, 0.2, 0.32)
_GROUNDS = np.array([(240, 238, 234), (222, 200, 172), (206, 206, 204), (176, 160, 140), (150, 148, 144)], np.uint8)
"""Colors of what may stand behind glass: pale and darker walls, floors and table tops."""
_LIGHT, _PALE = 205, 0.28
"""The light behind glass as a rule, and how much more saturated than before it glass is at most, as a share of the way
to its plain color."""
_SAMPLE, _LEAST = 200, 24
_FAR = 60.0
_HEIGHT = 480
"""The height in px of pictures that materials are measured in: larger ones are sampled, smaller ones are too coarse."""


class Look(NamedTuple):
    """The color of a thing, and its material; `None` where the measures leave doubt."""

    color: str
    material: str | None


def shows(pixels: NDArray[np.uint8], thing: PlacedThing) -> Look | None:
    """The color and material that pixels, shape (height, width, 3), show where a thing of this kind and box stands.

    Only the thing's kind and box are used. `None` where its box reaches beyond the picture, or shows too little of it.
    """
    x0, y0, x1, y1 = thing.box
    height, width, _ = pixels.shape
    if not (0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height):
        return None
    body = body_of(thing.kind, x1 - x0, y1 - y0)
    inner = next((each for depth in (2, 1) if (each := erode(body, depth)).sum() >= _LEAST), None)
    if inner is None:
        return None
    region = pixels[y0:y1, x0:x1]
    color = _color(region[inner])
    if height < _HEIGHT:
        return Look(color, None)
    step = round(height / _HEIGHT)
    light = region[::step, ::step].mean(-1) / np.mean(PALETTE[color])
    if _is_clear(region[inner], color):
        return Look(color, GLASS)
    return Look(color, _material(light, inner[::step, ::step]))


def _is_clear(seen: NDArray[np.uint8], color: str) -> bool:
    """Whether pixels are as pale as glass of this color: what is seen through it is less saturated than the glass."""
    plain = np.array(PALETTE[color], np.uint8)
    through = seen_through(plain, np.full(3, _LIGHT, np.uint16), np.zeros(3, bool))
    median, glass, full = (float(np.median(_saturation(each))) for each in (seen, through, plain))
    return median < glass + _PALE * (full - glass)


def _saturation(pixels: NDArray[np.uint8] | NDArray[np.uint16]) -> NDArray[np.float64]:
    """The saturation of colors (HSV), 0 to 1."""
    highest = pixels.max(-1).astype(float)
    return np.asarray((highest - pixels.min(-1)) / np.maximum(highest, 1))


@lru_cache(maxsize=1)
def _shaded() -> NDArray[np.float64]:
    """Every color in shade, with a shine, and as glass before each ground, shape (colors, appearances, 3)."""
    colors = np.array(list(PALETTE.values()), np.uint8)
    shades, whites = np.array(_SHADES)[:, None, None], np.array(_WHITES)[:, None]
    solid = colors[:, None, None] * shades * (1 - whites) + 255 * whites
    grounds = pale_ground(_GROUNDS)
    glass = seen_through(colors[:, None], grounds, np.zeros((len(colors), len(grounds), 3), bool))
    return np.concatenate([solid.reshape(len(PALETTE), -1, 3), glass.astype(float)], axis=1)


def _color(seen: NDArray[np.uint8]) -> str:
    """The color whose shades and shines are nearest to the pixels, each as far off as `_FAR` at most."""
    sample = seen[:: max(1, len(seen) // _SAMPLE)].astype(float)
    looks = _shaded()
    square = (sample**2).sum(-1)[:, None] - 2 * sample @ looks.reshape(-1, 3).T + (looks**2).sum(-1).ravel()
    nearest = square.reshape(len(sample), *looks.shape[:2]).min(-1)
    error = np.minimum(np.sqrt(np.maximum(nearest, 0)), _FAR).mean(0)
    return tuple(PALETTE)[int(error.argmin())]


def _material(light: NDArray[np.float64], inner: NDArray[np.bool_]) -> str | None:
    """What is not glass: wood varies downwards, wickerwork in both ways, metal has ramps of light.

    `light` is 1 where it is that of the plain color. Measures are shares of its median: steps between neighbors, mean
    and median, across and down, and the median step over a thirty-second of the width.
    """
    stride = max(1, light.shape[1] // 32)
    median = float(np.median(light[inner]))
    across = np.abs(np.diff(light, axis=1))[inner[:, 1:] & inner[:, :-1]] / median
    down = np.abs(np.diff(light, axis=0))[inner[1:] & inner[:-1]] / median
    ramp = np.abs(light[:, stride:] - light[:, :-stride])[inner[:, stride:] & inner[:, :-stride]] / median
    if min(across.size, down.size, ramp.size) < _LEAST:
        return None
    mean_across, mean_down = float(across.mean()), float(down.mean())
    mid_across, mid_down, mid_ramp = (float(np.median(each)) for each in (across, down, ramp))
    if mean_down > max(1.8 * mean_across, 0.03) and mid_down > 0.006:
        return "wooden" if mid_down > 0.022 and mid_across < 0.05 and mean_down > 2.1 * mean_across else None
    bright, dark = float(np.percentile(light[inner], 90)), float((light[inner] < 0.72).mean())
    if min(mid_across, mid_down) > 0.025 and min(mean_across, mean_down) > 0.04 and bright < 1.3:
        return "woven" if min(mid_across, mid_down) > 0.055 and bright < 1.15 and dark > 0.4 else None
    if mid_ramp > 0.05 or (mid_ramp > 0.02 and dark > 0.2 and mid_across > 0.004):
        return "metal" if mid_down < 0.035 and mid_across > 0.008 else None
    return None
