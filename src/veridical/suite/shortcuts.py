"""What a statistic of the whole picture gives away of the answer, without a look at any part of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import chroma

Values = NDArray[np.float64]

OF_A_PICTURE = ("mean", "deviation", "inked", "gradients", "chroma")
STATISTICS = (
    *OF_A_PICTURE,
    *(f"{name}, left less right" for name in OF_A_PICTURE),
    *(f"{name}, top less bottom" for name in OF_A_PICTURE),
)
_LUMA = np.float32(0.299), np.float32(0.587), np.float32(0.114)
_INKED = 8


def statistics(pixels: NDArray[np.uint8]) -> Values:
    """The `STATISTICS` of a picture, shape (15,): of gray levels 0 to 255, shares of pixels for ink.

    Ink is what differs from the median of the picture's border; gradients are the mean absolute difference of neighbors
    to the right and below.

    >>> statistics(np.full((4, 4, 3), 90, np.uint8))[:5].round(3).tolist()
    [90.0, 0.0, 0.0, 0.0, 0.0]
    """
    red, green, blue = np.ascontiguousarray(pixels.transpose(2, 0, 1))
    level = _LUMA[0] * red + _LUMA[1] * green + _LUMA[2] * blue
    border = np.median(np.concatenate([level[0], level[-1], level[:, 0], level[:, -1]]))
    steps = np.zeros_like(level)
    steps[:-1] += np.abs(level[1:] - level[:-1])
    steps[:, :-1] += np.abs(level[:, 1:] - level[:, :-1])
    # Levels are told from the border's, so that squares of even pictures differ by nothing but what is there.
    level = level - border
    maps = (level, level**2, np.abs(level) > _INKED, steps, chroma(pixels))
    # The sums by column and by row are all that halves need.
    columns, rows = (np.array([each.mean(axis, dtype=np.float32) for each in maps], float) for axis in (0, 1))
    (left, right), (top, bottom) = _halves(columns), _halves(rows)
    whole = _with_spread(columns.mean(1))
    whole[0] += border
    return np.concatenate([whole, _with_spread(left) - _with_spread(right), _with_spread(top) - _with_spread(bottom)])


def _halves(sums: Values) -> tuple[Values, Values]:
    middle = sums.shape[1] // 2
    return sums[:, :middle].mean(1), sums[:, -middle:].mean(1)


def _with_spread(means: Values) -> Values:
    """The means of the five maps with the spread in place of the mean square."""
    spread = np.sqrt(max(means[1] - means[0] ** 2, 0.0))
    return np.array([means[0], spread, *means[2:]])


def auc(ones: Values, others: Values) -> float:
    """The chance that one of the `others` is larger than one of the `ones`, ties counting half.

    >>> auc(np.array([1.0, 2.0]), np.array([2.0, 3.0]))
    0.875
    """
    ordered = np.sort(np.round(ones, 6))
    rounded = np.round(others, 6)
    below, upto = np.searchsorted(ordered, rounded, "left"), np.searchsorted(ordered, rounded, "right")
    return float((below + upto).mean() / 2 / len(ordered))


def separation(originals: Values, perturbed: Values) -> float:
    """How well one statistic tells the two apart, 0.5 to 1: by its value, its size, or its distance from what is usual.

    >>> separation(np.zeros(9), np.array([-3.0, 4.0]))
    1.0
    """
    usual = np.median(originals)
    ways = (auc(originals, perturbed), auc(np.abs(originals), np.abs(perturbed)))
    return max(*ways, *(1 - way for way in ways), auc(np.abs(originals - usual), np.abs(perturbed - usual)))
