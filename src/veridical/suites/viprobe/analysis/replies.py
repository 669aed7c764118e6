"""Yes-no replies as what they say of the picture, unchanged ("same") or changed: how far they follow it, and bias."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.records import Counts, Estimate, Json, Z
from veridical.stats import detection_change
from veridical.suite import sensitivity
from veridical.suite.contrasts import Sides, difference
from veridical.suite.rates import unit_sums
from veridical.suite.sensitivity import detection_table, fitted_estimate, yes_bias_estimate
from veridical.suites.viprobe.analysis.pairs import Slice, slice_of, slices

Floats = NDArray[np.float64]

CONTEXTS = {"figure": ("O", "P"), "control": ("OC", "PC"), "clutter": ("OS", "PS"), "hint": ("OH", "PH")}
"""The original and the perturbed picture type of each context."""


def in_contexts(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The trials on pictures with targets: `context`, `magnitude` = |α|, whether the impression is `directed`."""
    contexts = {name: context for context, pair in CONTEXTS.items() for name in pair}
    originals = [original for original, _ in CONTEXTS.values()]
    return outcomes.filter(pl.col("variant").is_in(list(contexts))).with_columns(
        pl.col("variant").replace_strict(contexts, return_dtype=pl.String).alias("context"),
        pl.when(pl.col("variant").is_in(originals)).then(0.0).otherwise(pl.col("alpha")).alias("alpha"),
        pl.col("alpha").abs().alias("magnitude"),
        pl.col("congruent").is_not_null().any().over("family").alias("directed"),
    )


def replies(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The answered yes-no trials of `in_contexts`, with 0/1 columns `same` and `yes`.

    A reply says "same" where it is right of an original or wrong of a perturbed picture; the polarity drops out.
    """
    originals = pl.col("variant").is_in([original for original, _ in CONTEXTS.values()])
    answered = in_contexts(outcomes).filter((pl.col("status") == "answered") & pl.col("gold").is_not_null())
    return answered.with_columns(
        (pl.col("correct") == originals).cast(pl.Float64).alias("same"),
        (pl.col("answer") == "1").cast(pl.Float64).alias("yes"),
    )


def favoured(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The answered comparisons of `in_contexts` on cases whose impression has a direction, with what the fits need.

    `favoured` is 1 where the target was chosen that looks like more, as the impression has it; `value` is the factor's
    value in `factor_unit`. Which target that is follows from the sign of the value at a strength of known sign.
    """
    factors = pl.col("factors").str
    rows = in_contexts(outcomes).with_columns(
        factors.json_path_match("$.value").cast(pl.Float64, strict=False).alias("value"),
        factors.json_path_match("$.value_unit").alias("factor_unit"),
        pl.col("expects").str.json_path_match("$.options[0]").alias("first"),
    )
    sign = (pl.col("value") * pl.col("alpha")).sign()
    rows = rows.with_columns(sign.filter(sign != 0).first().over("unit").alias("orientation"))
    chosen = (pl.col("answer") == pl.col("first")) == (pl.col("orientation") > 0)
    measured = pl.col("directed") & pl.col("orientation").is_not_null() & (pl.col("status") == "answered")
    return rows.filter(measured).with_columns(chosen.cast(pl.Float64).alias("favoured"))


def by_unit_and_level(rows: pl.DataFrame, column: str) -> tuple[Floats, Floats, Floats, NDArray[np.int64]]:
    """Levels of α (levels,); sums of a 0/1 column and counts, (units, levels); and each unit's case as a number.

    Rows of unknown strength are left out.
    """
    rows = rows.drop_nulls("alpha")
    levels, level = np.unique(rows["alpha"].to_numpy(), return_inverse=True)
    sums, counts, strata = unit_sums(rows, (column,), level, len(levels))
    return levels, sums[..., 0], counts, strata


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
    lacking = "no questions of both polarities were answered"
    for key in ((), ("context",)):
        for piece in slices(planned, answered, key, {}, note):
            yield yes_bias_estimate(piece, "yes_bias", "yes", _FORWARD, _BIAS, lacking)


def detections(planned: pl.DataFrame, answered: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`d_prime` and `criterion` of changed against unchanged: per context, per context x |α|, per case x context."""
    for key in (("context",), ("case", "context")):
        for piece in slices(planned, answered, key, {}, note):
            yield from _detected(piece)
    for magnitude in sorted(answered.filter(_CHANGED)["magnitude"].drop_nulls().unique()):
        near = (pl.col("magnitude") == magnitude) | ~_CHANGED
        for piece in slices(planned.filter(near), answered.filter(near), ("context",), {}, note):
            yield from _detected(replace(piece, where={**piece.where, "magnitude": magnitude}))


def _detected(piece: Slice) -> Iterator[Estimate]:
    changed = replace(piece, rows=piece.rows.with_columns((1 - pl.col("same")).alias("changed")))
    return sensitivity.detections(changed, "changed", _CHANGED, _DETECTION)


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
    (first, strata), (second, _) = (
        detection_table(rows.with_columns((1 - pl.col("same")).alias("changed")), "changed", _CHANGED)
        for rows in (one, two)
    )
    change = detection_change(first, second, strata)
    piece = slice_of(where, two, Counts.of(trials))
    lacking = change.reason or "the replies leave it open"
    for metric, fitted, p in (
        ("d_prime_change", change.d_prime, change.d_prime_p),
        ("criterion_change", change.criterion, change.criterion_p),
    ):
        yield replace(fitted_estimate(piece, metric, Z, _CHANGE, fitted, lacking), p=p)
