"""What a learned observer gets of a picture: lightness and colourfulness on a small, fixed grid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import area_fit

WIDTH, HEIGHT = 192, 128
SIZES = (256, 1024)
"""Longer sides, in px, of the pictures that the networks are taught on; others are declined."""
SHAPES = (1, 2)
"""Width over height of the pictures that they are taught on."""

_LUMA = np.array([0.299, 0.587, 0.114], np.float32)


def retina(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lightness (Rec. 601 luma) and colourfulness (largest less smallest primary): shape (2, HEIGHT, WIDTH), uint8.

    Each picture is brought to the one grid by means over areas, whatever its shape. Raises ValueError where it is
    smaller than the grid.
    """
    small = area_fit(pixels, WIDTH, HEIGHT)
    red, green, blue = np.moveaxis(small, 2, 0)
    luma = np.rint(small @ _LUMA).astype(np.uint8)
    colourfulness = np.maximum(np.maximum(red, green), blue) - np.minimum(np.minimum(red, green), blue)
    return np.stack([luma, colourfulness])


def strangeness(pixels: NDArray[np.uint8]) -> str | None:
    """Why a picture is outside what the networks were taught on, by its size and shape; `None` where it is not."""
    height, width, _ = pixels.shape
    if not SIZES[0] <= max(width, height) <= SIZES[1]:
        return f"{width}x{height} px: I was taught on pictures of {SIZES[0]} to {SIZES[1]} px"
    if not any(abs(width - shape * height) <= shape for shape in SHAPES):
        return f"{width}x{height} px: I was taught on pictures that are square, or twice as wide as high"
    return None


def range_of(seen: NDArray[np.uint8]) -> dict[str, float]:
    """What blur and haze take from a retina: the contrast of lightness, and its sharpness, both in [0, 1].

    Contrast is the range of lightness; sharpness the steepest step between neighbours, as a share of the contrast (0
    where there is none).
    """
    light = seen[0].astype(np.float32)
    contrast = float(np.ptp(light))
    steepest = max(float(np.abs(np.diff(light, axis=axis)).max()) for axis in (0, 1))
    return {"contrast": contrast / 255, "sharpness": steepest / contrast if contrast else 0.0}
