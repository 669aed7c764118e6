"""Where a clause names places, and how: as what is in them, comes from them, or is done by them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from veridical.suites.magicbench.judging import words

_NEAR = re.compile(r"\b(?:below|above|over|around|near|at|beside|towards?)\s*$")
"""Before a hand, these do not put a thing into it."""
_REACH, _LONG = 28, 80
"""How many characters before a place are looked at for its preposition, without and with the words between."""
_BESIDE = re.compile(
    r"(?:(?:the|his|her|its|their|my|your|a|an|one|closed|open|empty|same|own|back|palm|fingers?|fist|side|fingertips|thumb|of"
    r"|\w+'s|performer|magician|acting|bent|curled|left|right)\s+)*$"
)
_NOUNS = (
    "away|before|after|moment|time|place|way|answer|order|behind|side|edge|half|end|pocket|sleeve|knee|cup|card|part"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a clause names a place, and how: "in", "near", "from", "leaves", "by", "object", or "" for its subject."""

    name: str
    start: int
    end: int
    role: str


@lru_cache(maxsize=256)
def pattern_of(place: str) -> re.Pattern[str]:
    """How a place is named: hands also by palm, fist or side alone ("in the left"), others by their own words."""
    bare = re.sub(r"^(?:under|in|on|behind|above|around|between|over) (?:the )?", "", place).lower()
    if bare in ("left hand", "right hand"):
        side = bare.split()[0]
        return re.compile(
            rf"\b{side}\s(?:hand'?s?|palm|fist|fingers?|fingertips|thumb)(?:\s(?:palm|fist|fingers?|fingertips|thumb))?\b"
            rf"|(?<=the\s){side}\b(?!\s(?:{_NOUNS})\b)|(?<=his\s){side}\b(?!\s(?:{_NOUNS})\b)|(?<=my\s){side}\b(?!\s(?:{_NOUNS})\b)"
        )
    return re.compile(rf"\b{re.escape(bare)}\b")


def places_in(clause: str, places: Sequence[str]) -> list[Place]:
    """Where a plain clause names these places, from left to right.

    >>> found = places_in("the right hand puts it into his left", ["left hand", "right hand"])
    >>> [(each.name, each.role) for each in found]
    [('right hand', ''), ('left hand', 'in')]
    """
    found = [
        Place(name, match.start(), match.end(), _role(clause[: match.start()], name))
        for name in places
        for match in pattern_of(name).finditer(clause)
    ]
    return sorted(found, key=lambda each: each.start)


def _role(before: str, name: str) -> str:
    head = _BESIDE.sub("", before[-_LONG:])[-_REACH:]
    for role, pattern in (("from", words.FROM), ("by", words.BY), ("in", words.WITHIN), ("leaves", words.LEAVES)):
        if role == "in" and name.endswith(" hand") and _NEAR.search(head):
            return "near"
        if any(match.end() == len(head.rstrip()) for match in pattern.finditer(head)):
            return role
    return (
        "object"
        if re.search(r"\b(?:opens?|closes?|raises?|lifts?|shakes?|turns?|watch|eye on|lowers?)\s*$", head)
        else ""
    )
