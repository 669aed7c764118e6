"""Rates of clustered outcomes, their weighted sums and ratios, with intervals that are continuous at 0 and 1.

Leading axes are samples that share a design; the last axis has the cells (picture types, metrics).
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Bounds(NamedTuple):
    """Values with their lower and upper bounds; a bound is infinite if that side has none."""

    value: Floats
    low: Floats
    high: Floats


class Rates:
    """Rates in cells of 0/1 outcomes that are clustered in units, within strata.

    `sums`, shape (..., units, cells), counts the correct outcomes of each unit; `rows`, shape (units, cells), counts
    all its outcomes. `strata`, shape (units,), names the stratum of each unit. A stratum of a single unit has no spread
    of its own, so such strata are merged.

    The interval of a rate is Student's over units, after adding one unit with half of its outcomes correct to the
    slice (not to each stratum). The added unit has a variance of its own: the binomial 1/4, and 3.5 / m² for units of
    m outcomes on average, so no single outcome changes the width much. This is our adaptation of Agresti and Caffo
    (2000) to clusters. If each unit has one outcome, the interval is the mid-P interval (Lancaster 1961).

    >>> seen = Rates(np.full((10, 1), 10), np.full((10, 1), 10), np.zeros(10))
    >>> [round(float(part), 3) for part in seen.mean([1])]
    [1.0, 0.846, 1.0]
    """

    def __init__(self, sums: ArrayLike, rows: ArrayLike, strata: ArrayLike, *, level: float = 0.95) -> None:
        order, self._starts, self._sizes = _sorted(np.asarray(strata))
        self._sums, self._rows = np.asarray(sums, float)[..., order, :], np.asarray(rows, float)[order]
        self._total, self._level = self._rows.sum(0), level
        self._units = (self._rows > 0).sum(0)
        with np.errstate(invalid="ignore"):
            self.value: Floats = self._sums.sum(-2) / self._total

    def mean(self, weights: ArrayLike) -> Bounds:
        """The weighted mean of rates, with its interval in [0, 1], which is never a point; weights must sum to 1."""
        weight = np.asarray(weights, float)
        used = np.flatnonzero(weight)
        present = self._rows[:, used].sum(1, keepdims=True) > 0
        units = int(present.sum())
        value = np.clip(self.value[..., used] @ weight[used], 0.0, 1.0)
        if len(used) == 1 and self._total[used[0]] == units:
            return Bounds(value, *mid_p(self._sums[..., used[0]].sum(-1), units, self._level))
        pull = weight[used] * units / self._total[used]
        left, df = self._centered((self._added(used) @ pull)[..., None], present)
        variance = ((left**2).sum((-2, -1)) + 0.25 + 3.5 * pull.max() ** 2) * units / df[0]
        half = scipy.special.stdtrit(df[0], 0.5 + self._level / 2) * np.sqrt(variance) / (units + 1)
        middle = (units * value + 0.5) / (units + 1)
        return Bounds(value, np.clip(middle - half, 0, value), np.clip(middle + half, value, 1))

    def contrast(self, weights: ArrayLike) -> Bounds:
        """The weighted sum of rates with its interval, by variance recovery (Zou and Donner 2008).

        Correlations of rates are those over units, after adding one unit without correlation, which shrinks them. Cells
        of weight 0 may be empty.
        """
        weight = np.asarray(weights, float)
        value = self._sum(weight)
        down, up = (np.sqrt(np.maximum(self._product(each, each), 0)) for each in self._reaches(weight))
        least, most = np.minimum(weight, 0).sum(), np.maximum(weight, 0).sum()
        return Bounds(value, np.maximum(value - down, least), np.minimum(value + up, most))

    def ratio(self, above: ArrayLike, below: ArrayLike) -> Bounds:
        """The absolute ratio of two contrasts that share no cell; NaN if `below` is 0.

        Its interval contains each q for which the interval of `above` - q `below`, or of `above` + q `below`, contains
        0. There is no upper bound if the interval of `below` contains 0.
        """
        one, two = np.asarray(above, float), np.asarray(below, float)
        first, second = self._sum(one), self._sum(two)
        zero, open_ = ((each.low <= 0) & (each.high >= 0) for each in map(self.contrast, (one, two)))
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.where(second == 0, np.nan, np.abs(first / second))
            low, high = np.where(zero, 0.0, value), np.where(open_, np.inf, value)
            for sign in (1.0, -1.0):
                pairs = zip((1.0, -1.0), self._reaches(one), self._reaches(-sign * two), strict=True)
                for side, mine, other in pairs:
                    # At an end of the set, (first - sign q second)² equals the square of its reach toward 0.
                    square = second**2 - self._product(other, other)
                    half = -sign * first * second - self._product(mine, other)
                    for root in _roots(square, half, first**2 - self._product(mine, mine)):
                        end = (root >= 0) & (side * (first - sign * root * second) > 0)
                        low = np.where(end, np.fmin(low, root), low)
                        high = np.where(end, np.fmax(high, root), high)
        return Bounds(value, low, high)

    def _sum(self, weight: Floats) -> Floats:
        used = np.flatnonzero(weight)
        return np.asarray(self.value[..., used] @ weight[used])

    @cached_property
    def cells(self) -> Bounds:
        """Each rate with its interval; 0 for a cell without rows."""
        none = np.zeros(self.value.shape[:-1])
        cells = zip(np.eye(len(self._total)), self._total, strict=True)
        bounds = [self.mean(one) if rows else Bounds(none, none, none) for one, rows in cells]
        return Bounds(*(np.stack(part, -1) for part in zip(*bounds, strict=True)))

    @cached_property
    def _correlation(self) -> Floats:
        """The correlations of the cells' rates over units, shape (..., cells, cells)."""
        present = self._rows > 0
        pull = np.where(self._total > 0, self._units / np.maximum(self._total, 1), 0.0)
        left, df = self._centered(self._added(slice(None)) * pull, present)
        left = left * np.sqrt(self._units / df)
        both = np.swapaxes(left, -1, -2) @ left
        spread = np.sqrt(np.diagonal(both, axis1=-2, axis2=-1) + 0.25)
        correlation = both / (spread[..., None] * spread[..., None, :])
        every = np.arange(len(self._total))
        correlation[..., every, every] = 1.0
        return np.asarray(correlation)

    def _reaches(self, weight: Floats) -> tuple[Floats, Floats]:
        """How far the term of each cell may lie below and above its value, times the sign of its weight."""
        value, low, high = self.cells
        down, up = value - low, high - value
        return weight * np.where(weight > 0, down, up), weight * np.where(weight > 0, up, down)

    def _product(self, one: Floats, two: Floats) -> Floats:
        """The product of two such reaches, with the correlations of the rates."""
        return np.asarray((one * (self._correlation @ two[..., None])[..., 0]).sum(-1))

    def _added(self, used: NDArray[np.int64] | slice) -> Floats:
        """The correct outcomes of each unit minus the number expected at the overall rates."""
        expected = self._rows[:, used] * np.nan_to_num(self.value[..., None, used])
        return np.asarray(self._sums[..., used] - expected)

    def _centered(self, share: Floats, present: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.int64]]:
        """Shares minus their stratum means, and the degrees of freedom, including that of the added unit."""
        counts = np.add.reduceat(present.astype(int), self._starts)
        means = np.add.reduceat(share, self._starts, axis=-2) / np.maximum(counts, 1)
        left = (share - np.repeat(means, self._sizes, axis=-2)) * present
        return left, np.asarray(present.sum(0) - np.count_nonzero(counts, axis=0) + 1)


def mid_p(hits: ArrayLike, n: int, level: float = 0.95) -> tuple[Floats, Floats]:
    """The mid-P bounds of a proportion, `hits` of n independent draws (Lancaster 1961).

    >>> [round(float(bound), 4) for bound in mid_p(0, 10)]
    [0.0, 0.2589]
    """
    counts, place = np.unique(np.asarray(hits, float), return_inverse=True)
    bounds = np.array([(1 - _highest(n - k, n, level), _highest(k, n, level)) for k in counts.tolist()])
    low, high = bounds[place.reshape(np.shape(hits))].T if np.ndim(hits) < 2 else np.moveaxis(bounds[place], -1, 0)
    return low, high


@lru_cache(maxsize=4096)
def _highest(hits: float, n: int, level: float) -> float:
    """The upper mid-P bound: the proportion at which P(fewer hits) + P(hits) / 2 is (1 − level) / 2."""
    if hits >= n:
        return 1.0

    def rarity(p: float) -> float:
        fewer = scipy.special.betainc(n - hits + 1, hits, 1 - p) if hits > 0 else 0.0
        return float(fewer + scipy.special.betainc(n - hits, hits + 1, 1 - p) - 1 + level)

    return float(scipy.optimize.brentq(rarity, hits / n, 1.0, xtol=1e-12))


def _roots(square: Floats, half: Floats, fixed: Floats) -> tuple[Floats, Floats]:
    """Both roots of square q² + 2 half q + fixed; NaN if there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        far = -half - np.copysign(np.sqrt(half**2 - square * fixed), half)
        return far / square, fixed / far


def _sorted(strata: NDArray[np.generic]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The order of units by stratum, the start of each stratum in it, and its number of units."""
    names, place, size = np.unique(strata, return_inverse=True, return_counts=True)
    place = np.unique(np.where(size[place] < 2, len(names), place), return_inverse=True)[1]
    sizes = np.bincount(place)
    return np.argsort(place, kind="stable"), np.cumsum(sizes) - sizes, sizes
