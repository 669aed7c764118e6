"""What another view of a question changes, steps and errors by rule, what a plan can show, and two runs compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from veridical.records import Estimate, Json, Trial
from veridical.suite.contrasts import holm_by, paired_difference, share_of_sums, smallest_effect
from veridical.suite.evidence import Evidence
from veridical.suite.rows import Keys, asked_rows, groups
from veridical.suites.magic.analysis.accuracy import READER, replies_by_marker
from veridical.suites.magic.analysis.rows import ALL_BOXES, pieces, plain_replies, replies
from veridical.suites.magic.asking.trials import BLIND, VIEWS
from veridical.suites.magic.steps import PATTERNS
from veridical.suites.magic.stimuli import NAME

MASKED = ("adversarial-masked", "relevant-masked")
"""What is left of the answer without the one and without the other: the test of whether focus matters."""
ACCURACY = "accuracy"
FOCUS = ("precision", "recall", "f1")
LOOKS, PLACES = "looks", "places"
"""What questions about our scenes ask for: colors and materials, or places and sizes. A covered box hides the former
alone, since its own place and size are those of what it covers."""
_OF_LOOKS = r"color|material|logical"
_COLUMNS = {ACCURACY: "right", **{name: name for name in FOCUS}}


def effects(evidence: Evidence) -> Iterator[Estimate]:
    """`view effect` of each further view on answers and focus, and of masking what matters instead of what does not.

    p is by Holm over the views for each thing that is measured, over all questions and again by question type, and, for
    our scenes, by what is asked: looks or places.
    """
    for by, rows in replies_by_marker(evidence):
        every = asked_rows(plain_replies(rows, ("view",))[0])
        present = [view for view in VIEWS if view in set(every["view"].drop_nulls())]
        for of, column in _COLUMNS.items():
            if of != ACCURACY and by["by"] != READER:
                continue
            pairs = [pair for pair in _pairs(present) if of == ACCURACY or _has(of, pair)]
            yield from holm_by(_effect(every, of, column, pair, by) for pair in pairs)
        for where, own in groups(every, ("category",), by):
            measured = partial(_effect, own, ACCURACY, "right", by=where)
            yield from holm_by(measured(pair) for pair in _pairs(present))
        looks = pl.when(pl.col("template").str.contains(_OF_LOOKS)).then(pl.lit(LOOKS)).otherwise(pl.lit(PLACES))
        drawn = every.filter(pl.col("template").fill_null("") != "").with_columns(asks=looks)
        for where, own in groups(drawn, ("asks",), by) if set(MASKED) <= set(present) else ():
            yield _effect(own, ACCURACY, "right", MASKED, where)


def answers_lost(evidence: Evidence) -> Iterator[Estimate]:
    """Of the `effects` that of covering what matters instead of what does not, on answers as the reader marks them."""
    by, rows = next(replies_by_marker(evidence))
    every = asked_rows(plain_replies(rows, ("view",))[0])
    if set(MASKED) <= set(every["view"]):
        yield _effect(every, ACCURACY, "right", MASKED, by)


def _pairs(present: list[str]) -> list[tuple[str, str]]:
    """Each view with the one that it is compared with."""
    pairs = [(view, ALL_BOXES) for view in present if view != ALL_BOXES and ALL_BOXES in present]
    return [*pairs, *([MASKED] if set(MASKED) <= set(present) else [])]


def _has(of: str, pair: tuple[str, str]) -> bool:
    """Whether focus can be compared: a picture without boxes has none, and all boxes of relevant ones alone are."""
    return BLIND not in pair and (of == "recall" or "relevant-boxes" not in pair)


def _effect(rows: pl.DataFrame, of: str, column: str, pair: tuple[str, str], by: dict[str, Json]) -> Estimate:
    """The mean difference of two views over the questions and repeats that have both."""
    view, base = pair
    where: dict[str, Json] = {"view": view, "against": base, "of": of, **by}
    sides = (pl.col("view") == view, pl.col("view") == base, f"{view} − {base}, on the same questions")
    lacking = "no question was asked in both views"
    return paired_difference(NAME, rows, "view effect", column, sides, where, fractions=of != ACCURACY, lacking=lacking)


def resolution(pieces: Iterable[tuple[Sequence[Trial], int]]) -> Iterator[str]:
    """A line for a plan that asks in several views: the smallest effect that they show; else nothing."""
    units = questions = 0
    views: set[str] = set()
    for trials, times in pieces:
        views |= {str(trial.settings.get("view")) for trial in trials}
        shown = [trial for trial in trials if trial.settings.get("view") == ALL_BOXES]
        units += times * len({trial.unit for trial in shown})
        questions += times * len({trial.stimulus for trial in shown})
    if units and len(views & set(VIEWS)) > 1:
        yield (
            f"views: a change of {smallest_effect(units, questions / units):.0f} points or more in right answers shows "
            f"in four of five runs ({units:,} scenes, {questions:,} questions)"
        )


WRONG, ANY = AMONG = ("wrong answers", "all replies")
_KEYS: tuple[Keys, ...] = ((), ("category",))


def steps(evidence: Evidence) -> Iterator[Estimate]:
    """`stepsense` and `checkable steps`, over all and by question type; nothing where no rule checks steps."""
    chosen, note = plain_replies(replies(evidence.outcomes()))
    checked = chosen.filter(pl.col("checkable").is_not_null())
    if checked.is_empty():
        return
    for piece in pieces(checked, _KEYS, {}, note):
        yield share_of_sums(piece, "stepsense", "right_steps", "checkable", "by rule, of the checkable steps")
        yield share_of_sums(piece, "checkable steps", "checkable", "steps", "of all steps of answered replies")


def errors(evidence: Evidence) -> Iterator[Estimate]:
    """`error pattern` by pattern, among wrong answers and among all replies, over all and by question type."""
    chosen, note = plain_replies(replies(evidence.outcomes()))
    for pattern in PATTERNS:
        column = f"error_{pattern}"
        counted = chosen.drop_nulls(column)
        for among in AMONG if len(counted) else ():
            rows = counted.filter(pl.col("right") == 0) if among == WRONG else counted
            for piece in pieces(rows, _KEYS, {}, note):
                where = {"pattern": pattern, "among": among, **piece.where}
                yield replace(piece, where=where).rate("error pattern", column, f"of {among}, answered, by rule")
