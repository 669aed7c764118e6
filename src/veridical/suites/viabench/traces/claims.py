"""Which options a trace states as what the picture shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from veridical.suites.viabench.traces.phrases import COUNT, names_of
from veridical.suites.viabench.traces.trace import TextSpan, Trace, TraceSentence

_NOT_SEEN = re.compile(
    r"\b(?:normal(?:ly)?|typical(?:ly)?|standard|usual(?:ly)?|always|should|expect\w{0,6}|general(?:ly)?|common(?:ly)?"
    r"|most|if|would|could|might|may|maybe|perhaps|either|or|illusion|classic(?:al)?|famous|known|resembles|must|ought"
    r"|supposed|options?|tempting|perceiv\w{1,4}|seems?|as any|like any|version|recall|remember|known as"
    r"|(?:humans?|people|persons?|hands|feet|dogs|horses|cows|elephants|spiders|animals|insects|cats|birds|flags"
    r"|clocks|chessboards?|dice) (?:has|have|are|show))\b|一般|正常|通常|应该|可能|也许",
    re.IGNORECASE,
)
"""Words of a clause that says what is usual, expected or supposed, and not what is seen."""
_DENIED = re.compile(
    r"(?:\b(?:not|no|nor|never|neither|without|instead of|rather than)|n't)(?:\s\w{1,12}){0,2}\W{0,3}\Z", re.IGNORECASE
)
_RESULT = re.compile(
    r"\b(?:that is|that's|makes|gives|in total|in all|together|sum is|so|total of|i count|i see|reads)\b|[=:]",
    re.IGNORECASE,
)
_IN_PART = re.compile(
    r"\b(?:(?<!from )(?<!to )(?:left|right|top|bottom)|side|row|column|upper|lower|front|back|mid(?:dle)?|corners?"
    r"|each|per)\b",
    re.IGNORECASE,
)
"""What is counted in a part of the picture alone."""
_IN_ALL = re.compile(r"\b(?:total|in all|together|makes|sum|altogether|overall|that's|that is)\b|=", re.IGNORECASE)
_NEAR = re.compile(r"[^,:;.]{0,30}")
_LIST = re.compile(rf"\b{COUNT}(?:\s?,\s{{0,2}}(?:and\s)?{COUNT}\b){{2,40}}", re.IGNORECASE)
_CUT = re.compile(
    r";|\u2014|\.\.\.|\uff0c|,?\s(?:but|although|though|while|however|because|since|whose|where|which)\b", re.IGNORECASE
)


class TraceClaim(NamedTuple):
    """An option that is stated as seen, and where."""

    option: str
    span: TextSpan


@lru_cache(maxsize=2)
def claims(trace: Trace) -> tuple[TraceClaim, ...]:
    """The options that a trace states as what the picture shows, in order.

    Left out are questions, what is usual or expected, what is denied, and clauses that name several options without
    saying to which of them they come.

    >>> trace = Trace("I count six fingers. Hands usually have five. Not four.", options=("4", "5", "6"))
    >>> [claim.option for claim in claims(trace)]
    ['6']
    """
    return tuple(_claims(trace))


def _claims(trace: Trace) -> Iterator[TraceClaim]:
    names = names_of(trace.options)
    for sentence in trace.sentences:
        if names and not sentence.text.endswith(("?", "\uff1f")):
            for start, clause in _clauses(sentence):
                mentions = [
                    (mention.start(), option) for option, name in names.items() for mention in name.finditer(clause)
                ]
                option = _claimed(clause, mentions) if mentions else None
                if option is not None:
                    yield TraceClaim(option, TextSpan(start, start + len(clause)))


def _clauses(sentence: TraceSentence) -> Iterator[tuple[int, str]]:
    """The parts of a sentence, cut before "but" and the like, with the place of each."""
    at = 0
    for cut in [*(match.start() for match in _CUT.finditer(sentence.text)), len(sentence.text)]:
        part = sentence.text[at:cut]
        if part.strip():
            bare = part.lstrip(" ,;\u2014\uff0c")
            yield sentence.start + at + len(part) - len(bare), bare.rstrip()
        at = cut


def _claimed(clause: str, mentions: list[tuple[int, str]]) -> str | None:
    if _NOT_SEEN.search(clause):
        return None
    mentions = [each for each in mentions if not (each[1].isdigit() and _in_part(clause, each[0]))]
    lists = [match.span() for match in _LIST.finditer(clause)]
    kept = [
        each
        for each in sorted(mentions)
        if not (_DENIED.search(clause, max(0, each[0] - 40), each[0]) or _counted_on(each[0], lists))
    ]
    if len({option for _, option in kept}) > 1:
        results = [match.end() for match in _RESULT.finditer(clause)]
        kept = [each for each in kept if results and each[0] >= results[-1]][:1]
    return kept[0][1] if kept else None


def _in_part(clause: str, at: int) -> bool:
    """Whether a number counts what is in a part of the picture."""
    parts = [match.end() for match in _IN_PART.finditer(clause, 0, at)]
    if parts and not _IN_ALL.search(clause, parts[-1]):
        return True
    near = _NEAR.match(clause, at)
    return near is not None and bool(_IN_PART.search(near[0]))


def _counted_on(at: int, lists: list[tuple[int, int]]) -> bool:
    """Whether a number stands within a list such as "1, 2, 3", before its last."""
    return any(start <= at < end - len("seven") for start, end in lists)
