"""Which trials with a reply are asked again, on request or because nothing could be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import polars as pl

from veridical.errors import InputError
from veridical.records import Response, Status

RETRIED: tuple[Status, ...] = ("unparsed", "truncated", "refused")
"""Statuses that are asked again on request; errors are always asked again, answers never."""


UNREADABLE: tuple[Status, ...] = ("unparsed", "truncated")
"""The statuses of replies that a stage may ask for once more by itself."""


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


def to_try_again(outcomes: pl.DataFrame, attempts: Iterable[Response], most: int) -> set[tuple[str, int]]:
    """The trials and repeats whose reply cannot be read, and which had fewer than `most` replies so far."""
    unreadable = to_ask_again(outcomes, UNREADABLE)
    replies = Counter((each.trial, each.repeat) for each in attempts if each.error is None)
    return {key for key in unreadable if replies[key] < most}
