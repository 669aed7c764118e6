"""Reading pictures: what the measurements of several cases share. Nothing here knows how a figure was drawn.

Targets are coloured and everything else is neutral, so the chroma of a pixel is its coverage by targets, exactly, also
at soft edges, over any inducer or hint, and after area resampling.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.illusions.case import Pixels

Map = NDArray[np.float64]


class Target(NamedTuple):
    """One connected coloured area: where its crop lies in the picture, and its coverage there, 0 to 1."""

    x: int
    y: int
    coverage: Map

    @property
    def area(self) -> float:
        """The area in square pixels, soft edges counted by their coverage."""
        return float(self.coverage.sum())

    @property
    def centre(self) -> tuple[float, float]:
        """The centre of mass, x and y in pixels of the picture."""
        height, width = self.coverage.shape
        x = self.coverage.sum(0) @ (np.arange(width) + 0.5)
        y = self.coverage.sum(1) @ (np.arange(height) + 0.5)
        return self.x + float(x) / self.area, self.y + float(y) / self.area


def chroma(pixels: Pixels) -> NDArray[np.uint8]:
    """How far each pixel is from grey: largest minus smallest channel, 0 to 255, shape (height, width).

    It is linear in the coverage of a coloured stroke, whatever grey lies beneath.
    """
    red, green, blue = np.ascontiguousarray(pixels.transpose(2, 0, 1))
    spread: NDArray[np.uint8] = np.maximum(np.maximum(red, green), blue)
    spread -= np.minimum(np.minimum(red, green), blue)
    return spread


def targets(pixels: Pixels) -> list[Target]:
    """The connected coloured areas of a picture in reading order of their crops' top left corners (by y, then x).

    Coverage is chroma relative to the largest in the picture. Empty where nothing is coloured, or
    where most of the picture is. Specks of less than 1 % of the largest area are left out.
    """
    from scipy import ndimage

    depth = chroma(pixels)
    rows, columns = np.flatnonzero(depth.max(1) > 24), np.flatnonzero(depth.max(0) > 24)
    if not len(rows):
        return []
    top, left = max(int(rows[0]) - 1, 0), max(int(columns[0]) - 1, 0)
    crop = depth[top : rows[-1] + 2, left : columns[-1] + 2]
    coloured = crop > 2
    full = float(crop.max())
    if coloured.mean() > 0.8 and coloured.sum() > 0.5 * depth.size:
        return []
    labels, _ = ndimage.label(coloured, np.ones((3, 3), int))
    found = []
    for index, box in enumerate(ndimage.find_objects(labels), start=1):
        own = np.where(labels[box] == index, crop[box], 0) / full
        found.append(Target(left + box[1].start, top + box[0].start, own))
    largest = max(target.area for target in found)
    return [target for target in found if target.area > 0.01 * largest]


def groups(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs of True in a vector, as half-open pairs.

    >>> groups(np.array([False, True, True, False, True]))
    [(1, 3), (4, 5)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]
