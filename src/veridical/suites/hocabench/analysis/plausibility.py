"""Task I: is it called implausible, rightly so, as a pair with its control, and when does that change?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import PROPORTION, Estimate, Json, Z
from veridical.suite.contrasts import difference
from veridical.suite.rates import NOTHING, Slice
from veridical.suite.rows import OF_ALL, asked_rows, keys_of, sort_by_levels
from veridical.suite.sensitivity import OF_ANSWERED, detections
from veridical.suites.hocabench.analysis.figures import (
    F1_OF_ANSWERED,
    LACKING,
    balanced_accuracy,
    f1,
    f1_estimate,
    has_both,
)
from veridical.suites.hocabench.analysis.rows import BY, CLIPS, EXPLAINED_CONTROL, both_kinds, pieces, plain_replies
from veridical.suites.hocabench.asking.cut import END, UNTIL
from veridical.suites.hocabench.asking.readers import PLAUSIBILITY
from veridical.suites.hocabench.stimuli import PLAUSIBLE, VIOLATING

_DETECTION = f"a hit is 'implausible' for a violating clip, a false alarm for a plausible one; {OF_ANSWERED} families"
_ALARM = (
    pl.col("variant") == EXPLAINED_CONTROL,
    pl.col("variant") == PLAUSIBLE,
    "'implausible' of answered, explained − plausible",
)
_NOTICED = (
    pl.col("variant") == VIOLATING,
    pl.col("variant") == PLAUSIBLE,
    "'implausible' of answered, violating − plausible",
)
RIGHT, IMPLAUSIBLE, POSSIBLE, REVERSED, MISSING = OUTCOMES = (
    "both right",
    "both implausible",
    "both plausible",
    "reversed",
    "not answered",
)
"""What a pair comes to; every pair is one of these."""
_EARLY = ("before", "event")


def plausibility(rows: pl.DataFrame) -> Iterator[Estimate]:
    """The estimates of Task I, over all and by each column of `BY`; nothing where it was not asked."""
    chosen, note = plain_replies(rows, PLAUSIBILITY)
    if chosen.is_empty():
        return
    both = both_kinds(chosen)
    for piece in pieces(both, keys_of(both, BY), {}, note):
        yield replace(piece, where={"task": PLAUSIBILITY, **piece.where}).rate("accuracy", "right", OF_ALL)
        yield from (f1_estimate(piece), balanced_accuracy(piece), *_told_apart(piece))
        answered = replace(piece, rows=piece.rows.filter(pl.col("status") == "answered"))
        yield replace(f1_estimate(replace(answered, where={**piece.where, "of": "answered"})), method=F1_OF_ANSWERED)
    for piece in pieces(chosen, [("variant", *keys) for keys in keys_of(chosen, BY)], {}, note):
        yield piece.valued("implausible").rate("says implausible", "implausible", "of answered")
    if has_both(both.drop_nulls("implausible")):
        for piece in pieces(both, note=note):
            yield difference(piece.valued("implausible"), "notices the impossible", "implausible", _NOTICED)
    yield from _alarms(chosen, note)
    yield from _chance(both)


def _told_apart(piece: Slice) -> Iterator[Estimate]:
    """`d_prime` and `criterion`: how well both kinds of clips are told apart, and the readiness to say plausible."""
    if has_both(piece.rows.drop_nulls("implausible")):
        yield from detections(piece, "implausible", pl.col("variant") == VIOLATING, _DETECTION)
        return
    for metric in ("d_prime", "criterion"):
        yield piece.estimate(metric, Z, _DETECTION, None, NOTHING, LACKING)


def _alarms(chosen: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`alarm at the explained`: how much more often the explained is called implausible, in units that have both."""
    if not (chosen["variant"] == EXPLAINED_CONTROL).any():
        return
    paired = explained_pairs(chosen)
    for piece in pieces(paired, keys_of(paired, BY), {}, note):
        yield difference(piece.valued("implausible"), "alarm at the explained", "implausible", _ALARM)


def explained_pairs(chosen: pl.DataFrame) -> pl.DataFrame:
    """The explained and the plausible clips of the units that have an answer to both."""
    answered = chosen.drop_nulls("implausible")
    units = [set(answered.filter(side)["unit"]) for side in _ALARM[:2]]
    return chosen.filter(pl.col("unit").is_in(list(units[0] & units[1])) & (pl.col("variant") != VIOLATING))


def _chance(both: pl.DataFrame) -> Iterator[Estimate]:
    """What constant answers come to: F1 of always "implausible", and the accuracy of the better one."""
    for piece in pieces(both):
        counts = [piece.rows.filter(pl.col("variant") == name).height for name in (VIOLATING, PLAUSIBLE)]
        known = min(counts) > 0
        constant = f1(1.0, 0.0, counts[1] / counts[0]) if known else None
        best = max(counts) / sum(counts) if known else None
        lacking = "" if known else LACKING
        yield piece.computed("f1 chance", PROPORTION, "computed from the clips", constant, lacking)
        where = replace(piece, where={"task": PLAUSIBILITY})
        yield where.computed("chance", PROPORTION, "computed from the clips", best, lacking)


def pair_outcomes(rows: pl.DataFrame, control: str) -> pl.DataFrame:
    """One row per pair of a violating clip and its control, and repeat, with `outcome`, one of `OUTCOMES`."""
    half = ["unit", "repeat", "implausible"]
    violating, other = (asked_rows(rows).filter(pl.col("variant") == name) for name in (VIOLATING, control))
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
    chosen, note = plain_replies(rows, PLAUSIBILITY)
    for control in (PLAUSIBLE, EXPLAINED_CONTROL):
        both = pair_outcomes(chosen, control)
        if both.is_empty():
            continue
        trials = chosen.filter(
            pl.col("variant").is_in([VIOLATING, control]) & pl.col("unit").is_in(both["unit"].unique().implode())
        )
        for piece in pieces(trials, keys_of(both, (*BY[:3], *CLIPS[:3])), {}, note, both):
            for outcome in OUTCOMES:
                where: dict[str, Json] = {"control": control, "outcome": outcome, **piece.where}
                counted = piece.rows.with_columns((pl.col("outcome") == outcome).cast(pl.Float64).alias("is"))
                yield replace(piece, where=where, rows=counted).rate("pair outcome", "is", "of pairs")


def prefixes(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`implausible until` by variant and cut, and `change of mind`; nothing where clips were shown whole alone."""
    chosen, note = plain_replies(rows, PLAUSIBILITY, ("until",))
    present = [each for each in UNTIL if each in set(chosen["until"].drop_nulls())]
    if len(present) < 2:
        return
    # Clips whose event comes too early are not cut there, so that levels would be of other clips.
    cut = chosen.filter(pl.col("until").n_unique().over("stimulus", "repeat") == len(present))
    cut, _ = sort_by_levels(cut, "until", UNTIL)
    note = f"; the clips that are shown up to every cut{note}"
    for piece in pieces(cut, [("variant", "until"), ("variant", "until", "layer")], {}, note):
        yield piece.valued("implausible").rate("implausible until", "implausible", "of answered")
    early = next((each for each in _EARLY if each in present), None)
    late = END if END in present else present[-1]
    if early is None or late in _EARLY:
        return
    sides = (pl.col("until") == late, pl.col("until") == early, f"'implausible' of answered, {late} − {early}")
    for piece in pieces(cut.filter(pl.col("until").is_in([early, late])), [("variant",)], {}, note):
        yield difference(piece.valued("implausible"), "change of mind", "implausible", sides)
