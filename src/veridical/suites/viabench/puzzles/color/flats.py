"""Reading two labeled targets of flat color."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from veridical.media.draw import Text
from veridical.media.draw.scene import Colour, Point
from veridical.suites.viabench.puzzles.puzzle import Pixels

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


def letter(center: Point, name: str, em: float) -> tuple[Text, ...]:
    """A label in bold: so strokes have the label's color exactly, also in small pictures."""
    x, y = center
    off = 0.032 * em
    return tuple(Text((x + dx, y + dy), name, em, LABEL) for dx in (-off, off) for dy in (-off, off))


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
