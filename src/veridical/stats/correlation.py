"""Correlation of two columns of scores with intervals on Fisher's z scale, and deviation from a reference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from veridical.stats.intervals import wilson
from veridical.stats.rates import Rates
from veridical.stats.resample import (
    Codes,
    Floats,
    Statistic,
    jackknife_error,
    student_interval,
    undefined_statistic,
    unit_codes,
    unit_sums,
)

_AT_ONCE = 4_000_000
"""Comparisons at a time: those of all pairs of many rows would not fit in memory."""


def pearson(first: ArrayLike, second: ArrayLike, *, units: ArrayLike | None = None, level: float = 0.95) -> Statistic:
    """Pearson's correlation of two columns, shape (rows,) each, in [-1, 1], with its interval.

    The interval is Fisher's where each row is its own unit; otherwise Student's on the z scale, with the jackknife's
    standard error over units. Of a perfect correlation, the bound on the side of 0 is Fisher's for the correlation
    after one uncorrelated row. No value if a column has fewer than two rows or is constant. Raises ValueError for
    columns of unequal length.

    >>> found = pearson([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5])
    >>> [round(each, 3) for each in (found.value, found.low, found.high)]
    [0.829, 0.052, 0.981]
    >>> pearson([1, 1, 1], [1, 2, 3]).reason
    'all values of one column are the same'
    """
    one, two, codes = _columns(first, second, units)
    return _correlated(one, two, codes, "Pearson's correlation", 1.0, level)


def spearman(first: ArrayLike, second: ArrayLike, *, units: ArrayLike | None = None, level: float = 0.95) -> Statistic:
    """Spearman's rank correlation of two columns, shape (rows,) each, in [-1, 1], with its interval.

    As `pearson` of the ranks, tied ones in the middle; the variance on the z scale is that of Bonett and Wright (2000),
    (1 + r² / 2) / (n − 3).

    >>> found = spearman([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 50])
    >>> [round(each, 3) for each in (found.value, found.low, found.high)]
    [0.886, 0.066, 0.992]
    """
    one, two, codes = _columns(first, second, units)
    ranks = (average_ranks(one), average_ranks(two)) if len(one) else (one, two)
    rho = float(np.corrcoef(*ranks)[0, 1]) if _varies(one) and _varies(two) else 0.0
    return _correlated(one, two, codes, "Spearman's correlation", 1 + rho**2 / 2, level, ranks=ranks)


def average_ranks(values: Floats) -> Floats:
    """The ranks of values from 1 up, those of ties in their middle."""
    _, place, size = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(size) - (size - 1) / 2)[place])


def _columns(first: ArrayLike, second: ArrayLike, units: ArrayLike | None) -> tuple[Floats, Floats, Codes]:
    one, two = np.asarray(first, float), np.asarray(second, float)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(f"columns of shapes {one.shape} and {two.shape}: two of the same length are needed")
    return one, two, unit_codes(units, len(one))


def _varies(values: Floats) -> bool:
    return len(values) > 1 and bool(np.ptp(values) > 0)


def _correlated(
    one: Floats,
    two: Floats,
    codes: Codes,
    name: str,
    spread: float,
    level: float,
    ranks: tuple[Floats, Floats] | None = None,
) -> Statistic:
    """The correlation of columns, or of their ranks; `spread` is (n − 3) times the variance on the z scale."""
    n, count = len(one), int(codes.max(initial=-1)) + 1
    clustered = count < n
    method = f"{name}; {'jackknife over units' if clustered else 'Fisher'} on the z scale"
    if n < 2:
        return undefined_statistic(n, count, method, "fewer than two rows")
    if not (_varies(one) and _varies(two)):
        return undefined_statistic(n, count, method, "all values of one column are the same")
    columns = ranks or (one, two)
    value = float(np.clip(_of(_moments(*columns)), -1, 1))
    if count < 4:
        reason = "an interval needs at least four units"
        return Statistic(value=value, low=None, high=None, n=n, units=count, method=method, reason=reason)
    if abs(value) > 1 - 1e-12:
        low, high = _perfect(round(value), count, spread, level)
    elif clustered:
        without = _left_out(one, two, codes) if ranks else _of(_without(columns, codes))
        without = np.clip(without, -1 + 1e-12, 1 - 1e-12)
        low, high = _back(
            student_interval(float(np.arctanh(value)), jackknife_error(np.arctanh(without)), count - 1, level)
        )
    else:
        low, high = _fisher(value, count, spread, level)
    return Statistic(value=value, low=low, high=high, n=n, units=count, method=method)


def _fisher(value: float, units: int, spread: float, level: float) -> tuple[float, float]:
    return _back(student_interval(float(np.arctanh(value)), float(np.sqrt(spread / (units - 3))), np.inf, level))


def _perfect(sign: int, units: int, spread: float, level: float) -> tuple[float, float]:
    """The interval of a perfect correlation: it ends at 1 or −1, and is no point."""
    low, high = _fisher(sign * units / (units + 1), units, spread, level)
    return (low, 1.0) if sign > 0 else (-1.0, high)


def _back(bounds: tuple[float, float]) -> tuple[float, float]:
    low, high = np.tanh(bounds)
    return float(low), float(high)


def _moments(one: Floats, two: Floats) -> Floats:
    """Sums of both columns, their squares and their product, around the overall means, and the number of rows."""
    one, two = one - one.mean(), two - two.mean()
    return np.asarray(_terms(one, two).sum(0))


def _terms(one: Floats, two: Floats) -> Floats:
    return np.asarray(np.stack([one, two, one * one, two * two, one * two, np.ones(len(one))], -1))


def _without(columns: tuple[Floats, Floats], codes: Codes) -> Floats:
    """The moments without each unit, shape (units, 6)."""
    terms = _terms(*(column - column.mean() for column in columns))
    return np.asarray(terms.sum(0) - unit_sums(terms, codes))


def _of(moments: Floats) -> Floats:
    """The correlation of moments with any leading axes; 0 where a column is constant."""
    a, b, aa, bb, ab, n = np.moveaxis(moments, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        below = np.sqrt(np.maximum(aa - a * a / n, 0) * np.maximum(bb - b * b / n, 0))
        return np.asarray(np.where(below > 0, (ab - a * b / n) / below, 0.0))


def _left_out(one: Floats, two: Floats, codes: Codes) -> Floats:
    """The rank correlation without each unit: those that remain are ranked anew."""
    order = np.argsort(codes, kind="stable")
    one, two, codes = one[order], two[order], codes[order]
    starts = np.unique(codes, return_index=True)[1]
    moments, step = [], max(_AT_ONCE // len(one), 1)
    ends = np.append(starts[1:], len(one))
    ranks = [average_ranks(column) for column in (one, two)]
    for start, end in zip(starts, ends, strict=True):
        kept = np.r_[0:start, end : len(one)]
        less = [_below(column, column[start:end], step)[kept] for column in (one, two)]
        moments.append(_moments(*(rank[kept] - fewer for rank, fewer in zip(ranks, less, strict=True))))
    return _of(np.array(moments))


def _below(values: Floats, gone: Floats, step: int) -> Floats:
    """By how much the rank of each value falls without those that are gone, a tie counting half."""
    total = np.zeros(len(values))
    for start in range(0, len(gone), step):
        part = gone[start : start + step, None]
        total += (part < values).sum(0) + 0.5 * (part == values).sum(0)
    return total


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
    made = partial(Deviation, n=n, units=count, method=method, left_out=left_out)
    if n == 0:
        return made(value=None, low=None, high=None, reason="no row has a reference other than 0")
    error = np.abs(seen[counted] - truth[counted]) / np.abs(truth[counted])
    value, sums, rows = float(error.mean()), unit_sums(error, codes), np.bincount(codes).astype(float)
    if count < 2:
        return made(value=value, low=None, high=None, reason="an interval needs at least two units")
    spread = jackknife_error((sums.sum() - sums) / (n - rows))
    if spread <= 1e-12 * max(value, 1.0):
        return made(value=value, low=None, high=None, reason="all units deviate alike")
    low, high = student_interval(value, spread, count - 1, level)
    return made(value=value, low=max(low, 0.0), high=high)


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
        return undefined_statistic(0, 0, "false-positive rate", "no planted answer was judged")
    value = float(positive.mean())
    if count == n:
        low, high = wilson(value, n, level)
        return Statistic(value=value, low=low, high=high, n=n, units=n, method="false-positive rate; Wilson")
    hits, rows = unit_sums(positive.astype(float), codes), np.bincount(codes).astype(float)
    bounds = Rates(hits[:, None], rows[:, None], np.zeros(count), level=level).mean([1.0])
    method = "false-positive rate; Student's interval over units, one half-right unit added"
    return Statistic(value=value, low=float(bounds.low), high=float(bounds.high), n=n, units=count, method=method)
