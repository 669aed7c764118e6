"""Replies ready for counting: a column per setting, one level of each, and slices of what was asked."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import polars as pl

from veridical.records import Json
from veridical.suite.rates import Slice, slices

Keys = tuple[str, ...]
"""Columns by which rows are sliced together; none: all rows are one slice."""
WHOLE: tuple[Keys, ...] = ((),)
MOST_LEVELS = 40
"""A column with more levels than this makes no slices, such as one of descriptions of single items."""
OF_ALL = "of all, not answered is wrong"
RIGHT = pl.col("correct").fill_null(value=False).cast(pl.Float64)
"""1 for a right reply, 0 for any other, also one without an answer."""


def with_settings(outcomes: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """The outcomes with a text column for each of the settings, null where it does not apply."""
    levels = outcomes.select("settings").unique()
    read = [json.loads(text) for text in levels["settings"]]
    # Only the places are joined: a join of the outcomes would hold every column of theirs twice.
    numbered = levels.with_row_index("place")
    places = outcomes.select("settings").join(numbered, on="settings", how="left", maintain_order="left")["place"]
    return outcomes.with_columns(
        pl.Series(name, [each.get(name) for each in read], dtype=pl.String).gather(places)
        for name in names
        if name not in outcomes
    )


def score_columns(outcomes: pl.DataFrame, names: Iterable[str]) -> list[pl.Expr]:
    """The scores of these names without their prefix, null where the outcomes have none."""
    held = {name: f"score_{name}" for name in names}
    return [
        (pl.col(column) if column in outcomes.columns else pl.lit(None)).cast(pl.Float64).alias(name)
        for name, column in held.items()
    ]


def filter_to_level(
    rows: pl.DataFrame, usual: Mapping[str, str], settings: Mapping[str, Sequence[str]], free: Collection[str] = ()
) -> tuple[pl.DataFrame, str]:
    """The replies at one level of each setting in `usual` but the `free` ones, and a note on these for `method`.

    The level is the usual one, or the first in the order of `settings` that the rows have. Rows to which a setting does
    not apply are kept.
    """
    notes = []
    for name, expected in usual.items():
        present = {*rows[name].to_list()} - {None}
        if name in free or not present:
            continue
        level = expected if expected in present else next(each for each in settings[name] if each in present)
        if len(present) > 1:
            rows = rows.filter(pl.col(name).is_null() | (pl.col(name) == level))
        notes += [] if level == expected else [f"{name} {level}"]
    return rows, f"; {', '.join(notes)}" if notes else ""


def sort_by_levels(rows: pl.DataFrame, name: str, levels: Iterable[str]) -> tuple[pl.DataFrame, list[str]]:
    """The rows sorted by a column in the order of its levels, else as they come; and the levels that are present."""
    present = set(rows[name].drop_nulls())
    ordered = [each for each in levels if each in present]
    made = rows.with_columns(pl.col(name).cast(pl.Enum(ordered))).sort(name, maintain_order=True)
    return made.with_columns(pl.col(name).cast(pl.String)), ordered


def asked_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of trials that were asked: what was not asked yet is neither right nor wrong."""
    return rows.filter(pl.col("status").is_not_null())


def asked_slices(
    suite: str,
    trials: pl.DataFrame,
    keys: Sequence[Keys] = WHOLE,
    where: Mapping[str, Json] | None = None,
    note: str = "",
    rows: pl.DataFrame | None = None,
) -> Iterator[Slice]:
    """As `slices`, by each of `keys` in turn, with what was asked alone among the rows that count.

    `rows` are those that count, where they are others than the trials.
    """
    counted = asked_rows(trials if rows is None else rows)
    for each in keys:
        yield from slices(suite, trials, counted, each, dict(where or {}), note)


def keys_of(rows: pl.DataFrame, columns: Iterable[str]) -> list[Keys]:
    """No key, and each of the columns that has levels in these rows, and not too many to be slices."""
    return [(), *((name,) for name in columns if 0 < rows[name].drop_nulls().n_unique() <= MOST_LEVELS)]


def groups(
    rows: pl.DataFrame, keys: Keys, where: Mapping[str, Json] | None = None
) -> Iterator[tuple[dict[str, Json], pl.DataFrame]]:
    """The rows by the levels of the keys, each with its slice; all of them where there is no key."""
    parts = rows.drop_nulls(keys).group_by(keys, maintain_order=True) if keys else [((), rows)]
    for values, within in parts:
        yield {**(where or {}), **dict(zip(keys, values, strict=True))}, within
