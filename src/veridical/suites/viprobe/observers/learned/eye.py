"""The input of a learned observer: lightness and colorfulness of a picture on a small, fixed grid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import area_fit

WIDTH, HEIGHT = 192, 128
SIZES = (256, 1024)
"""Range of longer sides, in px, of the training pictures; other pictures are declined."""
SHAPES = (1, 2)
"""Aspect ratios (width / height) of the training pictures."""

_LUMA = np.array([0.299, 0.587, 0.114], np.float32)


def retina(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lightness (Rec. 601 luma) and colorfulness (largest − smallest primary): shape (2, HEIGHT, WIDTH), uint8.

    Pictures of any shape are resampled to the grid by area means. Raises ValueError for a picture smaller than the
    grid.
    """
    small = area_fit(pixels, WIDTH, HEIGHT)
    red, green, blue = np.moveaxis(small, 2, 0)
    luma = np.rint(small @ _LUMA).astype(np.uint8)
    colorfulness = np.maximum(np.maximum(red, green), blue) - np.minimum(np.minimum(red, green), blue)
    return np.stack([luma, colorfulness])


def strangeness(pixels: NDArray[np.uint8]) -> str | None:
    """Why a picture's size or shape is outside the training range, or `None`."""
    height, width, _ = pixels.shape
    if not SIZES[0] <= max(width, height) <= SIZES[1]:
        return f"{width}x{height} px: I was trained on pictures of {SIZES[0]} to {SIZES[1]} px"
    if not any(abs(width - shape * height) <= shape for shape in SHAPES):
        return f"{width}x{height} px: I was trained on pictures that are square, or twice as wide as high"
    return None


def range_of(seen: NDArray[np.uint8]) -> dict[str, float]:
    """Contrast and sharpness of a retina's lightness, both in [0, 1], which haze and blur reduce.

    Contrast is the range of lightness; sharpness is the largest step between neighbors, as a share of the contrast (0
    without contrast).
    """
    light = seen[0].astype(np.float32)
    contrast = float(np.ptp(light))
    steepest = max(float(np.abs(np.diff(light, axis=axis)).max()) for axis in (0, 1))
    return {"contrast": contrast / 255, "sharpness": steepest / contrast if contrast else 0.0}
