"""What the readings of several cases share. Nothing here knows how a figure was drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    Boxes = list[tuple[slice, slice]]

_BY_SIDES = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
_BY_CORNERS = np.ones((3, 3), int)


def labelled(mask: NDArray[np.bool_], *, corners: bool = False) -> tuple[NDArray[np.int32], Boxes]:
    """A number for each area that hangs together by sides, or by `corners` too, from 1 in the order of their boxes.

    >>> labels, boxes = labelled(np.array([[True, False, True]]))
    >>> labels.tolist(), boxes[1]
    ([[1, 0, 2]], (slice(0, 1, None), slice(2, 3, None)))
    """
    from scipy import ndimage

    labels, _ = ndimage.label(mask, _BY_CORNERS if corners else _BY_SIDES)
    return labels, ndimage.find_objects(labels)


def groups(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs of True in a vector, as half-open pairs.

    >>> groups(np.array([False, True, True, False, True]))
    [(1, 3), (4, 5)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]
