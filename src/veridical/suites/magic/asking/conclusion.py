"""Where a reply states its final answer: a heading or a line "Answer", a tag, a box, JSON, a sentence, the last line.

Headings and tags come before boxes and a last line "#### red", these before sentences ("the answer is red"), and
sentences before bold on the last line; of several of one kind the last counts. A sentence after a heading counts if
words of correction stand between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridical.answers.markers import CUE
from veridical.answers.places import boxes, markers, tags
from veridical.answers.thinking import ANSWER_TAG
from veridical.suites.magic.asking.headings import (
    ANSWER,
    CONCLUSION,
    IN_LINE,
    LETTER,
    NEXT_PART,
    PART_IN_LINE,
    is_placeholder,
)
from veridical.suites.magic.asking.plain_reply import PlainReply, tidy

_IN_OBJECT = re.compile(
    r"[\"'](?:final[_ ]|short[_ ])?answer[\"']\s{0,4}:\s{0,4}(?P<quote>[\"'])(?P<answer>[^\"\n]{1,300}?)(?P=quote)"
    r"(?=\s{0,9}(?:[,}\]]|\Z))",
    re.IGNORECASE,
)
"""In what is meant as JSON but is none."""
_NO_ANSWER = re.compile(
    r"\W{0,6}(?:(?:in|at|within|found in|based on|lies in) (?:the )?(?:box|region|picture|R ?[0-9])|the question\b"
    r"|not [\w-]{1,20}\W{0,3}\Z)",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\n[^\S\n]{0,9}\n")
_SENTENCE = re.compile(r"[.!?。](?=\s|[\"')*]|$)")
_BOLD = re.compile(r"(?:\*\*|__)(?P<bold>[^*\n]{1,200}?)(?:\*\*|__)\W{0,3}\Z")
_HASHES = re.compile(r"\n[^\S\n]{0,3}#{4}[^\S\n]{1,3}(?P<answer>[^\n]{0,199}[^\s:])\s{0,9}\Z")
"""The last line as many models were trained to end, "#### red"; a heading over nothing ends with a colon."""
_LONGEST = 2_000
"""The longest conclusion, in characters."""


class ConclusionPlace(NamedTuple):
    """The conclusion of a reply, and the stretch of the plain text that states it, heading included."""

    content: str
    start: int
    end: int


def conclusion_of(plain: PlainReply) -> ConclusionPlace | None:
    """Where a reply states its final answer, or `None`.

    >>> conclusion_of(PlainReply.of("R1 shows a mug.\\n\\n**Answer**: The mug is *red*.")).content
    'The mug is red.'
    >>> conclusion_of(PlainReply.of("R1 shows a red mug.")) is None
    True
    """
    tagged, boxed, prose = list(_tags(plain)), list(_boxed(plain)), list(_prose(plain))
    strong = [*tagged, *_in_object(plain)]
    strong += [place for heading in (ANSWER, LETTER, IN_LINE) for place in _under(plain, heading)]
    if strong:
        best = _inner(max(strong, key=lambda place: (place.end, -place.start)), [*boxed, *tagged])
        later = [each for each in prose if each.start >= best.end]
        corrected = later and CUE.search(plain.bare, best.end, later[-1].start) is not None
        return later[-1] if corrected else best
    weaker = (boxed, list(_after_hashes(plain)), list(_under(plain, CONCLUSION)), prose, list(_last_bold(plain)))
    return next((kind[-1] for kind in weaker if kind), None)


def _inner(place: ConclusionPlace, marked: list[ConclusionPlace]) -> ConclusionPlace:
    """The same stretch with what a tag or a box in it marks as the answer."""
    inside = [each for each in marked if place.start <= each.start and each.end <= place.end]
    return place._replace(content=inside[-1].content) if inside else place


def _under(plain: PlainReply, heading: re.Pattern[str]) -> Iterator[ConclusionPlace]:
    """What follows headings: the rest of the line, or, where nothing stands there, the paragraph below."""
    for match in heading.finditer(plain.bare):
        start = match.end()
        line = plain.bare.find("\n", start)
        end = len(plain.bare) if line < 0 else line
        if not plain.bare[start:end].strip():
            while start < len(plain.bare) and plain.bare[start].isspace():
                start += 1
            if heading.match(plain.bare, start):
                continue
            stops = (_BLANK.search(plain.bare, start), NEXT_PART.search(plain.bare, start))
            end = min(stop.start() if stop else len(plain.bare) for stop in stops)
        part = PART_IN_LINE.search(plain.bare, start, end)
        end = part.start() if part else end
        yield from _place(plain, start, end, match.start(), end)


def _tags(plain: PlainReply) -> Iterator[ConclusionPlace]:
    for _, start, end in tags(plain.text):
        opening = plain.text.rfind("<", 0, start)
        closing = ANSWER_TAG.match(plain.text, end)
        yield from _place(plain, start, end, start if opening < 0 else opening, closing.end() if closing else end)


def _boxed(plain: PlainReply) -> Iterator[ConclusionPlace]:
    for _, start, end in boxes(plain.text):
        yield from _place(plain, start, end, start, end)


def _in_object(plain: PlainReply) -> Iterator[ConclusionPlace]:
    for match in _IN_OBJECT.finditer(plain.text):
        yield from _place(plain, *match.span("answer"), *match.span())


def _prose(plain: PlainReply) -> Iterator[ConclusionPlace]:
    """Sentences such as "so the answer is red", which stay steps of the rationale; an answer below is none."""
    for _, start, last in markers(plain.bare):
        stop = _SENTENCE.search(plain.bare, start, last)
        end = stop.start() if stop else last
        content = plain.bare[start:end].rstrip()
        if _NO_ANSWER.match(content) or plain.bare[start : end + 1].rstrip().endswith("?"):
            continue
        below = "\n" in plain.bare[len(plain.bare[:start].rstrip()) : start]
        yield from _place(plain, start, end, start, end if below else start)


def _after_hashes(plain: PlainReply) -> Iterator[ConclusionPlace]:
    last = _HASHES.search(plain.text, max(0, len(plain.text) - 300))
    if last:
        yield from _place(plain, *last.span("answer"), last.start(), last.end())


def _last_bold(plain: PlainReply) -> Iterator[ConclusionPlace]:
    stripped = plain.text.rstrip()
    bold = _BOLD.search(stripped, max(0, stripped.rfind("\n")))
    if bold and not bold["bold"].rstrip().endswith(":"):
        alone = not stripped[stripped.rfind("\n") + 1 : bold.start()].strip()
        yield from _place(plain, *bold.span("bold"), bold.start() if alone else len(stripped), len(stripped))


def _place(plain: PlainReply, start: int, end: int, first: int, last: int) -> Iterator[ConclusionPlace]:
    """The content of a stretch as a place from `first` to `last`; nothing where it holds no answer."""
    content = tidy(plain.clean(start, min(end, start + _LONGEST)))
    if not is_placeholder(content):
        yield ConclusionPlace(content, first, last)
