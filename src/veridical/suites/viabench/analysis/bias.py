"""Bias apart from sensitivity and from guessing: a preference for the usual answer, and for Yes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.records import SHARE, Estimate, Z
from veridical.stats import Fitted, Interval, Table, detection, yes_bias
from veridical.suite.contrasts import difference
from veridical.suite.rates import Slice, unit_sums
from veridical.suites.viabench.analysis.replies import pieces
from veridical.suites.viabench.puzzles.puzzle import NO, YES

_ANOMALY, _FORWARD = pl.col("variant") == "unusual", pl.col("polarity") == "forward"
_DETECTION = (
    "a hit is an answer other than the usual one on an anomaly, a false alarm one on its normal version; log-linear "
    "correction; of answered, 'Not Sure' apart; Student's interval from a bootstrap of units within families"
)
_BIAS = (
    "P(Yes | as stated) + P(Yes | turned round) − 1, of answered, 'Not Sure' apart; Student's interval from a "
    "bootstrap of units within families"
)


def detections(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`d_prime` and `criterion` of anomalies against their normal versions, over all and by family.

    Only families count whose usual answer is right on the normal version.
    """
    chosen = _decided(rows).filter(pl.col("category") == "anomalies").drop_nulls("usual")
    chosen = chosen.with_columns((1 - pl.col("as_usual")).alias("other"))
    for keys in ((), ("family",)):
        for piece in pieces(chosen, chosen, keys, {}, note):
            (other, trials), strata = _sums(piece.rows, "other", _ANOMALY)
            fitted = detection(Table(other[0], trials[0], other[1], trials[1]), strata)
            lacking = fitted.reason or "a rate of 0 or 1 sets no bound on its far side"
            yield _estimate(piece, "d_prime", fitted.d_prime, lacking)
            yield _estimate(piece, "criterion", fitted.criterion, lacking)


def beyond_guessing(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`recall beyond guessing`: the usual answer where it is wrong − any one other wrong option, on unusual pictures.

    Over all, by category and by family. With two options the other wrong one can only be chosen where the usual answer
    is right; with more, the others that are chosen beside the usual one count, divided by their number.
    """
    leaning = rows.filter((pl.col("variant") == "unusual") & pl.col("usual").is_not_null())
    misled, others = pl.col("usual") != pl.col("label"), pl.col("live_options") - 2
    another = pl.col("sure_and_wrong") * (1 - pl.col("as_usual"))
    sides = pl.concat(
        [
            leaning.filter(misled).with_columns(pl.col("as_usual").alias("taken"), pl.lit("usual").alias("wrong")),
            leaning.filter(misled & (others > 0)).with_columns(
                (another / others).alias("taken"), pl.lit("other").alias("wrong")
            ),
            leaning.filter(~misled & (others == 0)).with_columns(
                another.alias("taken"), pl.lit("other").alias("wrong")
            ),
        ]
    )
    words = (pl.col("wrong") == "usual", pl.col("wrong") == "other", "the usual wrong option − any one other")
    for keys in ((), ("category",), ("family",)):
        for piece in pieces(leaning, sides, keys, {}, note):
            yield difference(piece, "recall beyond guessing", "taken", words)


def polarity_bias(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`polarity bias`: how much more often Yes is said than the questions warrant, over all yes-no questions."""
    yes_no = pl.col("option").is_in([YES, NO]) & (pl.col("polarity") != "none")
    binary = _decided(rows).filter(yes_no)
    answers = binary.with_columns((pl.col("option") == YES).cast(pl.Float64).alias("yes"))
    for piece in pieces(answers, answers, (), {}, note):
        (yes, trials), strata = _sums(piece.rows, "yes", _FORWARD)
        fitted = yes_bias(yes[0], yes[1], trials[0], trials[1], strata)
        yield _estimate(piece, "polarity bias", fitted, "no yes-no questions of both polarities were answered")


def _decided(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("option").is_not_null() & (pl.col("kind") != "unsure"))


def _sums(
    rows: pl.DataFrame, column: str, first: pl.Expr
) -> tuple[tuple[NDArray[np.float64], NDArray[np.float64]], NDArray[np.int64]]:
    side = rows.select(pl.when(first).then(0).otherwise(1).alias("side"))["side"].to_numpy()
    sums, counts, strata = unit_sums(rows, (column,), side, 2)
    return (sums[..., 0].T, counts.T), strata


def _estimate(piece: Slice, metric: str, fitted: Fitted, lacking: str) -> Estimate:
    bias = metric == "polarity bias"
    reason = None if fitted.identified else lacking
    bounds = Interval(fitted.low, fitted.high)
    return piece.estimate(metric, SHARE if bias else Z, _BIAS if bias else _DETECTION, fitted.value, bounds, reason)
