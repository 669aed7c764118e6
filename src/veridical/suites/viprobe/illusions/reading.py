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
