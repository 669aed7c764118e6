"""Sensitivity and bias apart: how far replies follow the picture, and what they do whatever it shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.records import SHARE, Counts, Estimate, Json, Z
from veridical.stats import Fitted, Interval, Table, detection, detection_change, yes_bias
from veridical.suite.contrasts import Sides, difference
from veridical.suite.rates import unit_sums
from veridical.suites.viprobe.analysis.pairs import Slice, slice_of, slices
from veridical.suites.viprobe.analysis.replies import CONTEXTS

Keys = tuple[str, ...]

_CHANGED = pl.col("variant").is_in([changed for _, changed in CONTEXTS.values()])
_FORWARD = pl.col("polarity") == "forward"
_RESPONSE: Sides = (
    _CHANGED,
    ~_CHANGED,
    "replies that say changed, on perturbed pictures − on originals; of answered",
)
_BIAS = (
    "P(yes | forward) + P(yes | reversed) − 1, of answered; Student's interval from a bootstrap of units within cases"
)
_DETECTION = (
    "a hit says changed of a perturbed picture, a false alarm of an original; log-linear correction; of answered; "
    "Student's interval from a bootstrap of units within cases"
)
_CHANGE = (
    "paired by unit; log-linear correction; of answered; Student's interval from a bootstrap of units, sign-flip test"
)


def responses(
    planned: pl.DataFrame, answered: pl.DataFrame, note: str, keys: Sequence[Keys] = (("context",), ("case", "context"))
) -> Iterator[Estimate]:
    """`response`: how much more often a change is reported where there is one, in points, per slice of `keys`.

    100 is an observer that follows the picture, 0 one whose replies do not depend on it.
    """
    rows = answered.with_columns((1 - pl.col("same")).alias("changed"))
    for key in keys:
        for piece in slices(planned, rows, key, {}, note):
            yield difference(piece, "response", "changed", _RESPONSE)


def biases(planned: pl.DataFrame, answered: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`yes_bias` in [−1, 1], overall and per context: above 0 the observer says yes whatever is asked, below 0 no."""
    for key in ((), ("context",)):
        for piece in slices(planned, answered, key, {}, note):
            (yes, totals), strata = _sums(piece.rows, "yes", (_FORWARD, ~_FORWARD))
            fitted = yes_bias(yes[0], yes[1], totals[0], totals[1], strata)
            yield _estimate(piece, "yes_bias", _BIAS, fitted, "no questions of both polarities were answered")


def detections(planned: pl.DataFrame, answered: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`d_prime` and `criterion` of changed against unchanged: per context, per context x |α|, per case x context."""
    for key in (("context",), ("case", "context")):
        for piece in slices(planned, answered, key, {}, note):
            yield from _detected(piece)
    for magnitude in sorted(answered.filter(_CHANGED)["magnitude"].drop_nulls().unique()):
        near = (pl.col("magnitude") == magnitude) | ~_CHANGED
        for piece in slices(planned.filter(near), answered.filter(near), ("context",), {}, note):
            yield from _detected(replace(piece, where={**piece.where, "magnitude": magnitude}))


def detection_changes(
    before: pl.DataFrame, after: pl.DataFrame, trials: pl.DataFrame, where: dict[str, Json]
) -> Iterator[Estimate]:
    """`d_prime_change` and `criterion_change` from one set of replies to another, on the units that both have.

    Both frames hold `replies` of one context each, `trials` what was planned of the second.
    """
    one = before.join(after.select("unit").unique(), on="unit", how="semi")
    two = after.join(before.select("unit").unique(), on="unit", how="semi")
    if one.is_empty() or two.is_empty():
        return
    (first, strata), (second, _) = _table(one), _table(two)
    change = detection_change(first, second, strata)
    piece = slice_of(where, two, Counts.of(trials))
    lacking = change.reason or "the replies leave it open"
    parts = (
        ("d_prime_change", change.d_prime, change.d_prime_p),
        ("criterion_change", change.criterion, change.criterion_p),
    )
    for metric, fitted, p in parts:
        yield replace(_estimate(piece, metric, _CHANGE, fitted, lacking), p=p)


def _detected(piece: Slice) -> Iterator[Estimate]:
    estimated = detection(*_table(piece.rows))
    lacking = estimated.reason or "a rate of 0 or 1 sets no bound on its far side"
    yield _estimate(piece, "d_prime", _DETECTION, estimated.d_prime, lacking)
    yield _estimate(piece, "criterion", _DETECTION, estimated.criterion, lacking)


def _table(rows: pl.DataFrame) -> tuple[Table, NDArray[np.int64]]:
    """Hits and false alarms by unit, and each unit's case as a number."""
    (changed, totals), strata = _sums(
        rows.with_columns((1 - pl.col("same")).alias("changed")), "changed", (_CHANGED, ~_CHANGED)
    )
    return Table(changed[0], totals[0], changed[1], totals[1]), strata


def _sums(
    rows: pl.DataFrame, column: str, sides: tuple[pl.Expr, pl.Expr]
) -> tuple[tuple[NDArray[np.float64], NDArray[np.float64]], NDArray[np.int64]]:
    """Sums of a column and counts, both of shape (2 sides, units), and the stratum of each unit."""
    side = rows.select(pl.when(sides[0]).then(0).otherwise(1).alias("side"))["side"].to_numpy()
    sums, counts, strata = unit_sums(rows, (column,), side, 2)
    return (sums[..., 0].T, counts.T), strata


def _estimate(piece: Slice, metric: str, method: str, fitted: Fitted, lacking: str) -> Estimate:
    reason = None if fitted.identified else lacking
    return piece.estimate(
        metric, Z if "bias" not in metric else SHARE, method, fitted.value, Interval(*fitted[1:]), reason
    )
