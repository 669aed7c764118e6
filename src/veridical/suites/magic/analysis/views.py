"""What another view of the same question changes: in answers and in focus. Is focus causal?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import Counts, Estimate, Json
from veridical.suite.contrasts import difference, doubled_rows, holm_corrected
from veridical.suite.evidence import Evidence
from veridical.suite.rates import Slice
from veridical.suites.magic.analysis.accuracy import READER, marked
from veridical.suites.magic.analysis.rows import ALL_BOXES, plain, sent
from veridical.suites.magic.asking.trials import BLIND, VIEWS
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
