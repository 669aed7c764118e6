"""Passages of a reply that a suite wants a reader to see."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Passage(NamedTuple):
    """A stretch of a reply, from `start` up to but not including `end`, in characters of a field of its row.

    `title` says in a word or two why it is marked.
    """

    field: Literal["reasoning", "text"]
    start: int
    end: int
    title: str
