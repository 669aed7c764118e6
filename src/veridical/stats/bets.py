"""Tests and intervals of a mean by betting, which hold whenever one stops looking.

A bettor starts with 1 and bets against a statement about the mean of bounded values that come one after the other.
While the statement holds, the bettor's wealth is a nonnegative supermartingale: it reaches 1 / α in at most the share α
of all sequences, however often one looks and whatever decides when to stop (Ville 1939). No distribution is assumed.
The values need not be independent either: the statement is about the mean of each value given those before it.

Source: Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by betting", section 4. The bets
are a mixture over fixed shares of what may be staked at most.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from veridical.stats.intervals import Interval

Floats = NDArray[np.float64]

STAKES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 0.95)
"""The shares of the largest bet that cannot ruin the bettor, among which the wealth is divided at first."""

_HALVINGS = 40


def wealth_against_at_most(values: ArrayLike, mean: float, low: float = 0.0, high: float = 1.0) -> Floats:
    """Log wealth, after each value in [low, high], of a bettor against "the mean is at most `mean`"; shape (n,).

    A log wealth of at least ln(1 / α) at any time rejects the statement at level α. Empty without values. Raises
    ValueError for a value outside [low, high], or a `mean` that is not inside.

    >>> wealth_against_at_most([1, 1, 1, 1], 0.5).round(2).tolist()
    [0.33, 0.7, 1.13, 1.6]
    """
    numbers = np.asarray(values, float)
    if not low < mean < high:
        raise ValueError(f"mean {mean:g}: it must lie inside {low:g} to {high:g}")
    if numbers.size and not (low <= numbers.min() and numbers.max() <= high):
        raise ValueError(f"values from {numbers.min():g} to {numbers.max():g}: {low:g} to {high:g} are allowed")
    stakes = np.array(STAKES)[:, None] / (mean - low)
    capital = np.log1p(stakes * (numbers - mean)).cumsum(1)
    return np.asarray(scipy.special.logsumexp(capital, 0) - np.log(len(STAKES)))


def wealth_against_at_least(values: ArrayLike, mean: float, low: float = 0.0, high: float = 1.0) -> Floats:
    """The same of a bettor against "the mean is at least `mean`".

    >>> wealth_against_at_least([0, 0, 0, 0], 0.5).round(2).tolist()
    [0.33, 0.7, 1.13, 1.6]
    """
    return wealth_against_at_most(-np.asarray(values, float), -mean, -high, -low)


def betting_interval(values: ArrayLike, low: float = 0.0, high: float = 1.0, level: float = 0.95) -> Interval:
    """A confidence interval of the mean of values in [low, high] that holds at all times at once.

    Each end is a bet at half of 1 − `level`. The interval is the intersection of those after each value, so that it
    never grows; if the mean drifts, it may be empty, and both ends are then between the two. Without values, it is
    [low, high].

    >>> [round(end, 3) for end in betting_interval([1] * 50)]
    [0.894, 1.0]
    """
    numbers = np.asarray(values, float)
    if not numbers.size:
        return Interval(low, high)
    bar = np.log(2 / (1 - level))

    def reached(mean: float, *, up: bool) -> bool:
        against = wealth_against_at_most if up else wealth_against_at_least
        return bool(against(numbers, mean, low, high).max() >= bar)

    bottom = _edge(low, high, lambda mean: reached(mean, up=True))
    top = -_edge(-high, -low, lambda mean: reached(-mean, up=False))
    if bottom > top:
        bottom = top = (bottom + top) / 2
    return Interval(bottom, top)


def _edge(low: float, high: float, reached: Callable[[float], bool]) -> float:
    """The largest mean that is rejected, where all below it are; `low` if none is."""
    inside, beyond = low, high
    for _ in range(_HALVINGS):
        middle = (inside + beyond) / 2
        inside, beyond = (middle, beyond) if reached(middle) else (inside, middle)
    return inside
