"""Distractors of Task III: none may say what the true description says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veridical.errors import InputError
from veridical.suites.hocabench.names import sub_type_named

_FILLING = {"a", "an", "the", "its", "his", "her", "their", "of", "some", "this", "that"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What an option says: its text, the sub-type of the anomaly, and the thing that it happens to."""

    text: str
    sub_type: str
    thing: str


def repeats(gold: Claim, other: Claim) -> bool:
    """Whether a distractor is a second right answer: its sub-type and its thing, or its words, are those of the gold.

    Articles, number and case do not count.

    >>> gold = Claim(text="The mug rises.", sub_type="gravity", thing="the mug")
    >>> repeats(gold, Claim(text="A mug floats up.", sub_type="Gravity Anomaly", thing="Mugs"))
    True
    >>> repeats(gold, Claim(text="The mug turns blue.", sub_type="mutation", thing="the mug"))
    False
    """
    same_kind = _kind(gold.sub_type) == _kind(other.sub_type)
    return (same_kind and _words(gold.thing) == _words(other.thing)) or _words(gold.text) == _words(other.text)


def require_distinct(gold: Claim, distractors: Sequence[Claim]) -> None:
    """Raises `InputError`, which names the option, for a distractor that repeats the gold, or another distractor."""
    for place, other in enumerate(distractors, start=1):
        if repeats(gold, other):
            raise InputError(
                f"distractor {place}, '{other.text}', has the sub-type and the thing of the true description"
            )
        for earlier, first in enumerate(distractors[: place - 1], start=1):
            if _words(first.text) == _words(other.text):
                raise InputError(f"distractors {earlier} and {place} are both '{other.text}'")


def _kind(text: str) -> str:
    return sub_type_named(text) or " ".join(text.casefold().split())


def _words(text: str) -> tuple[str, ...]:
    words = re.findall(r"[^\W_]+", text.casefold())
    return tuple(_singular(word) for word in words if word not in _FILLING)


def _singular(word: str) -> str:
    """The word without the ending of a plural, as far as spelling tells.

    >>> [_singular(word) for word in ("mugs", "glasses", "glass", "boxes", "berries", "bus")]
    ['mug', 'glass', 'glass', 'box', 'berry', 'bus']
    """
    if re.search(r"(?:ss|us|is)$", word) or len(word) <= 3:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return re.sub(r"(?<=ss)es$|(?<=x)es$|(?<=ch)es$|(?<=sh)es$|s$", "", word)
