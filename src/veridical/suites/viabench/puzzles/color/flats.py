"""Reading two labeled targets of flat color."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from veridical.media.draw.scene import Colour
from veridical.suites.viabench.puzzles.puzzle import Pixels

LABEL: Colour = (18, 16, 44)
"""The color of the letters A and B, which nothing else has."""
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


def labels(picture: Pixels) -> list[tuple[int, int, int, int]]:
    """The boxes of the two letters from left to right: top, bottom, left, right, half-open; none unless there are two."""
    same = (picture[..., 0] == LABEL[0]) & (picture[..., 1] == LABEL[1]) & (picture[..., 2] == LABEL[2])
    if not same.any():
        return []
    parts, count = ndimage.label(same)
    areas = np.bincount(parts.ravel(), minlength=count + 1)[1:]
    boxes = [
        (box[0].start, box[0].stop, box[1].start, box[1].stop)
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
