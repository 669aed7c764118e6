"""Any number of stretches of time in a clip, in seconds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import isfinite

from veridical.answers.json_block import json_reader
from veridical.answers.places import LEAD, STATED
from veridical.answers.prepare import prepare
from veridical.answers.reader import ParsedAnswer
from veridical.answers.settle import NOTHING, AnswerClaim, is_short_statement, read_by_rule
from veridical.answers.time_interval import PAIR, TimeInterval, interval, leading_stretch, stretches

NONE = "none"
"""The answer that there is no such stretch."""

_EVENT = (
    r"(?:(?:impossible|unreal|such|odd|anomalous) )?"
    r"(?:anomal\w{1,5}|violations?|intervals?|stretch\w{0,2}|events?|things?)"
)
_NONE = re.compile(
    r"\W{0,5}(?:none|never|nowhere|keine?|aucune?|ningun[oa]|nessun[oa]?|\u65e0|\u6ca1\u6709|\u306a\u3057"
    r"|no (?:such )?(?:interval|stretch|time|moment|part)s?|\[\s{0,3}\]"
    r"|(?P<said>(?:no, |so |thus )?(?:(?:there (?:are|is|was)|i (?:can )?(?:see|find)|the (?:clip|video) (?:has|shows"
    rf"|contains)) )?(?:no {_EVENT}(?: (?:in|of) (?:this|the) (?:clip|video)| (?:occurs?|happens?|found))?"
    r"|nothing (?:impossible|unusual|anomalous|odd|of (?:that|the|this) kind)(?: (?:happens|occurs)(?: here)?)?)))"
    r"\W{0,5}",
    re.IGNORECASE,
)
_NONE_FIRST = re.compile(rf"(?i){_NONE.pattern}(?<=[.!]\s)(?=\S)")
_VAGUE = re.compile(
    r"(?i)\b(?:perhaps|maybe) (?:later|again|once|also|more)\b|\b(?:may|might|could) (?:begin|start|end|be)\b"
    r"|\banywhere\b|\be\.g\.|\bfor (?:example|instance)\b|\btypically\b|\botherwise\b|\bif we\b"
    r"|\b(?:can't|cannot) (?:see|tell|say) (?:when|where)\b"
)
_OF_THE_CLIP = re.compile(
    r"(?i)\b(?:whole|entire|full|total)\b[^.;\n0-9]{0,40}$|\b(?:clip|video) (?:runs|lasts|goes|is)\b[^.;\n0-9]{0,20}$"
)
"""What before a stretch of time makes it that of the clip."""
_STATES = re.compile(
    r"(?i)\b(?:anomal\w{0,5}|odd|impossible) (?:stretch|part|interval|segment|period|window)(?:s|es)?\b"
    r"|\bpart\b[^\n]{0,60}\bis (?:anomalous|odd|impossible)\b"
)
"""What a sentence has that gives the stretches in so many words."""
_SENTENCE = re.compile(r"[^\n]{1,400}?(?:[.!?](?=\s|$)|\n|$)|[^\n]{400}")
_ITEM = re.compile(
    r"^\s{0,8}(?:[-*\u2022|]\s{0,3}|\(?[0-9]{1,2}[.)]\s{1,3}|\|?\s{0,3}[0-9]{1,2}\s{0,3}\|"
    r"(?=[^|]{1,12}\|[^|]{1,12}\|)){0,2}\s{0,3}"
)
_CELLS = re.compile(r"([0-9.:]{1,9})( ?s)?\s{0,4}\|\s{0,4}([0-9.:]{1,9})(?: ?s)?(?=\s{0,4}(?:\||$))")
_NORMAL = re.compile(
    r"(?i)\W{0,5}(?:(?:(?:is|all|still|everything|the scene is) ){0,3}(?:normal|ordinary|fine|ok(?:ay)?|in order"
    r"|plausible)\b|nothing\b)"
)
"""What after a stretch of time says that it is none of those asked for."""
_LABEL = re.compile(r"\s{0,3}(?:[:|(–—]|- |$)")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_IN_WORDS = re.compile(rf"(?i)\b(?:{'|'.join(_WORDS)})\b(?= (?:to|until|till|seconds?)\b)")
_FROM_START = re.compile(
    r"(?i)\bfrom (?:the )?(?:very )?(?:beginning|start)(?: of the (?:clip|video))?(?= (?:up )?(?:to|until|till) [0-9])"
)
_PAIR_TAGS = re.compile(r"(?i)</(?P<own>time|t|timestamp)>\s{0,3}<(?P=own)>|</start>\s{0,3}<end>")
_TAGGED = re.compile(r"<\w{1,12} start=\"([0-9.:]{1,9})\" end=\"([0-9.:]{1,9})\" ?/?>")
_NONE_IN_PROSE = re.compile(
    r"(?i)(?:^|[.!?,\n]\s{0,3})(?:there (?:is|are|was)|i (?:see|find|spot|notice|can see)|(?:it|the (?:clip"
    r"|video)) (?:has|shows|contains)|i? ?(?:do(?:es)? not|did ?n't|do ?n't|can ?not|could not) (?:see|find|spot"
    r"|notice|contain|show))\b (?:no|nothing|anything|any|not a)\b(?![^.!?\n]{0,100}\b(?:when|where|sure|but|except"
    r"|other|else)\b)[^.!?\n]{0,60}\b(?:impossible|unreal\w*|odd|weird|strange|unusual|break|violat\w*|anomal\w*)"
)
_FIRST = re.compile(rf"(?i)\bthe first (?P<number>[0-9.]{{1,5}}|{'|'.join(_WORDS)}) seconds\b")
_FOR = re.compile(
    r"(?i)\b(?:starts?|begins?|from|at)(?: (?:at|from))? (?P<start>[0-9.]{1,6}) ?(?:s|sec|seconds)\b[^0-9.;\n]{0,40}"
    r"\b(?:lasts?|lasting|for)(?: (?:about|around|roughly))? (?P<length>[0-9.]{1,5}) ?(?:s|sec|seconds)\b"
)
_BEGUN = re.compile(
    r"(?i)\b(?:another|second|third|also|again|later)\b[^.;\n0-9]{0,40}\b(?:starts?|begins?|sets in) (?:at|around)"
    r" [0-9.:]{1,6}[^0-9]{0,40}$"
)
"""A further stretch whose beginning alone is given."""
_TEXT = re.compile(r"\\text\{([^{}\n]{1,20})\}")
_LIST = re.compile(r"(?<![ \t])[ \t]*\n{1,2}[ \t]*(?:[-*\u2022][ \t]+|[0-9]{1,2}[.)][ \t]+)?(?P<line>[^\n]{3,80})")
_SMALL = re.compile(r"(?i)\b(?:and|from|between|und|et|y)\b|\W")


def read_intervals(text: str) -> ParsedAnswer:
    """The stretches of time that a reply states, in seconds as "1.50-4.00;6.00-7.50", or the reason why none is read.

    They stand in the order of time; stretches that overlap or touch are one. Each is read as by `read_interval`, and
    numbers without a unit are seconds. A JSON object with a list `intervals` of pairs, or of objects with `start` and
    `end`, is read as well. "none" is the answer of a reply that states that there is no stretch.

    >>> read_intervals("From 1.5 s to 4 s, and again from 00:06 to 00:07.").answer
    '1.50-4.00;6.00-7.00'
    >>> read_intervals('{"intervals": [[1.5, 4]]}').answer, read_intervals("frames 3 to 7").answer
    ('1.50-4.00', None)
    """
    text = re.sub(r'"(?:segments|stretches)"(?=\s{0,3}:)', '"intervals"', text)
    if '"intervals"' in text:
        read = _of_json(text)
        if read.answer is not None or read.reason is not None:
            return read
    text = _TEXT.sub(r"\1", _PAIR_TAGS.sub(" - ", _FROM_START.sub("from 0", text)))
    text = _TAGGED.sub(r"\1 to \2 s; ", text)
    text = _FIRST.sub(lambda first: f"0 to {_seconds(first['number'])} s", text)
    text = _FOR.sub(lambda span: f"{span['start']} to {_later(span)} s", text)
    text = _IN_WORDS.sub(lambda word: str(_WORDS.index(word[0].lower())), text)
    reply = prepare(text)
    rows = NOTHING if reply.cues or any(each.rank >= STATED for each in reply.statements) else _rows(reply.plain)
    read = read_by_rule(_joined(text), _slot, _whole, "time interval", _claims) if rows == NOTHING else rows
    if read.answer is None and _NONE_IN_PROSE.search(reply.plain) and not any(stretches(reply.plain, bare=True)):
        return ParsedAnswer(NONE)
    none = _NONE_FIRST.match(reply.plain)
    if read.answer not in (None, NONE) and none and none["said"]:
        return ParsedAnswer(None, "no stretch is said to be there, and one is given")
    return read


def _seconds(number: str) -> str:
    return str(_WORDS.index(number.lower())) if number.isalpha() else number


def _later(span: re.Match[str]) -> str:
    """The end of a stretch whose start and length are given; the text as it stands where these are no numbers."""
    try:
        return f"{float(span['start']) + float(span['length']):g}"
    except ValueError:
        return span["length"]


def _rows(plain: str) -> ParsedAnswer:
    """The stretches of a list or table with one to each line, without those in which all is called normal."""
    found, normal, labels = [], 0, []
    for line in re.split(r"\n|;\s", plain[:4000]):
        row = _CELLS.sub(r"\1\2-\3\2 ", _ITEM.sub("", line))
        opens = leading_stretch(row)
        if opens is None and any(sign.isdecimal() for sign in row):
            return NOTHING
        if opens is not None:
            read, rest = opens
            normal += _NORMAL.match(rest) is not None
            found += [] if _NORMAL.match(rest) else [read]
            labels.append(_LABEL.match(rest) is not None)
    if not found or not (all(labels) or normal) or (len(labels) == 1 and not plain.lstrip().startswith(("-", "|"))):
        return NOTHING
    failed = [read for read in found if read.answer is None]
    return failed[0] if failed else ParsedAnswer(interval_text(interval(read.answer) for read in found if read.answer))


def _claims(plain: str) -> Iterator[AnswerClaim]:
    """Sentences that give the stretches in so many words: "The anomalous part is thus 1.0-3.0."."""
    for sentence in _SENTENCE.finditer(plain):
        read = _all(sentence[0]) if _STATES.search(sentence[0]) else NOTHING
        if read.answer is not None:
            yield AnswerClaim(read, LEAD, sentence.start(), sentence.end())


def intervals(answer: str) -> tuple[TimeInterval, ...]:
    """The stretches of an answer of `read_intervals`; "none" has none.

    >>> intervals("1.50-4.00;6.00-7.00")[1]
    TimeInterval(start=6.0, end=7.0)
    """
    return () if answer == NONE else tuple(interval(part) for part in answer.split(";"))


def interval_text(stretch: Iterable[tuple[float, float]]) -> str:
    """The canonical text of stretches in seconds, merged and in order, with two decimals; "none" for none.

    >>> interval_text([(6, 7.0), (1.5, 4), (3, 5)])
    '1.50-5.00;6.00-7.00'
    """
    return ";".join(f"{start:.2f}-{end:.2f}" for start, end in merge_intervals(stretch)) or NONE


def merge_intervals(stretch: Iterable[tuple[float, float]]) -> list[TimeInterval]:
    """The union of stretches, as disjoint ones in order.

    >>> merge_intervals([(3, 5), (1, 3)])
    [TimeInterval(start=1, end=5)]
    """
    union: list[TimeInterval] = []
    for start, end in sorted(stretch):
        if union and start <= union[-1].end:
            union[-1] = TimeInterval(union[-1].start, max(union[-1].end, end))
        else:
            union.append(TimeInterval(start, end))
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
    return sum((_exact(end) - _exact(start) for start, end in merge_intervals(stretch)), Fraction(0))


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


def _slot(content: str, alone: bool) -> ParsedAnswer:
    if _NONE.fullmatch(content):
        return ParsedAnswer(NONE)
    if PAIR.fullmatch(content):
        return _all(f"[{content.strip(' .')}]")
    read = _all(content)
    return NOTHING if alone and _SMALL.sub("", _without(content)) else read


def _whole(plain: str) -> ParsedAnswer:
    if _NONE.fullmatch(plain):
        return ParsedAnswer(NONE)
    if _VAGUE.search(plain) or _BEGUN.search(plain):
        return ParsedAnswer(None, "a time is left open")
    return _all(plain) if is_short_statement(re.sub(r"^First\b", "", plain.lstrip())) else NOTHING


def _all(text: str) -> ParsedAnswer:
    """All stretches of a text; those without a unit count where no other has one, or one follows in the same list."""
    every = [(each, *each.span) for each in stretches(text, bare=True)]
    odd = [(each, start) for each, start, end in every if not _NORMAL.match(text, end)]
    found = [each for each, start in odd if not _OF_THE_CLIP.search(text, max(0, start - 80), start)]
    chosen = [each for each in found if each.timed or each.joined] if any(each.timed for each in found) else found
    timed = [each.read for each in chosen]
    if not timed:
        return NOTHING
    failed = [read for read in timed if read.answer is None]
    return failed[0] if failed else ParsedAnswer(interval_text(interval(read.answer) for read in timed if read.answer))


def _without(content: str) -> str:
    """What a text says besides its stretches of time."""
    ends = sorted({0, len(content), *(place for each in stretches(content, bare=True) for place in each.span)})
    spans = [each.span for each in stretches(content, bare=True)]
    kept = ((start, end) for start, end in pairwise(ends) if not any(a <= start and end <= b for a, b in spans))
    return " ".join(content[start:end] for start, end in kept)


def _of_json(text: str) -> ParsedAnswer:
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
        return ParsedAnswer(None, "a time of the interval is negative")
    if any(start > end for start, end in pairs):
        return ParsedAnswer(None, "the end of the interval is before its start")
    return ParsedAnswer(interval_text(pairs))
