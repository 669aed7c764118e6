"""The replies of a run, ready for counting: a column per setting, and what each reply comes to."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import polars as pl

from veridical.suite.rows import RIGHT, asked_slices, filter_to_level, score_columns, with_settings
from veridical.suites.magic.asking.trials import BLIND, OWN, SETTINGS, VIEWS
from veridical.suites.magic.steps import PATTERNS
from veridical.suites.magic.stimuli import NAME

ALL_BOXES = VIEWS[0]
BY = ("category", "family", "template", "portion", "taken_from")
"""The columns by which questions are sliced, one at a time."""
_USUAL = {"view": ALL_BOXES, "shots": OWN}
_COUNTED = ("tp", "fp", "fn", "beyond", "steps", "checkable", "right_steps", *(f"error_{name}" for name in PATTERNS))

pieces = partial(asked_slices, NAME)


def replies(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The outcomes of the first stage with a column per setting, and numbers to count.

    Added are `right` (1 or 0; not answered is 0), the scores without their prefix, `mentions` (1 or 0: the reply names
    a box that exists), and `precision`, `recall` and `f1` (0 to 1) with the boxes of a reply without an answer taken as
    none. Scores are null where the picture is not shown.
    """
    rows = with_settings(outcomes, _USUAL)
    rows = rows.with_columns(RIGHT.alias("right"), *score_columns(rows, _COUNTED))
    return rows.with_columns(_counts()).with_columns(_focus())


def _counts() -> list[pl.Expr]:
    """The counts of boxes, also of a reply without an answer, which mentions none."""
    silent = pl.col("status").is_not_null() & pl.col("tp").is_null() & (pl.col("view") != BLIND)
    none = {"tp": pl.lit(0.0), "fp": pl.lit(0.0), "fn": pl.col("relevant_count").cast(pl.Float64)}
    return [pl.when(silent).then(zero).otherwise(pl.col(name)).alias(name) for name, zero in none.items()]


def _focus() -> list[pl.Expr]:
    """The scores of each reply; without a mention they are 0. Where nothing is relevant, recall and F1 have none."""
    tp, mentioned, relevant = pl.col("tp"), pl.col("tp") + pl.col("fp"), pl.col("tp") + pl.col("fn")
    none = pl.when(tp.is_not_null()).then(0.0)
    return [
        (mentioned > 0).cast(pl.Float64).alias("mentions"),
        pl.when(mentioned > 0).then(tp / mentioned).otherwise(none).alias("precision"),
        pl.when(relevant > 0).then(tp / relevant).alias("recall"),
        pl.when(mentioned + relevant > 0).then(2 * tp / (mentioned + relevant)).alias("f1"),
        (mentioned >= pl.col("box_count")).cast(pl.Float64).alias("mentions_all"),
        (2 * tp).alias("matched"),
        mentioned.alias("mentioned"),
        relevant.alias("relevant"),
        (mentioned + relevant).alias("both"),
        (pl.col("beyond") > 0).cast(pl.Float64).alias("names_beyond"),
    ]


def plain_replies(rows: pl.DataFrame, free: Collection[str] = ()) -> tuple[pl.DataFrame, str]:
    """The replies at one level of each setting but the `free` ones, and a note on these for `method`."""
    return filter_to_level(rows, _USUAL, SETTINGS, free)
