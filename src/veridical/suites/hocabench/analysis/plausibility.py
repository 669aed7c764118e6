"""Task I: is it called implausible, rightly so, as a pair with its control, and when does that change?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import PROPORTION, Estimate, Json, Z
from veridical.stats import Fitted, Interval, Table, detection
from veridical.suite.contrasts import difference
from veridical.suite.rates import NOTHING, Slice, slices, unit_sums
from veridical.suites.hocabench.analysis.figures import (
    LACKING,
    OF_ALL,
    balanced_accuracy,
    f1,
    f1_estimate,
    has_both,
    sides,
)
from veridical.suites.hocabench.analysis.rows import (
    BY,
    EXPLAINED_CONTROL,
    both_kinds,
    keys_of,
    pieces,
    plain,
    with_status,
)
from veridical.suites.hocabench.asking.cut import END, UNTIL
from veridical.suites.hocabench.asking.readers import PLAUSIBILITY
from veridical.suites.hocabench.stimuli import NAME, PLAUSIBLE, VIOLATING

_DETECTION = (
    "a hit is 'implausible' for a violating clip, a false alarm for a plausible one; log-linear correction; of "
    "answered; Student's interval from a bootstrap of units within families"
)
_ALARM = (
    pl.col("variant") == EXPLAINED_CONTROL,
    pl.col("variant") == PLAUSIBLE,
    "'implausible' of answered, explained − plausible",
)
RIGHT, IMPLAUSIBLE, POSSIBLE, REVERSED, MISSING = OUTCOMES = (
    "both right",
    "both implausible",
    "both plausible",
    "reversed",
    "not answered",
)
"""What a pair comes to; every pair is one of these."""
_COLUMNS = ("layer", "category", "sub_type", "drawing", "camera", "scene")
_EARLY = ("before", "event")


def plausibility(rows: pl.DataFrame) -> Iterator[Estimate]:
    """The estimates of Task I, over all and by each column of `BY`; nothing where it was not asked."""
    chosen, note = plain(rows, PLAUSIBILITY)
    if chosen.is_empty():
        return
    both = both_kinds(chosen)
    for keys in keys_of(both):
        for piece in pieces(both, keys, {}, note):
            yield replace(piece, where={"task": PLAUSIBILITY, **piece.where}).rate("accuracy", "right", OF_ALL)
            yield from (f1_estimate(piece), balanced_accuracy(piece), *_told_apart(piece))
    answered = chosen.drop_nulls("implausible")
    for keys in keys_of(chosen):
        for piece in pieces(chosen, ("variant", *keys), {}, note):
            said = replace(piece, rows=piece.rows.drop_nulls("implausible"))
            yield said.rate("says implausible", "implausible", "of answered")
    yield from _alarms(chosen, answered, note)
    yield from _chance(both)


def _told_apart(piece: Slice) -> Iterator[Estimate]:
    """`d_prime` and `criterion`: how well both kinds of clips are told apart, and the readiness to say plausible."""
    rows = piece.rows.drop_nulls("implausible")
    if not has_both(rows):
        for metric in ("d_prime", "criterion"):
            yield piece.estimate(metric, Z, _DETECTION, None, NOTHING, LACKING)
        return
    sums, counts, strata = unit_sums(rows, ("implausible",), sides(rows), 2)
    hits, alarms = sums[..., 0].T
    fitted = detection(Table(hits, counts[:, 0], alarms, counts[:, 1]), strata)
    reason = fitted.reason or "a rate of 0 or 1 sets no bound on its far side"
    yield _fitted(piece, "d_prime", fitted.d_prime, reason)
    yield _fitted(piece, "criterion", fitted.criterion, reason)


def _fitted(piece: Slice, metric: str, fitted: Fitted, reason: str) -> Estimate:
    bounds = Interval(fitted.low, fitted.high)
    return piece.estimate(metric, Z, _DETECTION, fitted.value, bounds, None if fitted.identified else reason)


def _alarms(chosen: pl.DataFrame, answered: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`alarm at the explained`: how much more often the explained is called implausible, in units that have both."""
    if not (chosen["variant"] == EXPLAINED_CONTROL).any():
        return
    units = [set(answered.filter(side)["unit"]) for side in _ALARM[:2]]
    paired = chosen.filter(pl.col("unit").is_in(list(units[0] & units[1])) & (pl.col("variant") != VIOLATING))
    for keys in keys_of(paired, BY):
        for piece in pieces(paired, keys, {}, note):
            said = replace(piece, rows=piece.rows.drop_nulls("implausible"))
            yield difference(said, "alarm at the explained", "implausible", _ALARM)


def _chance(both: pl.DataFrame) -> Iterator[Estimate]:
    """What constant answers come to: F1 of always "implausible", and the accuracy of the better one."""
    for piece in pieces(both, (), {}):
        counts = [piece.rows.filter(pl.col("variant") == name).height for name in (VIOLATING, PLAUSIBLE)]
        method, known = "computed from the clips", min(counts) > 0
        constant = f1(1.0, 0.0, counts[1] / counts[0]) if known else None
        best = max(counts) / sum(counts) if known else None
        reason = None if known else LACKING
        yield piece.estimate("f1 chance", PROPORTION, method, constant, Interval(constant, constant), reason)
        where = replace(piece, where={"task": PLAUSIBILITY})
        yield where.estimate("chance", PROPORTION, method, best, Interval(best, best), reason)


def pair_outcomes(rows: pl.DataFrame, control: str) -> pl.DataFrame:
    """One row per pair of a violating clip and its control, and repeat, with `outcome`, one of `OUTCOMES`."""
    half = ["unit", "repeat", "implausible"]
    violating, other = (with_status(rows).filter(pl.col("variant") == name) for name in (VIOLATING, control))
    both = violating.join(other.select(half), on=half[:2], how="inner", suffix="_control", maintain_order="left")
    odd, false = pl.col("implausible") == 1, pl.col("implausible_control") == 1
    outcome = (
        pl.when(pl.col("implausible").is_null() | pl.col("implausible_control").is_null())
        .then(pl.lit(MISSING))
        .when(odd & ~false)
        .then(pl.lit(RIGHT))
        .when(odd & false)
        .then(pl.lit(IMPLAUSIBLE))
        .when(~odd & ~false)
        .then(pl.lit(POSSIBLE))
        .otherwise(pl.lit(REVERSED))
    )
    return both.with_columns(outcome.alias("outcome"))


def pairs(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`pair outcome` by outcome, for each kind of control that clips have, over all and by column."""
    chosen, note = plain(rows, PLAUSIBILITY)
    for control in (PLAUSIBLE, EXPLAINED_CONTROL):
        both = pair_outcomes(chosen, control)
        if both.is_empty():
            continue
        trials = chosen.filter(
            pl.col("variant").is_in([VIOLATING, control]) & pl.col("unit").is_in(both["unit"].unique().implode())
        )
        for keys in keys_of(both, _COLUMNS):
            for piece in slices(NAME, trials, both, keys, {}, note):
                for outcome in OUTCOMES:
                    where: dict[str, Json] = {"control": control, "outcome": outcome, **piece.where}
                    counted = piece.rows.with_columns((pl.col("outcome") == outcome).cast(pl.Float64).alias("is"))
                    yield replace(piece, where=where, rows=counted).rate("pair outcome", "is", "of pairs")


def prefixes(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`implausible until` by variant and cut, and `change of mind`; nothing where clips were shown whole alone."""
    chosen, note = plain(rows, PLAUSIBILITY, ("until",))
    present = [each for each in UNTIL if each in set(chosen["until"].drop_nulls())]
    if len(present) < 2:
        return
    # Clips whose event comes too early are not cut there, so that levels would be of other clips.
    cut = chosen.filter(pl.col("until").n_unique().over("stimulus", "repeat") == len(present))
    order = pl.Enum(present)
    cut = cut.with_columns(pl.col("until").cast(order)).sort("until", maintain_order=True)
    cut = cut.with_columns(pl.col("until").cast(pl.String))
    note = f"; the clips that are shown up to every cut{note}"
    for keys in (("variant", "until"), ("variant", "until", "layer")):
        for piece in pieces(cut, keys, {}, note):
            said = replace(piece, rows=piece.rows.drop_nulls("implausible"))
            yield said.rate("implausible until", "implausible", "of answered")
    early = next((each for each in _EARLY if each in present), None)
    late = END if END in present else present[-1]
    if early is None or late in _EARLY:
        return
    sides = (pl.col("until") == late, pl.col("until") == early, f"'implausible' of answered, {late} − {early}")
    for piece in pieces(cut.filter(pl.col("until").is_in([early, late])), ("variant",), {}, note):
        yield difference(
            replace(piece, rows=piece.rows.drop_nulls("implausible")), "change of mind", "implausible", sides
        )
