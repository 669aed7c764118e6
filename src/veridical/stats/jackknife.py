"""Leaving out one unit at a time: the standard error of any statistic of clustered rows, and what statistics return."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from veridical.stats.intervals import Interval

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


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


def undefined(n: int, units: int, method: str, reason: str) -> Statistic:
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


def around(value: float, error: float, df: float, level: float = 0.95) -> Interval:
    """Student's interval of a value with its standard error, on `df` degrees of freedom.

    >>> [round(bound, 3) for bound in around(0.5, 0.1, df=9)]
    [0.274, 0.726]
    """
    half = float(scipy.special.stdtrit(df, 0.5 + level / 2)) * error
    return Interval(value - half, value + half)


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
    low, high = around(middle, float(np.sqrt(jackknife_error(left_out) ** 2 + added)), units, level)
    value = 1 - observed / expected
    assert low is not None
    assert high is not None
    return Interval(min(max(low, -1.0), value), min(max(high, value), 1.0))
