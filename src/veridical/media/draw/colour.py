"""Color conversions: sRGB, linear light, and CIE L*."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.media.draw.scene import Colour

_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def to_linear(srgb: ArrayLike) -> NDArray[np.float64]:
    """Linear light in [0, 1] of 8-bit sRGB values (IEC 61966-2-1).

    >>> round(float(to_linear(128)), 4)
    0.2159
    """
    value = np.asarray(srgb, float) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def from_linear(light: ArrayLike) -> NDArray[np.float64]:
    """8-bit sRGB values, not rounded, of linear light in [0, 1].

    >>> round(float(from_linear(to_linear(77))), 6)
    77.0
    """
    light = np.asarray(light, float)
    return 255 * np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def lightness(srgb: ArrayLike) -> NDArray[np.float64]:
    """CIE L* in [0, 100] of 8-bit sRGB colors, shape (..., 3), for the D65 white point.

    >>> round(float(lightness((119, 119, 119))), 2)
    50.03
    """
    luminance: NDArray[np.float64] = np.asarray(to_linear(srgb) @ _LUMINANCE)
    return np.where(luminance <= (6 / 29) ** 3, luminance * (29 / 3) ** 3, 116 * np.cbrt(luminance) - 16)


def grey(target: float) -> Colour:
    """The 8-bit neutral gray that is nearest to a lightness in L*.

    >>> grey(50)
    (119, 119, 119)
    """
    luminance = ((target + 16) / 116) ** 3 if target > 8 else target * (3 / 29) ** 3
    level = int(np.rint(np.clip(from_linear(luminance), 0, 255)))
    return level, level, level


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """The 8-bit color of hue, saturation and value in [0, 1].

    >>> hsv(0.0, 1.0, 1.0)
    (255, 0, 0)
    """
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, saturation, value)
    return round(red * 255), round(green * 255), round(blue * 255)


def mean_light(*colours: Colour, shares: Sequence[float] | None = None) -> Colour:
    """The 8-bit color whose linear light is the mean of these colors: what they blend to from a distance.

    `shares` are their areas; by default all are equal.

    >>> mean_light((0, 0, 0), (255, 255, 255))
    (188, 188, 188)
    """
    red, green, blue = (
        np.rint(from_linear(np.average(to_linear(np.array(colours)), axis=0, weights=shares))).astype(int).tolist()
    )
    return red, green, blue


def tinted_colors(luminance: ArrayLike, hue: float, depth: float = 0.45) -> NDArray[np.uint8]:
    """8-bit sRGB colors of one hue with the given luminances in [0, 1]: shape (..., 3) for luminances of shape (...).

    Linear light is shifted away from gray by a color without luminance, by `depth` of the distance at which a channel
    could clip. So no channel clips, and below a luminance of 0.5 the chromaticity is constant.

    >>> tinted_colors(0.2, 0.0).tolist()
    [142, 118, 118]
    """
    light = np.asarray(luminance, float)[..., None]
    pure = to_linear(hsv(hue, 1, 1))
    shift = pure - pure @ _LUMINANCE
    return np.rint(from_linear(light + depth * np.minimum(light, 1 - light) * shift)).astype(np.uint8)


def luminance_of(shade: ArrayLike) -> NDArray[np.float64]:
    """The luminance in [0, 1] of an L* above 8.

    >>> round(float(luminance_of(50)), 4)
    0.1842
    """
    light: NDArray[np.float64] = ((np.asarray(shade, float) + 16) / 116) ** 3
    return light


def color_of_hue(shade: float, hue: float) -> Colour:
    """The 8-bit color of a hue, in [0, 1], whose lightness is an L* above 8.

    >>> round(float(lightness(color_of_hue(50, 0.3))), 0)
    50.0
    """
    red, green, blue = tinted_colors(luminance_of(shade), hue).tolist()
    return red, green, blue


def chroma(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How far each pixel is from gray: largest − smallest channel, 0 to 255, shape (height, width).

    It is linear in the coverage of a colored stroke, whatever gray lies beneath.

    >>> chroma(np.array([[[200, 0, 0], [90, 90, 90]]], np.uint8)).tolist()
    [[200, 0]]
    """
    red, green, blue = np.ascontiguousarray(pixels.transpose(2, 0, 1))
    spread: NDArray[np.uint8] = np.maximum(np.maximum(red, green), blue)
    spread -= np.minimum(np.minimum(red, green), blue)
    return spread
