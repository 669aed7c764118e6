"""The tables that calibration works on: verdicts, one row each, and what is counted of them."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from veridical.errors import InputError

KEY = ("item", "model")
"""What names a judged reply: the item, and the model that replied."""

VERDICTS: Mapping[str, type[pl.DataType]] = {
    "item": pl.String,
    "model": pl.String,
    "judge": pl.String,
    "rubric": pl.String,
    "score_name": pl.String,
    "score": pl.Float64,
    "status": pl.String,
}
"""The columns of a table of verdicts; `unit`, the base item of a reply, may stand beside them."""

READ = "answered"
"""The status of a verdict that was read; every other one has no score."""


def check_verdicts(verdicts: pl.DataFrame) -> pl.DataFrame:
    """The verdicts with a `unit` each (default: the item); a score counts only where the status says that it was read.

    Raises `InputError` for a missing column, and for two verdicts of one judge on one reply.
    """
    missing = [name for name in VERDICTS if name not in verdicts.columns]
    if missing:
        raise InputError(f"the table of verdicts has no column '{missing[0]}': needed are {', '.join(VERDICTS)}")
    frame = verdicts.with_columns(pl.col(name).cast(kind) for name, kind in VERDICTS.items())
    frame = frame if "unit" in frame.columns else frame.with_columns(unit="item")
    frame = frame.with_columns(score=pl.when(pl.col("status") == READ).then("score"))
    once = [*KEY, "judge", "rubric", "score_name"]
    twice = frame.filter(pl.struct(once).is_duplicated())
    if len(twice):
        item, model, judge, *_ = twice.select(once).row(0)
        raise InputError(f"judge {judge} has two verdicts on item '{item}' of {model}: one per reply is allowed")
    return frame


def counts(verdicts: pl.DataFrame) -> pl.DataFrame:
    """Verdicts by judge, rubric, score name and status; a status of `null` is "not judged"."""
    groups = ["judge", "rubric", "score_name", "status"]
    named = verdicts.with_columns(pl.col("status").fill_null("not judged"))
    return named.group_by(groups, maintain_order=True).agg(pl.len().alias("verdicts"))
