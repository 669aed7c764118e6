"""A stretch of time in a clip, in seconds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridical.answers.reader import ParsedAnswer
from veridical.answers.settle import NOTHING, follows_denial, is_short_statement, read_by_rule

_SECONDS = r"sekunden?|seconds?|secondes?|segundos?|secs?|秒"
_UNIT = rf"(?:ms|millisekunden|milliseconds?|{_SECONDS}|s)(?![A-Za-z])"
_PLAIN = r"[0-9]{1,6}(?:\.[0-9]{1,4})?"


def _time(name: str, number: str) -> str:
    """The pattern of one time: a clock, minutes and seconds, or a number with or without a unit."""
    points = r"\." if number == _PLAIN else "[.,]"
    return (
        rf"(?:(?P<{name}clock>[0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}})?(?:[.,][0-9]{{1,3}})?)"
        rf"|(?P<{name}min>[0-9]{{1,3}}) ?(?:minutes?|mins?|m|minuten?|分) ?(?P<{name}sec>[0-9]{{1,2}}"
        rf"(?:[.,][0-9]{{1,3}})?) ?{_UNIT}|(?P<{name}lead>(?:{_SECONDS}) {{1,2}})?(?P<{name}num>{number})(?:(?:st|nd"
        rf"|rd|th))? ?(?P<{name}unit>{_UNIT})?)(?!:?[0-9]|{points}[0-9]|e[0-9])"
    )


_COMMA = r"[0-9]{1,6}(?:[.,][0-9]{1,4})?"
_NOT_INSIDE_EARLY = r"(?<![A-Za-z0-9_.:/,-])"
_ABOUT = (
    r"(?:(?:about|around|approximately|roughly|ca\.|the(?: end(?: of the (?:clip|video))? \()?|at|el|der|le|t ?=|~|第"
    r"|etwa|environ|unos) {0,2}){0,2}"
)
_TO = (
    r"[\"')]{0,2}\s{0,3}(?:-{1,2}>?|–|—{1,2}|~|→|\u27a1\ufe0f?|\.{2,3}|…|(?<=s )(?:≤|<=?) ?t ?(?:≤|<=?)"
    r"|\b(?:(?:up )?to|until|till|through|bis|jusqu'à|a|hasta)\b|à|到|至|から)\s{0,3}[\"'(]{0,2}"
)
_AND = r"[\"')]{0,2}\s{0,3}(?:and|und|et|y|e|和)\s{1,3}"
_PATTERNS = (
    re.compile(rf"(?i){_NOT_INSIDE_EARLY}{_time('a', _COMMA)}{_TO}{_ABOUT}{_time('b', _COMMA)}"),
    re.compile(
        rf"(?i)\b(?:between|zwischen|entre)\s{{1,3}}{_ABOUT}{_time('a', _COMMA)}{_AND}{_ABOUT}{_time('b', _COMMA)}"
    ),
    re.compile(
        rf"(?i)[\[(]\s{{0,3}}{_time('a', _PLAIN)}\s{{0,2}}[,;]\s{{0,3}}{_time('b', _PLAIN)}\s{{0,3}}[\])]"
        rf"(?P<after> ?(?:{_SECONDS}|s)(?![A-Za-z]))?"
    ),
    re.compile(
        rf"(?i)(?P<label>\b(?:(?:start|begin|début|inicio|开始|開始)[a-z_]{{0,8}}|sets? in|normal (?:up to|until"
        rf"|till))\b)[^0-9\n.]{{0,25}}{_time('a', _COMMA)}(?:[^0-9]{{0,20}}? for [0-9.]{{1,6}}"
        rf" ?s)?[^0-9]{{0,100}}?\b(?:(?:end|stop|fin)[a-z_]{{0,8}}|until|is over|(?:continues|goes on|lasts|runs"
        rf"|persists) (?:up )?to)\b[^0-9\n.]{{0,25}}{_time('b', _COMMA)}"
    ),
    re.compile(
        rf"(?i)(?P<label>\bat) {_time('a', _COMMA)}[^0-9.\n]{{3,80}}\b(?:at|by) {_time('b', _COMMA)},? (?:it|that|this"
        r"|everything) (?:is over|ends|stops|is (?:all )?normal|has ended)"
    ),
    re.compile(rf"(?i)\[{_time('a', _PLAIN)}\] ?(?:-|–|to|→) ?\[{_time('b', _PLAIN)}\]"),
)
PAIR = re.compile(rf"(?i)\s{{0,4}}{_time('a', _PLAIN)}\s{{0,2}},\s{{0,3}}{_time('b', _PLAIN)}\s{{0,4}}\.?")
_FRAMES = re.compile(r"(?i)\b(?:frames?|bilder|images?|pages?|steps?) {0,2}#?$")
_LABELLED = re.compile(
    r"(?i)\b(?:intervals?|time(?:stamps?| ?span| ?range| window)?|segment|window|span"
    r"|seconds?)[\"']?\s{0,2}[:=]?\s{0,2}$"
)
_LENGTH = re.compile(
    r"(?i)\b(?:lasts?|lasting|duration(?: of)?|for|every|takes?|dauert|dure|dura)"
    r"(?: (?:about|around|roughly|etwa))? {0,2}$"
)
_NO_TIME_AFTER = re.compile(r"(?i) ?-[0-9]|/[0-9]| ?[%°×]| (?:long|apart|in length)\b")
_OR_AFTER = re.compile(
    r"(?i)[\"')\]]{0,2},?\s{0,2}(?:\b(?:or|oder|ou|o)\b|或)\W{0,3}(?:(?:maybe|perhaps|possibly|also|from"
    r"|between)\W{1,3}){0,2}[0-9]"
)
_JOINED = re.compile(
    r"(?i)[\"')\]]{0,2}\s{0,3}[,;/&+]?\s{0,3}"
    r"(?:\b(?:and|und|et|y|e|plus|as well as|sowie|puis|luego|then|again|followed by)\b|和|及|以及|与|と)?[\s,:]{0,3}"
    r"(?:\b(?:then|again|also|later|from|between|at|in|during|von|zwischen|de|entre)\b\s{0,3}){0,3}"
    rf"[\[(\"']{{0,2}}{_ABOUT}[0-9]"
)
"""What leads from one stretch to the next in a list of them."""


class TimeInterval(NamedTuple):
    """A stretch of time in seconds, start not after end."""

    start: float
    end: float


def interval(answer: str) -> TimeInterval:
    """The start and end, in seconds, of an answer of `read_interval`.

    >>> interval("1.5-4.0")
    TimeInterval(start=1.5, end=4.0)
    """
    start, _, end = answer.partition("-")
    return TimeInterval(float(start), float(end))


def read_interval(text: str) -> ParsedAnswer:
    """The one stretch of time that a reply states, in seconds as "1.5-4.0", or the reason why none can be read.

    Seconds, milliseconds, minutes with seconds and clocks ("00:02 - 00:05") are read, in a few languages, also as a
    labeled start and end. In running text a unit or a clock is needed; where an answer is stated, a bare "2-4" is
    seconds. An instant, a length, frames, two stretches, and an end before the start are not resolved; an interval
    whose start is its end is read. Which of several stated answers counts is told in `veridical.answers.settle`.

    >>> read_interval("It floats from 0:02 to 0:03.5.").answer, read_interval("4-5 balls").answer
    ('2.0-3.5', None)
    """
    return read_by_rule(text, _slot, _whole, "time interval")


def _slot(content: str, alone: bool) -> ParsedAnswer:
    pair = PAIR.fullmatch(content)
    if pair:
        return _stretch(pair)
    if alone:
        matches = [match for pattern in _PATTERNS for match in pattern.finditer(content)]
        rest = content[: matches[0].start()] + content[matches[0].end() :] if len(matches) == 1 else content
        return NOTHING if any(sign.isalnum() for sign in rest) else _one(content, True)
    return _one(content, True)


def _whole(plain: str) -> ParsedAnswer:
    return _one(plain, False) if is_short_statement(plain) else NOTHING


def _one(text: str, bare: bool) -> ParsedAnswer:
    """The one interval of a text; without a unit it counts where `bare` says so or start and end are labeled."""
    reads = [(each.read, each.timed) for each in stretches(text, bare=bare)]
    timed = [read for read, has_unit in reads if has_unit] or [read for read, _ in reads]
    if not timed:
        return NOTHING
    failed = [read for read in timed if read.answer is None]
    if failed:
        return failed[0]
    return timed[0] if len(set(timed)) == 1 else ParsedAnswer(None, "several time intervals are given")


class TimeStretch(NamedTuple):
    """A stretch of time in a text: what it is read as, whether it has a unit or a clock, and where it stands.

    One that is `joined` is followed by another one in a list, whose unit is its own.
    """

    read: ParsedAnswer
    timed: bool
    span: tuple[int, int]
    joined: bool = False


def stretches(text: str, *, bare: bool) -> Iterator[TimeStretch]:
    """The stretches of time in a plain text; those without a unit, a clock or a label only if `bare` says so.

    >>> [each.read.answer for each in stretches("from 1 s to 2 s, then 3-4", bare=True)]
    ['1.0-2.0', '3.0-4.0']
    """
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            timed = any(match[f"{end}{kind}"] for end in "ab" for kind in ("clock", "min", "unit", "lead"))
            timed = timed or bool(match.groupdict().get("after"))
            after = text[match.end() : match.end() + 12]
            before = text[max(0, match.start() - 30) : match.start()]
            labelled = "label" in match.re.groupindex
            if _FRAMES.search(before) or _LENGTH.search(before) or follows_denial(text, match.start()):
                continue
            if _NO_TIME_AFTER.match(after) or (labelled and not timed and "frame" in match[0].lower()):
                continue
            if _OR_AFTER.match(after):
                yield TimeStretch(ParsedAnswer(None, "a choice of time intervals is given"), timed, match.span())
                continue
            joined = _JOINED.match(text, match.end(), match.end() + 60) is not None
            if not (timed or joined) and re.match(r" {0,2}(?!(?:is|are|was|were)\b)[^\W\d_]", after):
                # Never left out in silence: what follows may be a unit, or the beginning of another stretch.
                if bare:
                    yield TimeStretch(
                        ParsedAnswer(None, "numbers without a unit of time stand before a word"), False, match.span()
                    )
            elif timed or bare or labelled or _LABELLED.search(before):
                yield TimeStretch(_stretch(match), timed, match.span(), joined)


def leading_stretch(text: str) -> tuple[ParsedAnswer, str] | None:
    """The stretch of time that opens a text, and what follows it; `None` where none does.

    >>> leading_stretch("1-2.5: the cup floats")
    (ParsedAnswer(answer='1.0-2.5', reason=None), ': the cup floats')
    """
    matches = (pattern.match(text) for pattern in (_PATTERNS[0], _PATTERNS[-1]))
    match = next((match for match in matches if match), None)
    return None if match is None else (_stretch(match), text[match.end() :])


def _stretch(match: re.Match[str]) -> ParsedAnswer:
    shared = match["bunit"] if match["anum"] else None
    start, end = _seconds(match, "a", shared), _seconds(match, "b", None)
    if start > end:
        return ParsedAnswer(None, "the end of the interval is before its start")
    return ParsedAnswer(f"{start!r}-{end!r}")


def _seconds(match: re.Match[str], end: str, shared: str | None) -> float:
    """Seconds of one end of an interval, rounded to milliseconds; `shared` is the unit of the other end."""
    if match[f"{end}clock"]:
        seconds = 0.0
        for part in match[f"{end}clock"].replace(",", ".").split(":"):
            seconds = 60 * seconds + float(part)
        return round(seconds, 3)
    if match[f"{end}min"]:
        return round(60.0 * float(match[f"{end}min"]) + float(match[f"{end}sec"].replace(",", ".")), 3)
    unit = (match[f"{end}unit"] or shared or "s").lower()
    value = float(match[f"{end}num"].replace(",", "."))
    return round(value / 1000 if unit.startswith(("ms", "milli")) else value, 3)
