"""Interval estimates with two-sided levels, proportions in [0, 1]; corrections for families of tests; Kendall's tau."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """Lower and upper bound; `None` if that side has no bound."""

    low: float | None
    high: float | None


def wilson(p: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's score interval of a proportion in n independent draws; n need not be whole (Wilson 1927).

    >>> [round(bound, 4) for bound in wilson(1.0, 20)]
    [0.8389, 1.0]
    """
    if n <= 0:
        raise ValueError(f"n is {n}: an interval needs n above 0")
    z = float(scipy.special.ndtri(0.5 + level / 2))
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Interval(
        0.0 if p == 0 else max(float(middle - half), 0.0), 1.0 if p == 1 else min(float(middle + half), 1.0)
    )


def student(value: float, replicates: ArrayLike, df: int, level: float = 0.95) -> Interval:
    """Student's interval with the standard error of bootstrap replicates, on `df` >= 1 degrees of freedom.

    A percentile interval of few units is too narrow: with 10 units it covers the truth in 92 % of cases, not 95 %.

    >>> [round(bound, 3) for bound in student(0.0, [-1, 1], df=9)]
    [-3.199, 3.199]
    """
    half = float(scipy.special.stdtrit(df, 0.5 + level / 2)) * float(np.std(np.asarray(replicates, float), ddof=1))
    return Interval(value - half, value + half)


def linear(weights: Iterable[float], rates: Iterable[float], bounds: Iterable[Interval]) -> Interval:
    """The interval of a weighted sum of rates from an interval of each, by variance recovery (Zou and Donner 2008).

    It is used if resampling shows no spread, so that a bootstrap interval would be a point.

    >>> [round(bound, 3) for bound in linear([1, -1], [1.0, 0.0], [wilson(1, 30), wilson(0, 30)])]
    [0.839, 1.0]
    """
    value = below = above = 0.0
    for weight, rate, (low, high) in zip(weights, rates, bounds, strict=True):
        down, up = rate - (low or 0.0), (1.0 if high is None else high) - rate
        value += weight * rate
        below += (weight * (down if weight > 0 else up)) ** 2
        above += (weight * (up if weight > 0 else down)) ** 2
    return Interval(float(value - np.sqrt(below)), float(value + np.sqrt(above)))


def ratio(above: float, below: float, above_bounds: Interval, below_bounds: Interval) -> Interval:
    """The interval of above / below, both positive, from an interval of each (Donner and Zou 2012).

    There is no upper bound if the interval of `below` reaches 0.

    >>> [round(bound, 3) for bound in ratio(0.8, 0.4, Interval(0.7, 0.9), Interval(0.3, 0.5))]
    [1.541, 2.726]
    """
    low_a, high_a = max(above_bounds.low or 0.0, 0.0), above_bounds.high
    low_b, high_b = max(below_bounds.low or 0.0, 0.0), below_bounds.high
    if high_a is None or high_b is None:
        raise ValueError("both quantities need an upper bound")
    product = above * below
    down, up = high_b * (2 * below - high_b), low_b * (2 * below - low_b)

    def root(part_a: float, part_b: float) -> float:
        return float(np.sqrt(max(product**2 - part_a * (2 * above - part_a) * part_b, 0.0)))

    low = (product - root(low_a, down)) / down if down > 0 else low_a / high_b
    high = (product + root(high_a, up)) / up if up > 0 else None
    return Interval(max(float(low), 0.0), high)


def holm(p: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted to control the family-wise error rate (Holm 1979).

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    ordered, order = _ordered(p)
    return _placed(p, order, np.maximum.accumulate(ordered * np.arange(len(ordered), 0, -1)))


def benjamini_hochberg(p: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted to control the false discovery rate (Benjamini and Hochberg 1995).

    >>> benjamini_hochberg([0.01, 0.04, None, 0.03])
    [0.03, 0.04, None, 0.04]
    """
    ordered, order = _ordered(p)
    grown = ordered * len(ordered) / np.arange(1, len(ordered) + 1)
    return _placed(p, order, np.minimum.accumulate(grown[::-1])[::-1])


def kendall_tau(first: ArrayLike, second: ArrayLike) -> float | None:
    """Kendall's tau-b of two rankings of the same items, in [-1, 1]; `None` if all items of one ranking are tied.

    >>> round(kendall_tau([1, 2, 3, 3], [1, 3, 2, 4]), 4)
    0.5477
    """
    one, two = np.asarray(first, float), np.asarray(second, float)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(f"rankings of shapes {one.shape} and {two.shape}: two of the same length are needed")
    if len(np.unique(one)) < 2 or len(np.unique(two)) < 2:
        return None
    from scipy.stats import kendalltau  # takes longer to load than everything else together

    return float(kendalltau(one, two).statistic)


def _ordered(p: Sequence[float | None]) -> tuple[Floats, NDArray[np.int64]]:
    values = np.array([each for each in p if each is not None], float)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("p-values must lie in [0, 1]")
    order = np.argsort(values, kind="stable")
    return values[order], order


def _placed(p: Sequence[float | None], order: NDArray[np.int64], adjusted: Floats) -> list[float | None]:
    restored = np.empty(len(order))
    restored[order] = np.minimum(adjusted, 1.0)
    values = iter(restored.tolist())
    return [None if each is None else next(values) for each in p]
