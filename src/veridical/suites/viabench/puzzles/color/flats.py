"""Colors of CIE L*C*h, and reading two labeled targets of flat color."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from veridical.media.draw import TextLine
from veridical.media.draw.colour import from_linear, to_linear
from veridical.media.draw.scene import Colour, Point
from veridical.suites.viabench.puzzles.puzzle import Pixels

_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_FROM_XYZ = np.linalg.inv(_TO_XYZ)
_WHITE = _TO_XYZ.sum(1)
_KNEE = 6 / 29


def lch(lightness: float, chroma: float, hue: float) -> Colour:
    """The 8-bit sRGB color of an L* in [0, 100], a chroma, and a hue angle in degrees; its chroma shrinks to fit sRGB.

    >>> lch(50, 0, 0)
    (119, 119, 119)
    """
    for part in np.linspace(1, 0, 21):
        light = _linear(lightness, part * chroma, hue)
        if light.min() >= -0.001 and light.max() <= 1.001:
            break
    red, green, blue = np.rint(from_linear(np.clip(light, 0, 1))).astype(int).tolist()
    return red, green, blue


def to_lab(srgb: ArrayLike) -> NDArray[np.float64]:
    """L*, a* and b* of 8-bit sRGB colors, shape (..., 3).

    >>> np.round(to_lab((255, 0, 0))).tolist()
    [53.0, 80.0, 67.0]
    """
    ratio = to_linear(srgb) @ _TO_XYZ.T / _WHITE
    curve = np.where(ratio > _KNEE**3, np.cbrt(ratio), ratio / (3 * _KNEE**2) + 4 / 29)
    x, y, z = np.moveaxis(curve, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def _linear(lightness: float, chroma: float, hue: float) -> NDArray[np.float64]:
    y = (lightness + 16) / 116
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    curve = np.array([y + a / 500, y, y - b / 200])
    xyz = np.where(curve > _KNEE, curve**3, 3 * _KNEE**2 * (curve - 4 / 29)) * _WHITE
    return np.asarray(_FROM_XYZ @ xyz, float)


LABEL: Colour = (18, 16, 44)
"""The color of the letters A and B, which nothing else has."""
_NEAR = 24
_WEIGHTS = np.array([65536, 256, 1])


def codes(pixels: Pixels) -> NDArray[np.int64]:
    """One whole number for each pixel's color."""
    return np.asarray(pixels.astype(np.int64) @ _WEIGHTS, np.int64)


def color_of(code: int) -> Colour:
    """The color of a code.

    >>> color_of(66051)
    (1, 2, 3)
    """
    return code >> 16, code >> 8 & 255, code & 255


def letter(center: Point, name: str, em: float) -> tuple[TextLine, ...]:
    """A label in bold: so strokes have the label's color exactly, also in small pictures."""
    x, y = center
    off = 0.032 * em
    return tuple(TextLine((x + dx, y + dy), name, em, LABEL) for dx in (-off, off) for dy in (-off, off))


def labels(picture: Pixels) -> list[tuple[int, int, int, int]]:
    """The boxes of the two letters from left to right, as top, bottom, left, right; none unless there are two."""
    same = np.abs(picture.astype(np.int16) - np.array(LABEL, np.int16)).sum(2) < _NEAR
    rows, columns = np.flatnonzero(same.any(1)), np.flatnonzero(same.any(0))
    if not len(rows):
        return []
    top, left = int(rows[0]), int(columns[0])
    part = same[top : rows[-1] + 1, left : columns[-1] + 1]
    parts, count = ndimage.label(ndimage.maximum_filter(part.view(np.uint8), len(picture) // 64))
    areas = np.bincount(parts.ravel(), minlength=count + 1)[1:]
    boxes = [
        (top + box[0].start, top + box[0].stop, left + box[1].start, left + box[1].stop)
        for box, area in zip(ndimage.find_objects(parts), areas, strict=True)
        if area > 0.2 * areas.max()
    ]
    return sorted(boxes, key=lambda box: box[2]) if len(boxes) == 2 else []


def commonest(pixels: Pixels, *without: Colour) -> Colour | None:
    """The commonest color of some pixels, those of some colors left out; `None` if nothing remains."""
    values, counts = np.unique(codes(pixels.reshape(-1, 3)), return_counts=True)
    for code in values[np.argsort(-counts)].tolist():
        color = color_of(code)
        if color not in without:
            return color
    return None
