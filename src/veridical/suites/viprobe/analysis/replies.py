"""Yes-no replies as what they say of the picture, how far they follow it, bias, and rates of single answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.records import Counts, Estimate, Json, Z
from veridical.stats import detection_change
from veridical.suite import sensitivity
from veridical.suite.contrasts import Sides, difference
from veridical.suite.rates import unit_sums
from veridical.suite.rows import Keys
from veridical.suite.sensitivity import detection_table, fitted_estimate, yes_bias_estimate
from veridical.suites.viprobe.analysis.pairs import Slice, slice_of, slices
from veridical.suites.viprobe.asking.settings import POLARITIES

Floats = NDArray[np.float64]

CONTEXTS = {"figure": ("O", "P"), "control": ("OC", "PC"), "clutter": ("OS", "PS"), "hint": ("OH", "PH")}
"""The original and the perturbed picture type of each context."""


def context_replies(outcomes: pl.DataFrame) -> pl.DataFrame:
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
    """The answered yes-no trials of `context_replies`, with 0/1 columns `same` and `yes`.

    A reply says "same" where it is right of an original or wrong of a perturbed picture; the polarity drops out.
    """
    originals = pl.col("variant").is_in([original for original, _ in CONTEXTS.values()])
    answered = context_replies(outcomes).filter((pl.col("status") == "answered") & pl.col("gold").is_not_null())
    return answered.with_columns(
        (pl.col("correct") == originals).cast(pl.Float64).alias("same"),
        (pl.col("answer") == "1").cast(pl.Float64).alias("yes"),
    )


def favored_choices(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The answered comparisons of `context_replies` on cases whose impression has a direction, with what the fits need.

    `favoured` is 1 where the target was chosen that looks like more, as the impression has it; `value` is the factor's
    value in `factor_unit`. Which target that is follows from the sign of the value at a strength of known sign.
    """
    factors = pl.col("factors").str
    rows = context_replies(outcomes).with_columns(
        factors.json_path_match("$.value").cast(pl.Float64, strict=False).alias("value"),
        factors.json_path_match("$.value_unit").alias("factor_unit"),
        pl.col("expects").str.json_path_match("$.options[0]").alias("first"),
    )
    sign = (pl.col("value") * pl.col("alpha")).sign()
    rows = rows.with_columns(sign.filter(sign != 0).first().over("unit").alias("orientation"))
    chosen = (pl.col("answer") == pl.col("first")) == (pl.col("orientation") > 0)
    measured = pl.col("directed") & pl.col("orientation").is_not_null() & (pl.col("status") == "answered")
    return rows.filter(measured).with_columns(chosen.cast(pl.Float64).alias("favoured"))


def level_sums(rows: pl.DataFrame, column: str) -> tuple[Floats, Floats, Floats, NDArray[np.int64]]:
    """Levels of α (levels,); sums of a 0/1 column and counts, (units, levels); and each unit's case as a number.

    Rows of unknown strength are left out.
    """
    rows = rows.drop_nulls("alpha")
    levels, level = np.unique(rows["alpha"].to_numpy(), return_inverse=True)
    sums, counts, strata = unit_sums(rows, (column,), level, len(levels))
    return levels, sums[..., 0], counts, strata


_CHANGED = pl.col("variant").is_in([changed for _, changed in CONTEXTS.values()])
_FORWARD = pl.col("polarity") == "forward"
_RESPONSE: Sides = (_CHANGED, ~_CHANGED, "replies that say changed, on perturbed pictures − on originals; of answered")
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
    planned: pl.DataFrame,
    answered: pl.DataFrame,
    note: str,
    keys: Sequence[Keys] = (("context",), ("case", "context")),
    where: Mapping[str, Json] = MappingProxyType({}),
) -> Iterator[Estimate]:
    """`response`: how much more often a change is reported where there is one, in points, per slice of `keys`.

    100 is an observer that follows the picture, 0 one whose replies do not depend on it.
    """
    rows = answered.with_columns((1 - pl.col("same")).alias("changed"))
    for key in keys:
        for piece in slices(planned, rows, key, dict(where), note):
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


_RIGHT = "comparisons in which the targets differ"
_FIRST = "share of the option that a positive difference makes right, where the targets are equal: no accuracy"
_RECITED = "yes-no answers that are right of the unchanged figure, though no target is there: no accuracy"
_ANSWERED = (pl.col("status") == "answered").fill_null(value=False)
_CORRECT = pl.col("correct")


def choices(outcomes: pl.DataFrame, note: str, where: dict[str, Json] | None = None) -> list[Estimate]:
    """`choice_accuracy` where the targets differ, `first_choice` where they are equal and no answer is right.

    Both per variant, accuracy overall as well; without `where`, accuracy also per category, per case and per case x
    variant x strength, `first_choice` per case x variant.
    A comparison without an answer is not right; in `first_choice` it has no say.
    """
    first = pl.col("answer") == pl.col("expects").str.json_path_match("$.options[0]")
    differing, equal = outcomes.filter(pl.col("gold").is_not_null()), outcomes.filter(pl.col("gold").is_null())
    coarse: list[Keys] = [("variant",)]
    fine = [] if where else [("category",), ("case",), ("case", "variant", "alpha")]
    of_all = _counts(differing, _CORRECT)
    return [
        *_rates("choice_accuracy", differing, of_all, [(), *coarse, *fine], _RIGHT, where, note),
        *_rates(
            "first_choice",
            equal,
            _answered(equal, first),
            coarse if where else [*coarse, ("case", "variant")],
            f"{_FIRST}; of those answered",
            where,
            note,
        ),
    ]


def template(outcomes: pl.DataFrame, note: str, where: dict[str, Json] | None = None) -> list[Estimate]:
    """`template_rate` on pictures of inducers alone: the yes-no answers that recite the figure that is not there.

    Overall and, without `where`, per case; of all that were asked, and of those answered.
    """
    alone = outcomes.filter(pl.col("variant") == "I")
    if alone.is_empty():
        return []
    recited = pl.col("answer") == pl.col("factors").str.json_path_match("$.answer_if_unchanged")
    keys: list[Keys] = [()] if where else [(), ("case",)]
    of_all, of_answered = _counts(alone, recited), _answered(alone, recited)
    return [
        *_rates("template_rate", alone, of_all, keys, _RECITED, where, note),
        *_rates("template_rate_of_answered", alone, of_answered, keys, f"{_RECITED}; of those answered", where, note),
    ]


def accuracy(outcomes: pl.DataFrame, note: str) -> list[Estimate]:
    """`accuracy` of single answers per variant, in a run that asks in one polarity alone and so has no pairs."""
    planned = set(outcomes["polarity"].unique())
    if set(POLARITIES) <= planned or not planned:
        return []
    method = f"{' and '.join(sorted(planned))} questions alone"
    return _rates("accuracy", outcomes, _counts(outcomes, _CORRECT), [("variant",)], method, None, note)


def _rates(
    metric: str,
    trials: pl.DataFrame,
    rows: pl.DataFrame,
    keys: Sequence[Keys],
    method: str,
    where: dict[str, Json] | None,
    note: str,
) -> list[Estimate]:
    return [
        piece.rate(metric, "counted", f"{method}; pooled over pictures")
        for key in keys
        for piece in slices(trials, rows, key, where or {}, note)
    ]


def _counts(trials: pl.DataFrame, counted: pl.Expr) -> pl.DataFrame:
    """What was asked, with the 0/1 column `counted`; what was not answered does not count."""
    rows = trials.filter(pl.col("status").is_not_null())
    return rows.with_columns((_ANSWERED & counted).fill_null(value=False).cast(pl.Float64).alias("counted"))


def _answered(trials: pl.DataFrame, counted: pl.Expr) -> pl.DataFrame:
    return _counts(trials, counted).filter(_ANSWERED)
