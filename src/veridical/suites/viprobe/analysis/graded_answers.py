"""Graded answers: what the probabilities of "changed" tell apart, beside what is said to the same questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import polars as pl

from veridical.records import FORCED_ANSWERS, POINTS, PROBABILITIES, PROPORTION, Counts, Estimate, Unit, Z
from veridical.stats import (
    FittedNumber,
    GradedSensitivity,
    GradedTrials,
    Interval,
    calibration,
    graded_sensitivity,
    rank_threshold,
)
from veridical.suite.rates import NOTHING, Slice
from veridical.suite.sensitivity import detections
from veridical.suites.viprobe.analysis.measures import ALPHA
from veridical.suites.viprobe.analysis.pairs import slice_of, slices
from veridical.suites.viprobe.analysis.replies import CONTEXTS, context_replies
from veridical.suites.viprobe.asking.settings import PRIOR, REASONED, rows_where, with_every_setting

_CHANGED = pl.col("variant").is_in([changed for _, changed in CONTEXTS.values()])
_METHOD = (
    "P(changed) among the two answers, pictures of one polarity compared among themselves; of answered with a "
    "probability; Student's interval from a bootstrap of units within cases"
)
_SPOKEN = (
    "the same replies as answers; log-linear correction; Student's interval from a bootstrap of units within cases"
)
_THRESHOLD = "isotonic in |α|, at d' = 1 of ranks; expanded percentiles of a bootstrap of units within cases"
_UNREACHED = "d' of the strongest changes stays below 1, or its interval does"
_FORCED = next(iter(FORCED_ANSWERS))
_AFTER = "the answers were given after reasons, and their probabilities before"
_ONCE = "each question was asked once: repeats at a temperature above 0 are needed"
_NEEDED = ("grade", "said")


@dataclass(frozen=True)
class _GradedPart:
    """A metric of graded answers: which field of `GradedSensitivity` it is, its unit, and its factor in that unit."""

    metric: str
    field: str
    unit: Unit
    factor: float = 1.0


_PARTS = (
    _GradedPart("graded_area", "area", PROPORTION),
    _GradedPart("graded_d_prime", "d_prime", Z),
    _GradedPart("neutral_probability", "neutral", PROPORTION),
    _GradedPart("graded_response", "response", POINTS, 100.0),
    _GradedPart("spoken_response", "spoken", POINTS, 100.0),
    _GradedPart("spoken_gap", "gap", POINTS, 100.0),
)


def graded_rows(outcomes: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The yes-no trials asked in a way in which any reply has a probability, and those replies that have one.

    The replies have `grade`, the probability of the answer that says "changed" among the two answers, and `said`,
    whether it was given; with replies that are the answer alone, they are these. `forced` says whether the probability
    is that of an answer without its reasons. Both are empty without probabilities.
    """
    if not PROBABILITIES.keys() <= set(outcomes.columns):
        return outcomes.clear(), outcomes.clear()
    shown = with_every_setting(outcomes).filter((pl.col("sight") != PRIOR) & (pl.col("task") == "yes-no"))
    known = pl.col("probability_of_gold").is_not_null() & pl.col("probability_of_gold").is_finite()
    ways = shown.filter(known).select("instruction", "placement", "rationale").unique()
    ways = rows_where(ways, pl.col("rationale") != REASONED) if (ways["rationale"] != REASONED).any() else ways
    trials = context_replies(shown.join(ways, on=ways.columns, how="semi"))
    rows = trials.filter(known & (pl.col("status") == "answered") & pl.col("gold").is_not_null())
    gold = pl.col("probability_of_gold")
    return trials, rows.with_columns(
        pl.when(_CHANGED).then(gold).otherwise(1 - gold).alias("grade"),
        (pl.col("correct") == _CHANGED).cast(pl.Float64).alias("said"),
        (pl.col(_FORCED) if _FORCED in rows.columns else pl.lit(value=False)).fill_null(value=False).alias("forced"),
    )


def graded_estimates(outcomes: pl.DataFrame) -> Iterator[Estimate]:
    """What graded answers tell apart: by context, context x |α| and case x context; nothing without probabilities.

    With it the share of replies that have a probability, thresholds on ranks by context, and calibration.
    """
    trials, rows = graded_rows(outcomes)
    if rows.is_empty():
        return
    whole = slice_of({}, trials.filter(pl.col("status").is_not_null()), Counts.of(trials))
    held = whole.rows.with_columns(pl.col("probability_of_gold").is_not_null().cast(pl.Float64).alias("held"))
    yield replace(whole, rows=held).rate("graded_share", "held", "replies whose answer has a probability; of all asked")
    if rows["forced"].any():
        those = slice_of({}, rows.with_columns(pl.col("forced").cast(pl.Float64)), Counts.of(trials))
        yield those.rate("graded_forced", "forced", "probabilities of answers without their reasons; of all")
    for key in (("context",), ("case", "context")):
        for piece in slices(trials, rows, key, {}):
            yield from _told_apart(piece)
            if key == ("context",):
                yield _threshold(piece)
    for magnitude in sorted(rows.filter(_CHANGED)["magnitude"].drop_nulls().unique()):
        near = (pl.col("magnitude") == magnitude) | ~_CHANGED
        for piece in slices(trials.filter(near), rows.filter(near), ("context",), {}):
            yield from _told_apart(replace(piece, where={**piece.where, "magnitude": magnitude}))
    yield from _calibrated(slice_of({}, rows, Counts.of(trials)))


def _trials(rows: pl.DataFrame) -> GradedTrials:
    columns = (*_NEEDED, "unit", "polarity", "family")
    grade, said, unit, panel, stratum = (rows[name].to_numpy() for name in columns)
    signal = rows.select(_CHANGED.alias("signal"))["signal"].to_numpy()
    return GradedTrials(grade, signal, said, unit, panel, stratum)


def _told_apart(piece: Slice) -> Iterator[Estimate]:
    found: GradedSensitivity = graded_sensitivity(_trials(piece.rows))
    for part in _PARTS:
        fitted: FittedNumber = getattr(found, part.field)
        value, low, high = (None if each is None else part.factor * each for each in fitted)
        lacking = None if fitted.identified else found.reason or "the interval of the area reaches 0 or 1"
        yield piece.estimate(part.metric, part.unit, _METHOD, value, Interval(low, high), lacking)
    yield from detections(piece, "said", _CHANGED, _SPOKEN, ("spoken_d_prime", "spoken_criterion"))


def _threshold(piece: Slice) -> Estimate:
    rows = piece.rows.filter(~_CHANGED | pl.col("magnitude").is_not_null())
    fitted = rank_threshold(_trials(rows), rows["magnitude"].fill_null(0.0).to_numpy())
    lacking = None if fitted.identified else _UNREACHED
    return piece.estimate("rank_threshold", ALPHA, _THRESHOLD, fitted.value, Interval(fitted.low, fitted.high), lacking)


def _calibrated(piece: Slice) -> Iterator[Estimate]:
    """How far P(changed) is from how often "changed" was said, over the repeats of the same questions."""
    own = piece.rows.filter(~pl.col("forced"))
    several = own.filter(pl.col("repeat").n_unique().over("trial") > 1)
    piece = replace(piece, rows=several)
    found = calibration(several["grade"], several["said"], several["unit"]) if len(several) else None
    floor_method = "the same of answers drawn by the probabilities themselves"
    if found is None:
        method = "of P(changed) against what repeats say"
        lacking = _AFTER if own.is_empty() else _ONCE
        yield piece.estimate("calibration_error", PROPORTION, method, None, NOTHING, lacking)
        return
    yield piece.stated("calibration_error", PROPORTION, found.error)
    yield piece.computed("calibration_floor", PROPORTION, floor_method, found.floor)
