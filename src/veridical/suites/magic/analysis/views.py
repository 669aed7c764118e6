"""What another view of a question changes, the smallest change that a plan can show, and steps and errors by rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import polars as pl

from veridical.records import Counts, Estimate, Json, Trial
from veridical.suite.contrasts import difference, doubled_rows, holm_corrected, share_of_sums
from veridical.suite.evidence import Evidence
from veridical.suite.rates import Slice
from veridical.suites.magic.analysis.accuracy import READER, marked
from veridical.suites.magic.analysis.rows import ALL_BOXES, pieces, plain, replies, sent
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
    for by, rows in marked(evidence):
        every = sent(plain(rows, ("view",))[0])
        present = [view for view in VIEWS if view in set(every["view"].drop_nulls())]
        for of, column in _COLUMNS.items():
            if of != ACCURACY and by["by"] != READER:
                continue
            pairs = [pair for pair in _pairs(present) if of == ACCURACY or _has(of, pair)]
            tested = [_effect(every, of, column, pair, by) for pair in pairs]
            yield from holm_corrected(tested) if tested else ()
        for (category,), own in every.group_by("category", maintain_order=True):
            where: dict[str, Json] = {**by, "category": str(category)}
            tested = [_effect(own, ACCURACY, "right", pair, where) for pair in _pairs(present)]
            yield from holm_corrected(tested) if tested else ()
        looks = pl.when(pl.col("template").str.contains(_OF_LOOKS)).then(pl.lit(LOOKS)).otherwise(pl.lit(PLACES))
        drawn = every.filter(pl.col("template").fill_null("") != "").with_columns(asks=looks)
        for (asks,), own in drawn.group_by("asks", maintain_order=True):
            if set(MASKED) <= set(present):
                yield _effect(own, ACCURACY, "right", MASKED, {**by, "asks": str(asks)})


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
    both = rows.filter(pl.col("view").is_in(pair)).drop_nulls(column)
    paired = both.filter(pl.col("view").n_unique().over("stimulus", "repeat") == 2)
    where: dict[str, Json] = {"view": view, "against": base, "of": of, **by}
    counts = Counts.of(rows.filter(pl.col("view").is_in(pair)))
    piece = Slice(NAME, where, paired if of == ACCURACY else doubled_rows(paired), counts)
    words = f"{view} − {base}, on the same questions"
    effect = difference(piece, "view effect", column, (pl.col("view") == view, pl.col("view") == base, words))
    return replace(effect, reason="no question was asked in both views") if effect.value is None else effect


_SHOWN, _FOUND = 1.96, 0.84
_CHANGED = 0.3
"""The share of questions whose answer changes between two views, in either direction."""
_ALIKE = 0.1
"""The correlation of changes within a scene."""


def smallest_effect(units: int, questions: float) -> float:
    """The effect of a view, in points, that a test at 5 % shows in four of five runs.

    Three of ten answers change in either direction; the changes of a scene's `questions` are correlated by 0.1.

    >>> round(smallest_effect(40, 5), 1), round(smallest_effect(200, 5), 1)
    (12.8, 5.7)
    """
    variance = _CHANGED * (1 + (questions - 1) * _ALIKE) / (units * questions)
    return float(100 * (_SHOWN + _FOUND) * variance**0.5)


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
_KEYS: tuple[tuple[str, ...], ...] = ((), ("category",))


def steps(evidence: Evidence) -> Iterator[Estimate]:
    """`stepsense` and `checkable steps`, over all and by question type; nothing where no rule checks steps."""
    chosen, note = plain(replies(evidence.outcomes()))
    checked = chosen.filter(pl.col("checkable").is_not_null())
    if checked.is_empty():
        return
    for keys in _KEYS:
        for piece in pieces(checked, keys, {}, note):
            yield share_of_sums(piece, "stepsense", "right_steps", "checkable", "by rule, of the checkable steps")
            yield share_of_sums(piece, "checkable steps", "checkable", "steps", "of all steps of answered replies")


def errors(evidence: Evidence) -> Iterator[Estimate]:
    """`error pattern` by pattern, among wrong answers and among all replies, over all and by question type."""
    chosen, note = plain(replies(evidence.outcomes()))
    for pattern in PATTERNS:
        column = f"error_{pattern}"
        counted = chosen.drop_nulls(column)
        for among in AMONG if len(counted) else ():
            rows = counted.filter(pl.col("right") == 0) if among == WRONG else counted
            for keys in _KEYS:
                for piece in pieces(rows, keys, {}, note):
                    where = {"pattern": pattern, "among": among, **piece.where}
                    yield replace(piece, where=where).rate("error pattern", column, f"of {among}, answered, by rule")
