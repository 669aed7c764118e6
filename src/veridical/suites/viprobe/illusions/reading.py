"""What the readings of several cases share. Nothing here knows how a figure was drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def groups(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs of True in a vector, as half-open pairs.

    >>> groups(np.array([False, True, True, False, True]))
    [(1, 3), (4, 5)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]
