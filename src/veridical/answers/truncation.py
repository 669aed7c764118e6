"""Whether an answer was complete when the length limit cut the reply: what was cut might have changed it."""

from __future__ import annotations

import re
from collections.abc import Callable

from veridical.answers.impression import first_impressions
from veridical.answers.markers import MARKER
from veridical.answers.places import STATED
from veridical.answers.prepare import prepare

Complete = Callable[[str, Callable[[str], bool]], bool]
"""Whether the answer in a cut reply was complete; the second argument says whether a text alone gives this answer."""

_OPEN = re.compile(r"(?i)[-*\u2022]|1[.)](?!\d)|.*\b(?:i (?:think|guess|believe|suppose)|maybe|perhaps|probably)\b")
"""A first item of a list, and an opinion that may change: neither is an answer that opens a reply."""
_UNSURE = re.compile(r"(?i)(?:^|[.!?\n]\s{0,3})(?:hm+|wait|hold on|let me|actually)\b")
"""What opens a sentence that looks again."""
_CLAUSE = re.compile(r"(?P<first>[^.,;:!?]{1,60}[.,;:!?\])])\s+\w")
_SENTENCE = re.compile(r"\s*(?P<first>[^\n]{1,400}?(?:[.!。！](?=[\s\"')\]*]|$)|\n))")


def statement_complete(text: str, gives: Callable[[str], bool], *, whole: bool = False) -> bool:
    """Complete is an answer that was stated before the end: in a closed tag or box, after "Answer:", or at the opening.

    Nothing is where the reply ends in "the answer is". An opening is a first sentence with more after it that gives
    the answer by itself. What stands at the very end may
    go on: the digits of a number, "no" to "no difference", "B" to "both".

    >>> [statement_complete(text, {"Answer: B,", "B"}.__contains__) for text in ("Answer: B, because", "B")]
    [True, False]
    >>> [statement_complete(text, {"Yes."}.__contains__) for text in ("Yes. The left", "Yes, the left")]
    [True, False]
    """
    reply = prepare(text)
    if any(mark.end() >= len(reply.plain) for mark in MARKER.finditer(reply.plain, max(0, len(reply.plain) - 80))):
        return False
    plain, spans = reply.plain.rstrip(), list(first_impressions(reply.plain))
    stated = [place for place in reply.statements if place.rank >= STATED]
    if stated and _UNSURE.search(plain, stated[-1].start):
        return False
    for place in reply.statements:
        if place.rank >= STATED and not _in_any(place.start, spans):
            clause = place.content if place.end < len(reply.plain) else None if whole else _CLAUSE.match(place.content)
            form = "<answer>{}</answer>" if place.in_tag else "Answer: {}"
            if clause and gives(form.format(clause if isinstance(clause, str) else clause["first"])):
                return True
    opening = _SENTENCE.match(plain)
    if opening is None or opening.end() >= len(plain) or _in_any(opening.start("first"), spans):
        return False
    first = opening["first"].strip()
    return not _OPEN.match(first) and gives(first)


def list_complete(text: str, gives: Callable[[str], bool]) -> bool:
    """As `statement_complete`, for an answer of several parts: what stands last may have been followed by more of them.

    >>> list_complete("Answer: 1 to 2; 3", {"Answer: 1 to 2;"}.__contains__)
    False
    """
    return statement_complete(text, gives, whole=True)


def _in_any(at: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


def block_complete(text: str, gives: Callable[[str], bool]) -> bool:  # noqa: ARG001 - one signature for all
    """Complete is all that is read, for a reader of objects or tags that reads none that is not closed."""
    return True


def nothing_complete(text: str, gives: Callable[[str], bool]) -> bool:  # noqa: ARG001 - one signature for all
    """Nothing is complete, for a reader whose answer is the whole reply."""
    return False
