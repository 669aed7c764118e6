"""Making pictures smaller as a preprocessor does, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


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
    rows = _shrunk(pixels.astype(np.float64), max(round(height * scale), 1))
    both = _shrunk(rows.transpose(1, 0, 2), max(round(width * scale), 1)).transpose(1, 0, 2)
    return np.rint(both).astype(np.uint8)


def _shrunk(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Means over `count` even stretches of the first axis, parts of a pixel by their share."""
    length = len(values)
    total = np.concatenate([np.zeros_like(values[:1]), values.cumsum(0)])
    edges = np.linspace(0, length, count + 1)
    whole = np.minimum(edges.astype(int), length - 1)
    at = total[whole] + (edges - whole)[:, None, None] * values[whole]
    means: NDArray[np.float64] = np.diff(at, axis=0) * (count / length)
    return means
