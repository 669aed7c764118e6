"""Resampling of whole units, because the pictures of one base item are not independent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.stats.rates import Rates

Floats = NDArray[np.float64]
Drawn = NDArray[np.uint16]

_AT_ONCE = 2_000_000
"""Numbers processed at a time: all draws of many units would not fit in memory."""


class Cells:
    """Rates in cells (picture types) of clustered rows, with bootstrap replicates of them over units.

    `sums`, shape (units, cells, metrics), and `rows`, shape (units, cells), hold each unit's sums and row counts;
    `strata`, shape (units,), names the stratum of each unit. A stratum of a single unit has no spread of its own, so
    such strata are resampled together. The bootstrap draws one unit fewer than a stratum has and scales the weights up
    to match, which makes the variance unbiased for few units too (Rao and Wu 1988).
    """

    def __init__(
        self,
        sums: Floats,
        rows: Floats,
        strata: NDArray[np.int64],
        *,
        level: float = 0.95,
        draws: int = 1000,
        seed: int = 0,
    ) -> None:
        self.sums, self.rows, self._level, self._draws, self._seed = sums, rows, level, draws, seed
        names, place, size = np.unique(strata, return_inverse=True, return_counts=True)
        lonely = size[place] < 2
        # Relabeled from 0, so that slices of the same design share their draws.
        self._strata = np.unique(np.where(lonely, len(names), place), return_inverse=True)[1]
        self.units = len(strata)
        self.df = self.units - len(np.unique(self._strata))

    @cached_property
    def rates(self) -> Floats:
        """The rate in each cell, shape (cells, metrics); NaN in a cell without rows."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.sums.sum(0) / self.rows.sum(0)[:, None])

    @cached_property
    def measured(self) -> Rates:
        """The rates with intervals; the cells are the same, each repeated for its metrics in order."""
        return Rates(
            self.sums.reshape(self.units, -1),
            np.repeat(self.rows, self.sums.shape[2], 1),
            self._strata,
            level=self._level,
        )

    @cached_property
    def replicates(self) -> Floats:
        """Bootstrap replicates of the rates, shape (draws, cells, metrics).

        A cell that is empty in a draw takes its rate over all units.
        """
        order, sizes = np.argsort(self._strata, kind="stable"), np.bincount(self._strata)
        drawn, scale = _drawn(tuple(sizes.tolist()), self._draws, self._seed)
        units, cells, metrics = self.sums.shape
        added = np.concatenate([self.sums, self.rows[..., None]], -1)[order] * scale[:, None, None]
        flat = added.reshape(units, cells * (metrics + 1))
        parts = [part.astype(float) @ flat for part in _blocks(drawn, units)]
        totals = np.concatenate(parts).reshape(self._draws, cells, metrics + 1)
        above, below = totals[..., :-1], totals[..., -1:]
        return np.where(below > 0, above / np.where(below > 0, below, 1), self.rates)


@lru_cache(maxsize=4)
def _drawn(sizes: tuple[int, ...], draws: int, seed: int) -> tuple[Drawn, Floats]:
    """How often each draw takes each unit (draws, units), for consecutive strata of the given sizes.

    Also the weight of each unit, shape (units,): above 1, because each stratum is drawn one unit short.
    """
    rng = np.random.default_rng(seed)
    taken, scale, start = np.ones((draws, sum(sizes)), np.uint16), np.ones(sum(sizes)), 0
    for size in sizes:
        members = slice(start, start + size)
        start += size
        if size > 1:
            for part in _blocks(taken, size):
                part[:, members] = _with_replacement(rng, size, len(part))
            scale[members] = size / (size - 1)
    taken.setflags(write=False)
    return taken, scale


def _blocks(draws: Drawn, units: int) -> Iterator[Drawn]:
    """The draws in order, in blocks that fit in memory for this number of units."""
    step = max(_AT_ONCE // max(units, 1), 1)
    for start in range(0, len(draws), step):
        yield draws[start : start + step]


def _with_replacement(rng: np.random.Generator, size: int, draws: int) -> NDArray[np.int64]:
    """How often each of `size` units is among `size` − 1 units drawn with replacement, shape (draws, size)."""
    picked = rng.integers(0, size, (draws, size - 1), np.uint16 if size < 2**16 else np.int64)
    places = picked + np.arange(0, draws * size, size)[:, None]
    return np.bincount(places.ravel(), minlength=draws * size).reshape(draws, size)


def sign_flip_p(differences: ArrayLike, *, draws: int = 9999, seed: int = 0) -> float:
    """The two-sided p of the sign-flip test: under the hypothesis, each unit's difference has either sign equally.

    `differences`, shape (units,), are the units' shares of the statistic, which is their sum. With at most 13 units all
    sign patterns are counted; otherwise `draws` random patterns and the observed one.

    >>> sign_flip_p([1, 2, 3, 4])
    0.125
    """
    values = np.asarray(differences, float)
    share, equal = np.unique(np.abs(values[values != 0]), return_counts=True)
    units = int(equal.sum())
    if units == 0:
        return 1.0
    observed = abs(float(values.sum())) - 1e-12 * float(share @ equal)
    if units <= 13:
        each = np.repeat(share, equal)
        signs = 1 - 2 * ((np.arange(2**units)[:, None] >> np.arange(units)) & 1)
        return float((np.abs(signs @ each) >= observed).mean())
    rng = np.random.default_rng(seed)
    hits, step = 0, max(_AT_ONCE // len(share), 1)
    for start in range(0, draws, step):
        # The number of units that keep their sign, among those with the same absolute difference.
        kept = rng.binomial(equal, 0.5, (min(step, draws - start), len(share)))
        hits += int((np.abs((2 * kept - equal) @ share) >= observed).sum())
    return (1 + hits) / (1 + draws)
