"""Any number of stretches of time in a clip, in seconds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from math import isfinite

from veridical.answers.json_block import json_reader
from veridical.answers.reader import Read
from veridical.answers.settle import NOTHING, is_short_statement, read_by_rule
from veridical.answers.time_interval import PAIR, Interval, interval, stretches

NONE = "none"
"""The answer that there is no such stretch."""

_NONE = re.compile(
    r"\W{0,5}(?:none|never|nowhere|no (?:such )?(?:interval|stretch|time|moment|part)s?|\[\s{0,3}\])\W{0,5}",
    re.IGNORECASE,
)
_LIST = re.compile(r"[ \t]*\n{1,2}[ \t]*(?:[-*\u2022][ \t]+|[0-9]{1,2}[.)][ \t]+)?(?P<line>[^\n]{3,80})")
_SMALL = re.compile(r"\b(?:and|from|between|und|et|y)\b|\W", re.IGNORECASE)


def read_intervals(text: str) -> Read:
    """The stretches of time that a reply states, in seconds as "1.50-4.00;6.00-7.50", or the reason why none is read.

    They stand in the order of time; stretches that overlap or touch are one. Each is read as by `read_interval`, and
    numbers without a unit are seconds. A JSON object with a list `intervals` of pairs, or of objects with `start` and
    `end`, is read as well. "none" is the answer of a reply that states that there is no stretch.

    >>> read_intervals("From 1.5 s to 4 s, and again from 00:06 to 00:07.").answer
    '1.50-4.00;6.00-7.00'
    >>> read_intervals('{"intervals": [[1.5, 4]]}').answer, read_intervals("frames 3 to 7").answer
    ('1.50-4.00', None)
    """
    if '"intervals"' in text:
        read = _of_json(text)
        if read.answer is not None or read.reason is not None:
            return read
    return read_by_rule(_joined(text), _slot, _whole, "time interval")


def intervals(answer: str) -> tuple[Interval, ...]:
    """The stretches of an answer of `read_intervals`; "none" has none.

    >>> intervals("1.50-4.00;6.00-7.00")[1]
    Interval(start=6.0, end=7.0)
    """
    return () if answer == NONE else tuple(interval(part) for part in answer.split(";"))


def written(stretch: Iterable[tuple[float, float]]) -> str:
    """The canonical text of stretches in seconds, merged and in order, with two decimals; "none" for none.

    >>> written([(6, 7.0), (1.5, 4), (3, 5)])
    '1.50-5.00;6.00-7.00'
    """
    return ";".join(f"{start:.2f}-{end:.2f}" for start, end in merged(stretch)) or NONE


def merged(stretch: Iterable[tuple[float, float]]) -> list[Interval]:
    """The union of stretches, as disjoint ones in order.

    >>> merged([(3, 5), (1, 3)])
    [Interval(start=1, end=5)]
    """
    union: list[Interval] = []
    for start, end in sorted(stretch):
        if union and start <= union[-1].end:
            union[-1] = Interval(union[-1].start, max(union[-1].end, end))
        else:
            union.append(Interval(start, end))
    return union


def iou(one: Iterable[tuple[float, float]], other: Iterable[tuple[float, float]]) -> float:
    """Intersection over union of two unions of stretches: 0 to 1, of times to 0.1 ms. Two without length have 0.

    >>> iou([(1, 3)], [(2, 4)]), iou([(0, 1), (2, 3)], [(0, 3)]), iou([], [])
    (0.3333333333333333, 0.6666666666666666, 0.0)
    """
    first, second = list(one), list(other)
    whole = _length([*first, *second])
    return float((_length(first) + _length(second) - whole) / whole) if whole else 0.0


def _length(stretch: Iterable[tuple[float, float]]) -> Fraction:
    """The length of a union of stretches; whole steps of a tenth of a millisecond, so that equal times stay equal."""
    return sum((_exact(end) - _exact(start) for start, end in merged(stretch)), Fraction(0))


def _exact(time: float) -> Fraction:
    return Fraction(round(time * 10_000), 10_000)


def _joined(text: str) -> str:
    """A text in which lines that are nothing but a stretch of time follow the line before in the same line."""

    def joined(line: re.Match[str]) -> str:
        bare = any(stretches(line["line"], bare=True)) and not _SMALL.sub("", _without(line["line"]))
        before = text[text.rfind("\n", 0, line.start()) + 1 : line.start()]
        follows = bare and (before.rstrip(" *_").endswith(":") or any(stretches(before, bare=True)))
        return f" {line['line'].rstrip(' .,;')};" if follows else line[0]

    return _LIST.sub(joined, text)


def _slot(content: str, alone: bool) -> Read:
    if _NONE.fullmatch(content):
        return Read(NONE)
    if PAIR.fullmatch(content):
        return _all(f"[{content.strip(' .')}]")
    read = _all(content)
    return NOTHING if alone and _SMALL.sub("", _without(content)) else read


def _whole(plain: str) -> Read:
    if _NONE.fullmatch(plain):
        return Read(NONE)
    return _all(plain) if is_short_statement(plain) else NOTHING


def _all(text: str) -> Read:
    """All stretches of a text; those without a unit count where no other has one, or one follows in the same list."""
    found = list(stretches(text, bare=True))
    chosen = [each for each in found if each.timed or each.joined] if any(each.timed for each in found) else found
    timed = [each.read for each in chosen]
    if not timed:
        return NOTHING
    failed = [read for read in timed if read.answer is None]
    return failed[0] if failed else Read(written(interval(read.answer) for read in timed if read.answer))


def _without(content: str) -> str:
    """What a text says besides its stretches of time."""
    ends = sorted({0, len(content), *(place for each in stretches(content, bare=True) for place in each.span)})
    spans = [each.span for each in stretches(content, bare=True)]
    kept = ((start, end) for start, end in pairwise(ends) if not any(a <= start and end <= b for a, b in spans))
    return " ".join(content[start:end] for start, end in kept)


def _of_json(text: str) -> Read:
    """The stretches of the JSON object in a reply; `NOTHING` without one that has them."""
    from pydantic import BaseModel

    class Stretch(BaseModel):
        start: float
        end: float

    class Stretches(BaseModel):
        intervals: list[tuple[float, float] | Stretch]

    read = json_reader(Stretches).read(text)
    if read.answer is None:
        return NOTHING
    listed = Stretches.model_validate_json(read.answer).intervals
    pairs = [(each.start, each.end) if isinstance(each, Stretch) else each for each in listed]
    if not all(isfinite(end) and start >= 0 for start, end in pairs):
        return Read(None, "a time of the interval is negative")
    if any(start > end for start, end in pairs):
        return Read(None, "the end of the interval is before its start")
    return Read(written(pairs))
