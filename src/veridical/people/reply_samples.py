"""Replies that people look at: drawn evenly, and shown without whose they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np
import polars as pl

from veridical.errors import InputError
from veridical.records import Json, canonical
from veridical.suite.people_tasks import StudyVote, TaskChoices

REPLY_KEY = ("model", "stimulus", "unit", "family", "category", "trial", "repeat")
"""The columns that say what a reply is about, which people are not to see."""
STRATA = ("model", "category")
_ID = 12
T = TypeVar("T")


def spread_sample(rows: pl.DataFrame, count: int | None, seed: int, strata: Sequence[str] = STRATA) -> pl.DataFrame:
    """A sample of rows in random order, spread evenly over the levels of the columns `strata`; `None` is all.

    >>> rows = pl.DataFrame({"kind": ["a"] * 8 + ["b"] * 2, "n": range(10)})
    >>> sorted(spread_sample(rows, 4, 0, ["kind"])["kind"])
    ['a', 'a', 'b', 'b']
    """
    shuffled = rows[np.random.default_rng(seed).permutation(len(rows))]
    if count is None or count >= len(rows):
        return shuffled
    turn = pl.int_range(pl.len()).over(strata).alias("turn")
    return shuffled.with_columns(turn).sort("turn", maintain_order=True).head(count).drop("turn")


def reply_id(row: Mapping[str, Any], texts: Sequence[str]) -> str:
    """A name of a reply that changes with its text, so that a label is never taken for that of another reply."""
    return sha256(canonical([*(row[name] for name in REPLY_KEY), *texts]).encode()).hexdigest()[:_ID]


def reply_key(row: Mapping[str, Any]) -> dict[str, Json]:
    """What a reply is about, by column."""
    return {name: row[name] for name in REPLY_KEY}


def keyed_row(vote: StudyVote, **cells: Json) -> dict[str, Json]:
    """A row of a sheet: the item, the person, these cells, and what the item is about."""
    return {"item": vote.item, "person": vote.person, **cells, **{name: vote.key[name] for name in REPLY_KEY}}


def draw_items(items: Sequence[T], choices: TaskChoices) -> list[T]:
    """As many of the items as were chosen, by the seed, in their order; raises `InputError` for more than there are."""
    if choices.items is None:
        return list(items)
    if choices.items > len(items):
        raise InputError(f"items {choices.items}: 1 to {len(items):,} are allowed")
    chosen = np.random.default_rng(choices.seed).permutation(len(items))[: choices.items]
    return [items[index] for index in sorted(chosen)]
