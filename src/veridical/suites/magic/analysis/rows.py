"""The replies of a run, ready for counting: a column per setting, and what each reply comes to."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

import polars as pl

from veridical.records import Json
from veridical.suite.rates import Slice, slices
from veridical.suites.magic.asking.trials import BLIND, OWN, VIEWS
from veridical.suites.magic.steps import PATTERNS
from veridical.suites.magic.stimuli import NAME

ALL_BOXES = VIEWS[0]
USUAL = {"view": ALL_BOXES, "shots": OWN}
"""The level of each setting at which a run is counted, where it has it."""
BY = ("category", "family", "template", "portion", "taken_from")
"""The columns by which questions are sliced, one at a time."""
MOST_LEVELS = 40
"""A column with more levels than this makes no slices."""
COUNTED = ("tp", "fp", "fn", "beyond", "steps", "checkable", "right_steps")


def replies(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The outcomes of the first stage with a column per setting, and numbers to count.

    Added are `right` (1 or 0; not answered is 0), the scores without their prefix, `mentions` (1 or 0: the reply names
    a box that exists), and `precision`, `recall` and `f1` (0 to 1) with the boxes of a reply without an answer taken as
    none. Scores are null where the picture is not shown.
    """
    joined = with_settings(outcomes, tuple(USUAL))
    scores = (*COUNTED, *(f"error_{name}" for name in PATTERNS))
    own = [
        (pl.col(f"score_{name}") if f"score_{name}" in joined.columns else pl.lit(None)).cast(pl.Float64).alias(name)
        for name in scores
    ]
    right = pl.col("correct").fill_null(value=False).cast(pl.Float64).alias("right")
    return joined.with_columns(right, *own).with_columns(_counts()).with_columns(_focus())


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


def with_settings(outcomes: pl.DataFrame, names: Collection[str]) -> pl.DataFrame:
    """The outcomes with a text column for each of the settings, null where it does not apply."""
    levels = outcomes.select("settings").unique()
    read = [json.loads(text) for text in levels["settings"]]
    named = levels.with_columns(
        pl.Series(name, [each.get(name) for each in read], dtype=pl.String) for name in names if name not in outcomes
    )
    return outcomes.join(named, on="settings", how="left", maintain_order="left")


def plain(rows: pl.DataFrame, free: Collection[str] = ()) -> tuple[pl.DataFrame, str]:
    """The replies at one level of each setting but the `free` ones, and a note on these for `method`.

    The level is the usual one, or the first that the run has.
    """
    chosen, notes = rows, []
    for name, usual in USUAL.items():
        present = chosen[name].drop_nulls().unique(maintain_order=True).to_list()
        if name in free or not present:
            continue
        ordered = [view for view in VIEWS if view in present] if name == "view" else present
        level = usual if usual in present else ordered[0]
        chosen = chosen.filter(pl.col(name).is_null() | (pl.col(name) == level))
        notes += [] if level == usual else [f"{name} {level}"]
    return chosen, f"; {', '.join(notes)}" if notes else ""


def sent(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of trials that were asked: what was not asked yet is neither right nor wrong."""
    return rows.filter(pl.col("status").is_not_null())


def pieces(rows: pl.DataFrame, keys: tuple[str, ...], where: dict[str, Json], note: str = "") -> Iterator[Slice]:
    """As `slices`, with what was asked alone among the rows that count."""
    return slices(NAME, rows, sent(rows), keys, where, note)


def keys_of(rows: pl.DataFrame, columns: tuple[str, ...] = BY) -> list[tuple[str, ...]]:
    """No key, and each of the columns that has levels in these rows, and not too many to be slices."""
    return [(), *((name,) for name in columns if 0 < rows[name].drop_nulls().n_unique() <= MOST_LEVELS)]
