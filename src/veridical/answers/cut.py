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


def stated(text: str, gives: Callable[[str], bool], *, whole: bool = False) -> bool:
    """Complete is an answer that was stated before the end: in a closed tag or box, after "Answer:", or at the opening.

    Nothing is where the reply ends in "the answer is". An opening is a first sentence with more after it that gives
    the answer by itself. What stands at the very end may
    go on: the digits of a number, "no" to "no difference", "B" to "both".

    >>> stated("Answer: B, because", {"Answer: B,"}.__contains__), stated("B", {"B"}.__contains__)
    (True, False)
    >>> stated("Yes. The left", {"Yes."}.__contains__), stated("Yes, the left", {"Yes."}.__contains__)
    (True, False)
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


def listed(text: str, gives: Callable[[str], bool]) -> bool:
    """As `stated`, for an answer of several parts: what stands last may have been followed by more of them.

    >>> listed("Answer: 1 to 2; 3", {"Answer: 1 to 2;"}.__contains__)
    False
    """
    return stated(text, gives, whole=True)


def _in_any(at: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


def closed(text: str, gives: Callable[[str], bool]) -> bool:  # noqa: ARG001 - one signature for all
    """Complete is all that is read, for a reader of objects or tags that reads none that is not closed."""
    return True


def never(text: str, gives: Callable[[str], bool]) -> bool:  # noqa: ARG001 - one signature for all
    """Nothing is complete, for a reader whose answer is the whole reply."""
    return False
