"""What a suite wants a reader to see of a reply: passages of its text, and regions of the picture."""

from __future__ import annotations

from typing import Literal, NamedTuple

from veridical.records import Box

Shade = Literal["", "good", "bad"]
"""How something is marked: neutrally, as what is right or matters, or as what is wrong or misleads."""


class Passage(NamedTuple):
    """A stretch of a reply, from `start` up to but not including `end`, in characters of a field of its row.

    `title` says in a word or two why it is marked.
    """

    field: Literal["reasoning", "text"]
    start: int
    end: int
    title: str
    shade: Shade = ""


class Region(NamedTuple):
    """A region of an item's first picture, in pixels of it; `title` says what regions of this shade are."""

    name: str
    box: Box
    title: str = ""
    shade: Shade = ""
