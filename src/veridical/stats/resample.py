"""Resampling of whole units, or leaving one out: the pictures of one base item are not independent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from veridical.stats.intervals import Interval
from veridical.stats.rates import Rates

Floats = NDArray[np.float64]
Drawn = NDArray[np.uint16]

_AT_ONCE = 2_000_000
"""Numbers processed at a time: all draws of many units would not fit in memory."""

Codes = NDArray[np.int64]


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
        self._strata = _resampled_together(strata)
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


def _resampled_together(strata: NDArray[np.int64]) -> Codes:
    """The strata as numbers from 0 up, those of a single unit as one; slices of the same design then share draws."""
    names, place, size = np.unique(strata, return_inverse=True, return_counts=True)
    return np.unique(np.where(size[place] < 2, len(names), place), return_inverse=True)[1].astype(np.int64)


def unit_weights(strata: NDArray[np.int64], *, draws: int = 1000, seed: int = 0) -> tuple[Floats, int]:
    """The weight of each unit in each bootstrap draw, shape (draws, units), and the degrees of freedom.

    `strata`, shape (units,), names the stratum of each unit; they are resampled as `Cells` does, with a mean weight of
    1.

    >>> weights, df = unit_weights(np.array([0, 0, 1, 1, 1]), draws=200)
    >>> weights.shape, df, bool((abs(weights[:, :2].sum(1) - 2) < 1e-9).all())
    ((200, 5), 3, True)
    """
    own = _resampled_together(strata)
    order = np.argsort(own, kind="stable")
    drawn, scale = _drawn(tuple(np.bincount(own).tolist()), draws, seed)
    weights = np.empty(drawn.shape)
    weights[:, order] = drawn * scale
    return weights, len(own) - len(np.unique(own))


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
        return float((np.abs(_sign_patterns(units) @ each) >= observed).mean())
    rng = np.random.default_rng(seed)
    hits, step = 0, max(_AT_ONCE // len(share), 1)
    for start in range(0, draws, step):
        # The number of units that keep their sign, among those with the same absolute difference.
        kept = rng.binomial(equal, 0.5, (min(step, draws - start), len(share)))
        hits += int((np.abs((2 * kept - equal) @ share) >= observed).sum())
    return (1 + hits) / (1 + draws)


@lru_cache(maxsize=13)
def _sign_patterns(units: int) -> NDArray[np.float64]:
    """All patterns of signs of so many units, shape (patterns, units)."""
    signs = np.asarray(1.0 - 2.0 * ((np.arange(2**units)[:, None] >> np.arange(units)) & 1), np.float64)
    signs.setflags(write=False)
    return signs


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """A number from `n` rows of so many `units` with its interval and method; or no value, and the reason.

    If there is a value, bounds of `None` mean that these rows set no interval; `reason` says why.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    units: int
    method: str
    reason: str | None = None

    @property
    def interval(self) -> Interval:
        """Both bounds."""
        return Interval(self.low, self.high)


def undefined_statistic(n: int, units: int, method: str, reason: str) -> Statistic:
    """A statistic without a value."""
    return Statistic(value=None, low=None, high=None, n=n, units=units, method=method, reason=reason)


def unit_codes(units: ArrayLike | None, rows: int) -> Codes:
    """The unit of each row as a number from 0 up; each row is its own unit where none are named.

    Raises ValueError if there are not as many names as rows.
    """
    if units is None:
        return np.arange(rows)
    names = np.asarray(units)
    if names.shape != (rows,):
        raise ValueError(f"units of shape {names.shape} for {rows} rows: one unit for each row is needed")
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def unit_sums(rows: Floats, codes: Codes) -> Floats:
    """Sums of rows by unit, shape (units, ...), of rows of shape (rows, ...)."""
    sums = np.zeros((int(codes.max(initial=-1)) + 1, *rows.shape[1:]))
    np.add.at(sums, codes, rows)
    return sums


def jackknife_error(left_out: ArrayLike) -> float:
    """The standard error of a statistic from its values without each unit (Efron and Stein 1981).

    Of a mean it is the textbook one.

    >>> values = np.array([1.0, 2.0, 3.0, 6.0])
    >>> round(jackknife_error((values.sum() - values) / 3), 6), round(float(values.std(ddof=1)) / 2, 6)
    (1.080123, 1.080123)
    """
    values = np.asarray(left_out, float)
    n = len(values)
    return float(np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum()))


def student_interval(value: float, error: float, df: float, level: float = 0.95) -> tuple[float, float]:
    """Student's interval of a value with its standard error, on `df` degrees of freedom.

    >>> [round(bound, 3) for bound in student_interval(0.5, 0.1, df=9)]
    [0.274, 0.726]
    """
    half = float(scipy.special.stdtrit(df, 0.5 + level / 2)) * error
    return value - half, value + half


def disagreement_interval(
    observed: float, expected: float, left_out: Floats, rows: float, level: float = 0.95
) -> Interval:
    """The interval of 1 − observed / expected disagreement, as kappa and alpha are, from the values without each unit.

    Disagreement is in units of that of two different ratings on average. One unit that disagrees by half is added, of
    variance 1/4 + 1.4 / rows², for units of so many `rows` on average; so the interval is no point where all agree.
    Where each unit has one row and none disagrees, it is about the mid-P interval.
    """
    units = len(left_out)
    middle = 1 - (units * observed + 0.5) / (units + 1) / expected
    added = (0.25 + 1.4 / rows**2) / (expected * (units + 1)) ** 2
    low, high = student_interval(middle, float(np.sqrt(jackknife_error(left_out) ** 2 + added)), units, level)
    value = 1 - observed / expected
    return Interval(min(max(low, -1.0), value), min(max(high, value), 1.0))
