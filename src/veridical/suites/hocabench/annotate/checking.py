"""What people find of the options of a clip: which are right, and whether the true one alone is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from veridical.answers import Read, Reader
from veridical.records import Json, Trial
from veridical.suites.hocabench.annotate.distracting import COUNT

NONE = "none"
_BETWEEN = re.compile(r"[\s,;/+&.()]+|\bAND\b")


def read_right(text: str, expects: Mapping[str, Json]) -> Read:
    """The letters of all options that somebody finds right, as "A,C", or "none"; or the reason why none can be read.

    The options that a trial `expects` say which letters there are. Letters without anything between them stand in the
    order of the alphabet, so that a word is no answer.

    >>> [read_right(text, {"options": [""] * 4}).answer for text in ("b", "C and A", "AD", "None.", "bad", "E", "")]
    ['B', 'A,C', 'A,D', 'none', None, None, None]
    """
    words = _BETWEEN.sub(" ", text.upper()).split()
    letters = sorted("".join(words))
    if words == [NONE.upper()]:
        return Read(NONE)
    if not letters:
        return Read(None, "the answer is empty")
    known = set(ascii_uppercase[: len(expects.get("options", ())) or COUNT + 1])
    in_order = all(list(word) == sorted(set(word)) for word in words)
    if not known.issuperset(letters) or len(set(letters)) < len(letters) or not in_order:
        return Read(None, f"the answer is neither letters from A to {max(known)}, each once, nor the word none")
    return Read(",".join(letters))


RIGHT = Reader(name="right-options", version="2", parse=read_right)
"""Reads which options are right; correct is the true one alone."""


def most(holds: Sequence[bool]) -> bool:
    """Whether more than half hold; a tie, and nothing at all, is no.

    >>> most([True, True, False]), most([True, False]), most([])
    (True, False, False)
    """
    return 2 * sum(holds) > len(holds)


def sub_type_of(trial: Trial) -> str:
    """The sub-type of the labels whose options are checked: what a sample of these questions is balanced over."""
    return str(trial.expects["sub_type"])
