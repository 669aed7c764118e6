"""CIE L*C*h colors (CIELAB with the D65 white point), for differences in hue alone or in lightness alone."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.media.draw.colour import from_linear, to_linear
from veridical.media.draw.scene import Colour

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
