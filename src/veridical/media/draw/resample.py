"""Making pictures smaller as a preprocessor does, exactly."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def area_resize(pixels: NDArray[np.uint8], longer: int) -> NDArray[np.uint8]:
    """The picture with its longer side at `longer` px, each pixel the mean over the area that it covers, in sRGB.

    Shape (height, width, 3), uint8. The shorter side is rounded to a whole pixel. Raises ValueError for enlarging.

    >>> area_resize(np.array([[[0] * 3, [90] * 3, [60] * 3]], np.uint8), 2)[0, :, 0].tolist()
    [30, 70]
    """
    height, width, _ = pixels.shape
    scale = longer / max(height, width)
    if not 0 < scale <= 1:
        raise ValueError(f"{width}x{height} px cannot be reduced to {longer} px")
    return area_fit(pixels, max(round(width * scale), 1), max(round(height * scale), 1))


def area_fit(pixels: NDArray[np.uint8], columns: int, rows: int) -> NDArray[np.uint8]:
    """The picture at exactly this width and height, its sides scaled apart: shape (rows, columns, 3), uint8.

    Each pixel is the mean over the area that it covers, in sRGB. Raises ValueError for enlarging a side.
    """
    height, width, _ = pixels.shape
    if not (0 < rows <= height and 0 < columns <= width):
        raise ValueError(f"{width}x{height} px cannot be reduced to {columns}x{rows} px")
    narrow = _shares(height, rows) @ pixels.astype(np.float32).reshape(height, -1)
    turned = narrow.reshape(rows, width, 3).transpose(1, 0, 2).reshape(width, -1)
    small = (_shares(width, columns) @ turned).reshape(columns, rows, 3).transpose(1, 0, 2)
    return np.ascontiguousarray(np.rint(small).astype(np.uint8))


@lru_cache(maxsize=64)
def _shares(length: int, count: int) -> csr_array:
    """By how much each of `length` pixels enters each of `count` even stretches, shape (count, length)."""
    from scipy.sparse import csr_array

    edges = np.linspace(0, length, count + 1)
    first = np.floor(edges[:-1]).astype(int)
    span = int(np.ceil(length / count)) + 1
    at = first[:, None] + np.arange(span)
    covered = np.minimum(at + 1, edges[1:, None]) - np.maximum(at, edges[:-1, None])
    shares = np.clip(covered, 0, 1) * (count / length)
    row = np.repeat(np.arange(count), span)
    kept = (shares.ravel() > 1e-12) & (at.ravel() < length)
    values = shares.ravel()[kept].astype(np.float32)
    return csr_array((values, (row[kept], at.ravel()[kept])), shape=(count, length))
