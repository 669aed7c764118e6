"""How far scores lie from a reference in percent, and how often an impossible answer gets a score above 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from veridical.stats.intervals import Interval, wilson
from veridical.stats.jackknife import Statistic, around, jackknife_error, undefined, unit_codes, unit_sums
from veridical.stats.rates import Rates


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation(Statistic):
    """A mean deviation; `left_out` counts the rows whose reference is 0, which have none."""

    left_out: int = 0


def percentage_error(
    reference: ArrayLike, scores: ArrayLike, *, units: ArrayLike | None = None, level: float = 0.95
) -> Deviation:
    """The mean absolute percentage error of scores, shape (rows,), as a proportion: 0.1 is ten percent.

    A row whose reference is 0 has no percentage: it is left out and counted. The interval is Student's with the
    jackknife's standard error over units, not below 0; where all rows deviate alike there is none. Raises ValueError
    for columns of unequal length.

    >>> found = percentage_error([1, 2, 4, 0], [1, 3, 3, 1])
    >>> found.value, found.n, found.left_out
    (0.25, 3, 1)
    """
    truth, seen = np.asarray(reference, float), np.asarray(scores, float)
    if truth.shape != seen.shape or truth.ndim != 1:
        raise ValueError(f"columns of shapes {truth.shape} and {seen.shape}: two of the same length are needed")
    counted = truth != 0
    left_out = int((~counted).sum())
    codes = unit_codes(None if units is None else np.asarray(units)[counted], int(counted.sum()))
    n, count = len(codes), int(codes.max(initial=-1)) + 1
    method = "mean absolute percentage error, rows of reference 0 left out; jackknife over units"
    if n == 0:
        empty = undefined(0, 0, method, "no row has a reference other than 0")
        return _deviation(empty, None, Interval(None, None), empty.reason, left_out)
    error = np.abs(seen[counted] - truth[counted]) / np.abs(truth[counted])
    value, sums, rows = float(error.mean()), unit_sums(error, codes), np.bincount(codes).astype(float)
    base = undefined(n, count, method, "")
    if count < 2:
        reason = "an interval needs at least two units"
        return _deviation(base, value, Interval(None, None), reason, left_out)
    spread = jackknife_error((sums.sum() - sums) / (n - rows))
    if spread <= 1e-12 * max(value, 1.0):
        return _deviation(base, value, Interval(None, None), "all units deviate alike", left_out)
    low, high = around(value, spread, count - 1, level)
    assert low is not None
    return _deviation(base, value, Interval(max(low, 0.0), high), None, left_out)


def _deviation(base: Statistic, value: float | None, bounds: Interval, reason: str | None, left_out: int) -> Deviation:
    low, high = bounds
    return Deviation(
        value=value,
        low=low,
        high=high,
        n=base.n,
        units=base.units,
        method=base.method,
        reason=reason,
        left_out=left_out,
    )


def false_positive_rate(scores: ArrayLike, *, units: ArrayLike | None = None, level: float = 0.95) -> Statistic:
    """The share of scores above 0 among those of planted answers that cannot be right, with its interval.

    The interval is Wilson's where each row is its own unit, and that of `Rates` otherwise.

    >>> found = false_positive_rate([0, 0, 0, 0.5])
    >>> found.value, round(found.low, 3), round(found.high, 3)
    (0.25, 0.046, 0.699)
    """
    positive = np.asarray(scores, float) > 0
    n, codes = len(positive), unit_codes(units, len(positive))
    count = int(codes.max(initial=-1)) + 1
    if n == 0:
        return undefined(0, 0, "false-positive rate", "no planted answer was judged")
    value = float(positive.mean())
    if count == n:
        low, high = wilson(value, n, level)
        return Statistic(value=value, low=low, high=high, n=n, units=n, method="false-positive rate; Wilson")
    hits, rows = unit_sums(positive.astype(float), codes), np.bincount(codes).astype(float)
    bounds = Rates(hits[:, None], rows[:, None], np.zeros(count), level=level).mean([1.0])
    method = "false-positive rate; Student's interval over units, one half-right unit added"
    return Statistic(value=value, low=float(bounds.low), high=float(bounds.high), n=n, units=count, method=method)
