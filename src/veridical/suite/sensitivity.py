"""Sensitivity and bias of a slice's replies as estimates: d', criterion, and the bias toward yes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.records import SHARE, Estimate, Unit, Z
from veridical.stats import FittedNumber, Interval, SignalCounts, detection, yes_bias
from veridical.suite.rates import Slice, unit_sums

NO_FAR_BOUND = "a rate of 0 or 1 sets no bound on its far side"
OF_ANSWERED = "log-linear correction; of answered; Student's interval from a bootstrap of units within"
"""How a d' and a criterion are made; the word for families follows."""


def detection_table(rows: pl.DataFrame, column: str, signal: pl.Expr) -> tuple[SignalCounts, NDArray[np.int64]]:
    """The sums of a 0/1 column by unit, of rows with the signal and without, and each unit's family as a number."""
    side = rows.select(pl.when(signal).then(0).otherwise(1).alias("side_of"))["side_of"].to_numpy()
    sums, counts, strata = unit_sums(rows, (column,), side, 2)
    return SignalCounts(sums[:, 0, 0], counts[:, 0], sums[:, 1, 0], counts[:, 1]), strata


def fitted_estimate(piece: Slice, metric: str, unit: Unit, method: str, fitted: FittedNumber, lacking: str) -> Estimate:
    """A fitted number as an estimate; `lacking` is the reason where it has no value, or no bound on one side."""
    reason = None if fitted.identified else lacking
    return piece.estimate(metric, unit, method, fitted.value, Interval(fitted.low, fitted.high), reason)


def detections(
    piece: Slice,
    column: str,
    signal: pl.Expr,
    method: str,
    metrics: tuple[str, str] = ("d_prime", "criterion"),
    kinds: str = "",
) -> Iterator[Estimate]:
    """d' and criterion of a 0/1 column that says "signal"; rows without a value are left out.

    `kinds` names both kinds of trials in the reason, where one is missing.
    """
    fitted = detection(*detection_table(piece.rows.drop_nulls(column), column, signal))
    lacking = fitted.reason or NO_FAR_BOUND
    if kinds:
        lacking = lacking.replace("trials with and without a difference", kinds)
    for metric, own in zip(metrics, (fitted.d_prime, fitted.criterion), strict=True):
        yield fitted_estimate(piece, metric, Z, method, own, lacking)


def yes_bias_estimate(piece: Slice, metric: str, column: str, forward: pl.Expr, method: str, lacking: str) -> Estimate:
    """P(yes | forward) + P(yes | reversed) − 1 of a 0/1 column."""
    (yes, asked, yes_reversed, asked_reversed), strata = detection_table(piece.rows, column, forward)
    fitted = yes_bias(yes, yes_reversed, asked, asked_reversed, strata)
    return fitted_estimate(piece, metric, SHARE, method, fitted, lacking)
