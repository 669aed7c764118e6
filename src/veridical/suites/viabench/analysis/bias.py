"""Bias apart from sensitivity and from guessing: a preference for the usual answer, and for Yes."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from veridical.records import Estimate
from veridical.suite import sensitivity
from veridical.suite.contrasts import difference
from veridical.suite.sensitivity import yes_bias_estimate
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
    for piece in pieces(chosen, [(), ("family",)], {}, note):
        yield from sensitivity.detections(piece, "other", _ANOMALY, _DETECTION)


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
    for piece in pieces(leaning, [(), ("category",), ("family",)], {}, note, sides):
        yield difference(piece, "recall beyond guessing", "taken", words)


def polarity_bias(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`polarity bias`: how much more often Yes is said than the questions warrant, over all yes-no questions."""
    yes_no = pl.col("option").is_in([YES, NO]) & (pl.col("polarity") != "none")
    binary = _decided(rows).filter(yes_no)
    answers = binary.with_columns((pl.col("option") == YES).cast(pl.Float64).alias("yes"))
    (piece,) = pieces(answers, note=note)
    lacking = "no yes-no questions of both polarities were answered"
    yield yes_bias_estimate(piece, "polarity bias", "yes", _FORWARD, _BIAS, lacking)


def _decided(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("option").is_not_null() & (pl.col("kind") != "unsure"))
