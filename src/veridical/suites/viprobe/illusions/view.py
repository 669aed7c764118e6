"""A picture as a case reads it, at its own size or reduced: what is read of it is made when it is asked for.

Targets are colored and everything else is neutral, so the chroma of a pixel is its coverage by targets, exactly, also
at soft edges, over any inducer or hint, and after area resampling.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Part, area_part, area_planes, chroma, reduced_size

if TYPE_CHECKING:
    Boxes = list[tuple[slice, slice]]


_BY_SIDES = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
_BY_CORNERS = np.ones((3, 3), int)


def label_areas(mask: NDArray[np.bool_], *, corners: bool = False) -> tuple[NDArray[np.int32], Boxes]:
    """A number for each area that hangs together by sides, or by `corners` too, from 1 in the order of their boxes.

    >>> labels, boxes = label_areas(np.array([[True, False, True]]))
    >>> labels.tolist(), boxes[1]
    ([[1, 0, 2]], (slice(0, 1, None), slice(2, 3, None)))
    """
    from scipy import ndimage

    labels = np.zeros(mask.shape, np.int32)
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return labels, []
    # Numbering takes as long for what is empty as for what is not.
    top, left = int(rows[0]), int(columns[0])
    inner = labels[top : rows[-1] + 1, left : columns[-1] + 1]
    count = ndimage.label(
        mask[top : rows[-1] + 1, left : columns[-1] + 1], _BY_CORNERS if corners else _BY_SIDES, output=inner
    )
    boxes = [
        (slice(y.start + top, y.stop + top), slice(x.start + left, x.stop + left))
        for y, x in ndimage.find_objects(inner, count)
    ]
    return labels, boxes


def share(mask: NDArray[np.bool_]) -> float:
    """The share of True, 0 to 1, of a mask that is not empty: its mean, many times as fast.

    >>> share(np.array([True, False, True, True]))
    0.75
    """
    return float(np.count_nonzero(mask) / mask.size)


def groups(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs of True in a vector, as half-open pairs.

    >>> groups(np.array([False, True, True, False, True]))
    [(1, 3), (4, 5)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]


Pixels = NDArray[np.uint8]
Depth = NDArray[np.uint8]
Map = NDArray[np.float64]
_FAINT, _PLAIN = 2, 24
"""Chroma up to which a pixel counts as uncolored, and above which something colored must reach."""
_MANY = 12


@dataclass(frozen=True)
class Target:
    """One connected colored area: where its crop lies in the picture, and its coverage there, 0 to 1."""

    x: int
    y: int
    coverage: Map

    @cached_property
    def area(self) -> float:
        """The area in square pixels, soft edges counted by their coverage."""
        return float(self.coverage.sum())

    @cached_property
    def centre(self) -> tuple[float, float]:
        """The center of mass, x and y in pixels of the picture."""
        height, width = self.coverage.shape
        x = self.coverage.sum(0) @ (np.arange(width) + 0.5)
        y = self.coverage.sum(1) @ (np.arange(height) + 0.5)
        return self.x + float(x) / self.area, self.y + float(y) / self.area


class View:
    """A picture of shape (height, width), all of whose maps are uint8."""

    def __init__(self, pixels: Pixels) -> None:
        self.height, self.width, _ = pixels.shape
        self.planes = np.ascontiguousarray(pixels.transpose(2, 0, 1))

    planes: Depth
    """The three channels, one after the other."""

    @property
    def pixels(self) -> Pixels:
        """The same by pixel, shape (height, width, 3)."""
        return self.planes.transpose(1, 2, 0)

    @cached_property
    def chroma(self) -> Depth:
        """How far each pixel is from gray; see `chroma`."""
        return chroma(self.pixels)

    @cached_property
    def level(self) -> Depth:
        """The green channel alone: all that there is of a neutral picture."""
        green: Depth = self.planes[1]
        return green

    @cached_property
    def targets(self) -> list[Target]:
        """The connected colored areas in reading order of their crops' top left corners (by y, then x).

        Coverage is chroma relative to the largest in the picture. Empty where nothing is colored, or where most of the
        picture is. Specks of less than 1 % of the largest area are left out.
        """
        return _covered(self.parts)

    @cached_property
    def parts(self) -> list[Part]:
        """The chroma of each connected colored area, in its box."""
        return _connected(self.chroma)

    def reduced(self, longer: int) -> View:
        """The picture with its longer side at `longer` px, each pixel the mean over the area that it covers.

        Chroma is reduced as it is. Of one ink on neutral ground, which is what chroma is read for, that is the chroma
        of the reduced pixels but for their rounding.
        """
        return _Reduced(self, longer)


class _Reduced(View):
    """Each map is reduced by itself, as hardly any case reads more than one."""

    def __init__(self, whole: View, longer: int) -> None:
        self.width, self.height = reduced_size(whole.width, whole.height, longer)
        self._whole = whole

    @cached_property
    def planes(self) -> Depth:  # type: ignore[override]  # made when it is asked for
        return area_planes(self._whole.planes, self.width, self.height)

    @cached_property
    def chroma(self) -> Depth:
        reduced: Depth = area_planes(self._whole.chroma[None], self.width, self.height)[0]
        return reduced

    @cached_property
    def level(self) -> Depth:
        reduced: Depth = area_planes(self._whole.level[None], self.width, self.height)[0]
        return reduced

    @cached_property
    def parts(self) -> list[Part]:
        """Areas that keep apart are reduced one by one, which is the same and many times as fast."""
        sizes = (self._whole.width, self._whole.height), (self.width, self.height)
        if len(self._whole.parts) > _MANY:
            return _connected(self.chroma)
        parts = [_tight(area_part(part, *sizes)) for part in self._whole.parts]
        visible = [part for part in parts if part.values.size]
        if any(_touch(one, other) for one, other in combinations(visible, 2)):
            return _connected(self.chroma)
        return sorted(visible, key=lambda part: (part.y, part.x))


def _connected(depth: Depth) -> list[Part]:
    """The parts of a map of chroma that hang together, also by corners, in the order of their boxes' first pixels."""
    rows, columns = np.flatnonzero(depth.max(1) > _PLAIN), np.flatnonzero(depth.max(0) > _PLAIN)
    if not len(rows):
        return []
    top, left = max(int(rows[0]) - 1, 0), max(int(columns[0]) - 1, 0)
    crop = depth[top : rows[-1] + 2, left : columns[-1] + 2]
    coloured = crop > _FAINT
    if share(coloured) > 0.8 and np.count_nonzero(coloured) > 0.5 * depth.size:
        return []
    labels, boxes = label_areas(coloured, corners=True)
    return [
        Part(left + box[1].start, top + box[0].start, np.where(labels[box] == index, crop[box], np.uint8(0)))
        for index, box in enumerate(boxes, start=1)
    ]


def _covered(parts: list[Part]) -> list[Target]:
    full = max((int(part.values.max()) for part in parts), default=0)
    targets = [Target(part.x, part.y, part.values / full) for part in parts]
    largest = max((target.area for target in targets), default=0.0)
    return [target for target in targets if target.area > 0.01 * largest]


def _tight(part: Part) -> Part:
    """The part without the uncolored rows and columns around it."""
    coloured = part.values > _FAINT
    rows, columns = np.flatnonzero(coloured.any(1)), np.flatnonzero(coloured.any(0))
    if not len(rows):
        return Part(part.x, part.y, part.values[:0])
    top, left = int(rows[0]), int(columns[0])
    inner = part.values[top : rows[-1] + 1, left : columns[-1] + 1]
    return Part(part.x + left, part.y + top, inner)


def _touch(one: Part, other: Part) -> bool:
    """Whether the boxes of two parts overlap or adjoin, also by corners."""
    (high, wide), (tall, broad) = one.values.shape, other.values.shape
    apart = one.x + wide < other.x or other.x + broad < one.x or one.y + high < other.y or other.y + tall < one.y
    return not apart
