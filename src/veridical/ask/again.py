"""Which trials with a reply are asked again when a run is restarted."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from veridical.errors import InputError
from veridical.records import Status

RETRIED: tuple[Status, ...] = ("unparsed", "truncated", "refused")
"""Statuses that are asked again on request; errors are always asked again, answers never."""


def retried_statuses(text: str) -> frozenset[str]:
    """The statuses in a comma-separated list; raises `InputError` for a status that cannot be asked again.

    >>> sorted(retried_statuses("unparsed, truncated"))
    ['truncated', 'unparsed']
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in (*RETRIED, "error"):
            raise InputError(f"retry '{name}': {', '.join(RETRIED)} are allowed (errors are always asked again)")
    return frozenset(names)


def to_ask_again(outcomes: pl.DataFrame, statuses: Iterable[str]) -> set[tuple[str, int]]:
    """The trials and repeats whose reply was read as one of the statuses, for the argument `again` of `ask`."""
    chosen = outcomes.filter(pl.col("status").is_in(sorted(statuses)))
    return set(chosen.select("trial", "repeat").rows())
