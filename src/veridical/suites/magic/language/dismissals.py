"""Boxes that a sentence sets aside as not mattering for the question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.answers.region_mentions import mentions
from veridical.suites.magic.language.exclusions import split_by_words
from veridical.suites.magic.language.statements import REPORTED

_NEEDED = (
    "relevant|related|needed|matter|necessary|important|help(?:ful)?|useful|concern|bear|required|involved|role|part"
    "|bearing|use|significance|relevance"
)
_ASIDE = re.compile(
    r"\b(?:irrelevant|unrelated|unnecessary|immaterial|nothing to do|beside the point|distract(?:s|ors?|ion|ing)?"
    rf"|(?:(?:not|no) (?:\w{{1,12}} ){{0,2}}?|without (?:any )?)(?:{_NEEDED})"
    r"|ignored?|disregard(?:ed)?|dismiss(?:ed)?|(?:leave|left) (?:out|aside)|skip(?:ped)?|excluded?|discard(?:ed)?|drop"
    r"|(?:set|put)(?:ting)? (?:\S{1,12} ){0,6}?aside)\b",
    re.IGNORECASE,
)
_KEPT = re.compile(
    r"\b(?:(?:cannot|can't|can\u2019t|must not|should not|not|never) (?:be )?(?:ignore|disregard"
    r"|dismiss|leave|skip|exclude|drop|set|rule|irrelevant|unrelated)\w*|(?:may|might|could|perhaps|maybe|if|whether|would)\b)"
    r"|n['\u2019]t (?:be )?(?:ignore|disregard|dismiss|leave|skip|exclude|drop|set|rule|irrelevant|unrelated)\w*\b",
    re.IGNORECASE,
)
_NOT_SHOWN = re.compile(r"(?:\bnot|n['\u2019]t) (?:\w{2,12} )?(?:shows?|seen?|in|the)\b|\bnothing\b", re.IGNORECASE)
_MATTERS_NOT = re.compile(rf"n['\u2019]t (?:\w{{1,12}} ){{0,2}}?(?:{_NEEDED})\b", re.IGNORECASE)
_ONLY = re.compile(
    r"\b(?:(?:only|just|solely) (?P<before>[^;.]{0,60}?) (?:is|are|matters?|counts?|needs?)\b"
    r"|(?:only|just) (?:need|needs|look|looks|use|consider|depends|rely|focus)\b)",
    re.IGNORECASE,
)
_REST = re.compile(r"\b(?:the |all |all the )?(?:other|others|remaining|rest)\b", re.IGNORECASE)
_BREAK = re.compile(
    r";|\s[\u2013\u2014-]{1,2}\s|,?\s(?:but|while|whereas|although|though|because|since)\b|,\s?so\b", re.IGNORECASE
)


def dismissed_boxes(sentence: str, boxes: Sequence[int]) -> list[int]:
    """The numbers of the boxes that a sentence sets aside, of all those that the picture has, ascending.

    >>> dismissed_boxes("R1 and R3 do not matter, but R2 does.", [1, 2, 3])
    [1, 3]
    >>> dismissed_boxes("Only R2 matters.", [1, 2, 3])
    [1, 3]
    """
    if sentence.rstrip().endswith("?"):
        return []
    aside: set[int] = set()
    kept: set[int] = set()
    clauses = _BREAK.split(sentence)
    for clause in clauses:
        numbers = {number for mention in mentions(clause, False) for number in mention.numbers}
        negative = bool(_ASIDE.search(clause)) and not _KEPT.search(clause) and not REPORTED.search(clause)
        if not negative and _ONLY.search(clause) and numbers and not _KEPT.search(clause):
            aside |= set(boxes) - numbers
            kept |= numbers
        elif (negative or _MATTERS_NOT.search(clause)) and _REST.search(clause) and not _ONLY.search(clause):
            kept |= numbers
            named = {number for each in clauses for own in mentions(each, False) for number in own.numbers}
            aside |= set(boxes) - kept - named if named else set()
        else:
            own = _by_words(clause) or (numbers if negative else set())
            aside |= own
            kept |= numbers - own
    return sorted((aside - kept) & set(boxes))


def _by_words(clause: str) -> set[int]:
    """The boxes that words of a clause set aside; that one does not show a thing says nothing of whether it matters."""
    if _KEPT.search(clause) or REPORTED.search(clause) or _NOT_SHOWN.search(clause):
        return set()
    aside, named = split_by_words(clause)
    return aside - named
