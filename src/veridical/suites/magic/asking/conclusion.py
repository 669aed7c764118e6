"""Where a reply states its final answer: a heading or a line "Answer", a tag, a box, JSON, a sentence, bold at the end.

Headings and tags come before boxes, boxes before sentences ("the answer is red"), and these before bold on the last
line; of several of one kind the last counts. A sentence after a heading counts if words of correction stand between.
What begins with the heading of another question is made up, and no part of the reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridical.answers.dressing import folded, undressed
from veridical.answers.markers import CUE
from veridical.answers.places import boxes, markers, tags
from veridical.answers.thinking import ANSWER_TAG

_WORDS = (
    r"answers?|ans|antwort|respuesta|réponse|resposta|risposta|antwoord|svar|cevap|yan\u0131t|odpowiedź|ответ"
    r"|答案|回答|答え|정답"
)
_LEAD = r"^[^\w\n]{0,12}(?:[0-9]{1,2}[.)][^\w\n]{1,4})?"
_KIND = r"(?:(?:my|the|your|final|short|full|overall|correct|concluding|最终|最終)\s{1,3}){0,3}"
_AFTER = (
    r"(?:\s{1,2}(?:to the question|here))?"
    r"(?:[^\S\n]{0,4}(?:[:=→]|-{1,2}>|[-\u2013—] )[^\S\n]{0,4}|[^\S\n]{2,9}|[^\w\n]{0,9}$)"
)
_HEADING = re.compile(rf"{_LEAD}{_KIND}(?P<word>{_WORDS}){_AFTER}", re.IGNORECASE | re.MULTILINE)
_LETTER = re.compile(r"^[^\w\n]{0,6}A[^\S\n]{0,3}:[^\S\n]{0,4}(?=[^\n]{1,300}\Z)", re.MULTILINE)
_CONCLUSION = re.compile(
    rf"{_LEAD}(?:final\s|my\s|in\s)?(?:conclusion|verdict|result|fazit|conclusión|结论){_AFTER}",
    re.IGNORECASE | re.MULTILINE,
)
_IN_LINE = re.compile(
    r"(?<=[.!?;)])[^\w\n]{1,6}(?:final )?answer\s{0,3}:[^\S\n]{0,4}(?=[^\n]{1,200}(?:\n|\Z))", re.IGNORECASE
)
"""A heading at the end of the line of the last step: "So it is red. Answer: red"."""
_OTHER_QUESTION = re.compile(
    r"^[^\w\n]{0,8}(?:next |new )?(?:question|example|image|user|human)\b[^\n:]{0,40}(?::|$)",
    re.IGNORECASE | re.MULTILINE,
)
_PLACEHOLDER = re.compile(
    r"\W*(?:(?:your|the|insert|write|put|final|short|full)\W{1,3}){0,3}(?:answer|response)?(?: here| goes here)?\W*",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"\W{0,6}(?:in|at|within|found in|based on|lies in) (?:the )?(?:box|region|picture|R ?[0-9])", re.I
)
_NEXT_PART = re.compile(
    r"\n[^\w\n]{0,8}(?:explanation|reason(?:ing)?|rationale|justification|thought process|note|confidence|steps?"
    r"|evidence|why)\b[^\w\n]{0,6}(?::|\n)",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\n[^\S\n]{0,9}\n")
_SENTENCE = re.compile(r"[.!?。](?=\s|[\"')*]|$)")
_BOLD = re.compile(r"(?:\*\*|__)(?P<bold>[^*\n]{1,200}?)(?:\*\*|__)\W{0,3}\Z")
_LONGEST_PLACEHOLDER = 80
_LONGEST = 2_000
"""The longest conclusion, in characters."""


class Place(NamedTuple):
    """The conclusion of a reply, and the stretch of the plain text that states it, heading included."""

    content: str
    start: int
    end: int


class Plain(NamedTuple):
    """A reply with folded signs, and the same with each sign of dressing as a space: positions mean the same."""

    text: str
    bare: str

    def clean(self, start: int, end: int) -> str:
        """A stretch without dressing; where a tag was, a space stands."""
        text, bare = self.text[start:end], self.bare[start:end]
        if text == bare:
            return text
        pairs = zip(text, bare, strict=True)
        kept = (each if not plain.isspace() or each.isspace() else " " if each == ">" else "" for each, plain in pairs)
        return "".join(kept)


def plain_of(spoken: str) -> Plain:
    """What a reply says outside its thinking, in plain signs, up to where it makes up another question."""
    text = folded(spoken.encode("utf-8", "replace").decode())
    bare = undressed(text)
    answered = next((match.end() for match in _HEADING.finditer(bare) if bare[match.end() :].strip()), None)
    if answered is not None:
        other = _OTHER_QUESTION.search(bare, answered)
        if other is not None and bare[answered : other.start()].strip():
            text, bare = text[: other.start()], bare[: other.start()]
    return Plain(text, bare)


def conclusion_of(plain: Plain) -> Place | None:
    """Where a reply states its final answer, or `None`.

    >>> conclusion_of(plain_of("R1 shows a mug.\\n\\n**Answer**: The mug is *red*.")).content
    'The mug is red.'
    >>> conclusion_of(plain_of("R1 shows a red mug.")) is None
    True
    """
    tagged, boxed, prose = list(_tags(plain)), list(_boxed(plain)), list(_prose(plain))
    strong = [*_headings(plain), *tagged]
    if strong:
        best = _inner(max(strong, key=lambda place: (place.end, -place.start)), [*boxed, *tagged])
        later = [each for each in prose if each.start >= best.end]
        if later and CUE.search(plain.bare, best.end, later[-1].start) is not None:
            return later[-1]
        return best
    weaker = (boxed, list(_matches(plain, _CONCLUSION)), prose, list(_last_bold(plain)))
    return next((kind[-1] for kind in weaker if kind), None)


def is_bare_heading(line: str) -> bool:
    """Whether a line is a heading "Answer" with nothing, or with a placeholder, after it.

    >>> is_bare_heading("Answer: [your answer]"), is_bare_heading("Answer: red")
    (True, False)
    """
    heading = _HEADING.match(line)
    return heading is not None and _is_placeholder(line[heading.end() :])


def _inner(place: Place, marked: list[Place]) -> Place:
    """The same stretch with what a tag or a box in it marks as the answer."""
    inside = [each for each in marked if place.start <= each.start and each.end <= place.end]
    return place._replace(content=inside[-1].content) if inside else place


def _boxed(plain: Plain) -> Iterator[Place]:
    for _, start, end in boxes(plain.text):
        place = _place(plain, start, end, start, end)
        if place:
            yield place


def _headings(plain: Plain) -> Iterator[Place]:
    for pattern in (_HEADING, _LETTER, _IN_LINE):
        yield from _matches(plain, pattern)


def _matches(plain: Plain, pattern: re.Pattern[str]) -> Iterator[Place]:
    """What follows headings: the rest of the line, or, where nothing stands there, the paragraph below."""
    for match in pattern.finditer(plain.bare):
        start = match.end()
        end = _end(plain.bare, "\n", start)
        if not plain.bare[start:end].strip():
            while start < len(plain.bare) and plain.bare[start].isspace():
                start += 1
            following = pattern.match(plain.bare, start)
            if following is not None:
                continue
            blank, part = _BLANK.search(plain.bare, start), _NEXT_PART.search(plain.bare, start)
            end = min(each.start() if each else len(plain.bare) for each in (blank, part))
        place = _place(plain, start, end, match.start(), end)
        if place:
            yield place


def _tags(plain: Plain) -> Iterator[Place]:
    for _, start, end in tags(plain.text):
        opening = plain.text.rfind("<", 0, start)
        closing = ANSWER_TAG.match(plain.text, end)
        place = _place(plain, start, end, start if opening < 0 else opening, closing.end() if closing else end)
        if place:
            yield place


def _prose(plain: Plain) -> Iterator[Place]:
    """Sentences such as "so the answer is red"; the sentence stays a step of the rationale."""
    for _, start, last in markers(plain.bare):
        stop = _SENTENCE.search(plain.bare, start, last)
        end = stop.start() if stop else last
        if not _NO_ANSWER.match(plain.bare, start) and not plain.bare[start:end].rstrip().endswith("?"):
            place = _place(plain, start, end, start, start)
            if place:
                yield place


def _last_bold(plain: Plain) -> Iterator[Place]:
    stripped = plain.text.rstrip()
    bold = _BOLD.search(stripped, max(0, stripped.rfind("\n")))
    if bold and not bold["bold"].rstrip().endswith(":"):
        alone = not stripped[stripped.rfind("\n") + 1 : bold.start()].strip()
        place = _place(plain, *bold.span("bold"), bold.start() if alone else len(stripped), len(stripped))
        if place:
            yield place


def _place(plain: Plain, start: int, end: int, first: int, last: int) -> Place | None:
    content = tidy(plain.clean(start, min(end, start + _LONGEST)))
    return None if _is_placeholder(content) else Place(content, first, last)


def _is_placeholder(text: str) -> bool:
    text = text.strip()
    return len(text) <= _LONGEST_PLACEHOLDER and _PLACEHOLDER.fullmatch(text) is not None


def _end(text: str, sign: str, start: int) -> int:
    end = text.find(sign, start)
    return len(text) if end < 0 else end


def tidy(text: str) -> str:
    """A text on one line, without spaces, quotation marks and brackets around it.

    >>> tidy(' "The  mug\\n is red." ')
    'The mug is red.'
    """
    line = " ".join(text.split())
    while len(line) > 1 and (line[0], line[-1]) in {('"', '"'), ("'", "'"), ("[", "]"), ("(", ")")}:
        line = line[1:-1].strip()
    return line
