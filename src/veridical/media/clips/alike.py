"""How far pictures are from each other but for what coding changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LIKE = 24.0
"""How far a decoded frame may be from the drawn one, as `furthest` has it."""
_BLOCK = 8


def furthest(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """The largest difference, 0 to 255, of two pictures (height, width, 3) in the mean over a block of 8 x 8 px.

    Coding changes these means little. Rows and columns beyond the last whole block are not looked at.

    >>> grey = np.full((16, 16, 3), 100, np.uint8)
    >>> furthest(grey, grey + np.uint8(7))
    7.0
    """
    return float(np.abs(_blocks(one) - _blocks(other)).max())


def _blocks(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The mean of each block, shape (rows, columns, 3)."""
    height, width = (side - side % _BLOCK for side in pixels.shape[:2])
    blocks = pixels[:height, :width].reshape(height // _BLOCK, _BLOCK, width // _BLOCK, _BLOCK, 3)
    return np.asarray(blocks.mean((1, 3)))
