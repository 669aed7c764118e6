"""Reading pictures: what the measurements of several cases share. Nothing here knows how a figure was drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.stimuli.illusions.case import Pixels


def chroma(pixels: Pixels) -> NDArray[np.float64]:
    """How far each pixel is from grey: largest minus smallest channel, 0 to 255, shape (height, width).

    It is linear in the coverage of a coloured stroke, whatever grey lies beneath.
    """
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    spread = np.maximum(np.maximum(red, green), blue) - np.minimum(np.minimum(red, green), blue)
    return spread.astype(np.float64)


def coverage(pixels: Pixels) -> NDArray[np.float64] | None:
    """How much of each pixel of a line drawing on white is ink, in [0, 1]; `None` where there is no white ground."""
    depth = 255.0 - np.minimum(np.minimum(pixels[..., 0], pixels[..., 1]), pixels[..., 2])
    if np.median(depth) > 0 or depth.max() < 64:
        return None
    return np.asarray(depth / depth.max())


def groups(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs of True in a vector, as half-open pairs.

    >>> groups(np.array([False, True, True, False, True]))
    [(1, 3), (4, 5)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]
