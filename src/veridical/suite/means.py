"""Means of values between 0 and 1, and shares of sums, of clustered rows with their intervals."""

from __future__ import annotations

import numpy as np
import polars as pl

from veridical.records import PROPORTION, Estimate, Unit
from veridical.stats import Interval, Rates
from veridical.suite.clusters import clustered, unit_sums
from veridical.suite.rates import NOTHING, Slice, mean_rate

MEAN_METHOD = "Student's interval over units within families, one half-right unit added"


def twice(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows, each twice: a mean over them has Student's interval over units, not that of single yes-no outcomes."""
    return pl.concat([rows, rows])


def mean_score(piece: Slice, metric: str, column: str, unit: Unit, method: str) -> Estimate:
    """The mean of a column of values from 0 to 1, pooled over rows; rows without a value are in the bounds alone.

    With such rows the interval reaches from the lower bound with all of them at 0 to the upper with all of them at 1.
    """
    method = f"{method}; {MEAN_METHOD}"
    valued = piece.rows.drop_nulls(column)
    if valued.is_empty():
        return piece.estimate(metric, unit, method, None, NOTHING, "nothing to count")
    value, bounds = _mean(valued, column)
    missing = len(piece.rows) - len(valued)
    if missing:
        ends = [_mean(piece.rows.with_columns(pl.col(column).fill_null(fill)), column)[1] for fill in (0.0, 1.0)]
        bounds = Interval(ends[0].low, ends[1].high)
        method = f"{method}; bounds with the {missing:,} without a verdict at 0 and at 1"
    return piece.estimate(metric, unit, method, value, bounds)


def _mean(rows: pl.DataFrame, column: str) -> tuple[float, Interval]:
    every = twice(rows)
    return mean_rate(clustered(every, (column,), np.zeros(len(every), np.int64), 1), 0, (1.0,))


def share_of_sums(piece: Slice, metric: str, above: str, below: str, method: str) -> Estimate:
    """The sum of one column as a share of the sum of another, such as steps that are right of those that are checked.

    In each row `above` is between 0 and `below`; rows in which either is null do not count. Each of what `below` counts
    is a yes-no outcome of the row's unit.
    """
    method = f"{method}; {MEAN_METHOD}"
    rows = piece.rows.drop_nulls((above, below))
    sums, _, strata = unit_sums(rows, (above, below), np.zeros(len(rows), np.int64), 1)
    hits, counts = sums[..., 0], sums[..., 1]
    used = counts[:, 0] > 0
    if not used.any():
        return piece.estimate(metric, PROPORTION, method, None, NOTHING, "nothing to count")
    value, low, high = (float(each) for each in Rates(hits[used], counts[used], strata[used]).mean([1.0]))
    return piece.estimate(metric, PROPORTION, method, value, Interval(low, high))
