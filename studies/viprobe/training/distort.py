"""Degradations of a picture on its way to an observer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from veridical.media.draw import area_resize

Pixels = NDArray[np.uint8]


def _smaller(pixels: Pixels, longer: int) -> Pixels:
    return area_resize(pixels, longer)


def _jpeg(pixels: Pixels, quality: int) -> Pixels:
    file = BytesIO()
    Image.fromarray(pixels).save(file, "jpeg", quality=quality)
    return np.asarray(Image.open(file).convert("RGB"))


def _blurred(pixels: Pixels, sigma: float) -> Pixels:
    return np.asarray(ndimage.gaussian_filter(pixels, (sigma, sigma, 0)))


def _inverted(pixels: Pixels) -> Pixels:
    return 255 - pixels


CHANGES: Mapping[str, Callable[[Pixels], Pixels]] = {
    "as drawn, 512 px": lambda pixels: pixels,
    "256 px": partial(_smaller, longer=256),
    "128 px": partial(_smaller, longer=128),
    "JPEG, quality 75": partial(_jpeg, quality=75),
    "JPEG, quality 25": partial(_jpeg, quality=25),
    "JPEG, quality 5": partial(_jpeg, quality=5),
    "blur, sigma 1 px": partial(_blurred, sigma=1),
    "blur, sigma 2 px": partial(_blurred, sigma=2),
    "blur, sigma 4 px": partial(_blurred, sigma=4),
    "blur, sigma 8 px": partial(_blurred, sigma=8),
    "inverted": _inverted,
}
"""Degradations by name, for pictures of 512 px."""
