"""Where a text names marked regions: labels ("R3"), words ("regions 1 and 4"), ranges ("R1 to R4"), lists of these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.answers.thinking import spoken_text

MOST = 99
"""The highest number that a region may have."""
_NUMBER = r"[0-9]{1,9}(?![A-Za-z0-9_]|\.[0-9])"
_AND = r"(?:\s{0,4},)?\s{0,4}(?:and|&|\+|,|und|et|ve|en|y|e|i|и|و|과|와|と|和|、|及)\s{0,4}"
MENTION = re.compile(
    rf"(?i)(?<![A-Za-z0-9])R[ _-]{{0,2}}\{{?(?P<label>{_NUMBER})"
    r"|(?<![A-Za-z])(?:regions?|(?:bounding )?box(?:es)?|areas?|bereiche?n?|régions?|regi[oó]n(?:es)?|区域|領域)"
    r"(?:\s{0,2}:?\s{0,2}(?:#|no\. ?|numbers? |nr\. ?|(?:labell?ed|numbered|marked) )?|[-_])"
    rf"(?P<list>{_NUMBER}(?:{_AND}{_NUMBER}){{0,40}})"
)
_DIGITS = re.compile(r"[0-9]+")
_RANGE = re.compile(r"(?i)[\])]?\s{0,2}(?:-|–|~|—|through|thru|bis|à|到|至|から|\.\.|…|(to))\s{0,2}[\[(]?")
_SHORT_END = re.compile(rf"(?i)(?:[-\u2013]| (?:through|thru|bis) )({_NUMBER})")
_LIST_END = re.compile(rf"(?i)(?:[-~\u2013]| (?:to|through|bis|à|a) |到|至)({_NUMBER})")
_GOES_ON = (
    r"(?=[ \t]?(?:,|\Z|\n)| (?:are|were|is|was|all|both|each|shows?|contains?|have|has|do|don|does|seem|look|appear"
    r"|depict|display|matter|include|in|because|since|as|for|which|that|while|but|so|then|only|here|together|can|could"
    r"|may|must|will|und|et|zeigen|sind)\b)"
)
_STOPS = r"(?=[ \t]?(?:\Z|\n|[.;:!?)\]*](?![0-9])|,?(?: (?:and|&))? ?\bR ?[0-9]))"
_BY_COMMA, _BY_AND = rf",[ \t]?{_NUMBER}", rf",?[ \t]?(?:\b(?:and|und|et|y)\b|&|\+)[ \t]?{_NUMBER}"
_TAIL = re.compile(
    rf"(?i)(?:(?:{_BY_COMMA}){{0,40}}{_BY_AND}|(?:{_BY_COMMA}){{2,40}}|(?:/{_NUMBER}){{1,40}})(?:{_GOES_ON}|{_STOPS})"
    rf"|{_BY_COMMA}{_STOPS}"
)
"""Bare numbers after a label: "R1, 2 and 3"; none is a number of things: "in R1, 2 mugs", "R1 and 2 others"."""
_PLAIN = str.maketrans("₀₁₂₃₄₅₆₇₈₉０１２３４５６７８９Ｒ", "01234567890123456789R")
_REMARK = r"(?: ?\((?!(?:yes|no|true|false|not|irrelevant)\b)[^()\n]{1,90}\))?"
_JOIN = re.compile(rf"(?i)[\"')>\]]{{0,3}}{_REMARK}(?:{_AND}|\s{{1,4}})[\"'(<\[]{{0,3}}(?:(?:region|box|area) )?")
_PLURAL = re.compile(r"(?i)[\"')\]]{0,3} (?:are|were|all|both|look|show|seem|appear|contain|have|do)\b")


@dataclass(frozen=True, slots=True)
class Mention:
    """One mention of regions: their numbers, and where it stands."""

    numbers: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MentionGroup:
    """Mentions that are joined in a list, so that what is said before and after the list is said of each."""

    mentions: tuple[Mention, ...]

    @property
    def start(self) -> int:
        return self.mentions[0].start

    @property
    def end(self) -> int:
        return self.mentions[-1].end

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(number for mention in self.mentions for number in mention.numbers)


def region_mentions(text: str) -> tuple[int, ...]:
    """Numbers of all regions that a reply names outside its thinking, ascending, also of those it sets aside.

    This is the union over the steps of a rationale; ranges ("R1-R3") are spelled out. Nothing is checked against the
    regions that a picture has; what is no region's number (0, or more than 99) is left out.

    >>> region_mentions("R4 shows a dog, not R2. <think>R9</think> Regions 1 and 3 are empty.")
    (1, 2, 3, 4)
    """
    numbers = {number for mention in mentions(spoken_text(text), False) for number in mention.numbers}
    return tuple(sorted(number for number in numbers if 1 <= number <= MOST))


def groups(text: str, slot: bool) -> Iterator[MentionGroup]:
    """Lists of mentions in order; `slot` says that the text is a stated answer, where "R2 to R4" is always a range."""
    group: list[Mention] = []
    for mention in mentions(text, slot):
        if group and not (mention.start - group[-1].end < 120 and _JOIN.fullmatch(text, group[-1].end, mention.start)):
            yield MentionGroup(tuple(group))
            group = []
        group.append(mention)
    if group:
        yield MentionGroup(tuple(group))


def mentions(text: str, slot: bool) -> Iterator[Mention]:
    """Mentions in order, ranges spelled out; a range that runs backwards or too far gives 0, which is no region."""
    pending: Mention | None = None
    text = text if text.isascii() else text.translate(_PLAIN)
    for match in MENTION.finditer(text):
        mention = _whole(text, match)
        end, near = mention.end, pending is not None and match.start() - pending.end < 16
        link = _RANGE.fullmatch(text, pending.end, match.start()) if pending and near else None
        if pending and link and (not link[1] or slot or _opens(text, pending.start) or _PLURAL.match(text, end)):
            mention = Mention(_between(pending.numbers[-1], mention.numbers[0]), pending.start, end)
        elif pending:
            yield pending
        pending = mention
    if pending:
        yield pending


def _whole(text: str, match: re.Match[str]) -> Mention:
    """A mention with the range or the list of bare numbers that it begins: "R1-3", "R1, 2 and 3"."""
    numbers = tuple(int(number) for number in _DIGITS.findall(match["label"] or match["list"]))
    short = (_SHORT_END if match["label"] else _LIST_END).match(text, match.end())
    if short:
        return Mention((*numbers[:-1], *_between(numbers[-1], int(short[1]))), match.start(), short.end())
    tail = _TAIL.match(text, match.end()) if match["label"] else None
    more = tuple(int(number) for number in _DIGITS.findall(tail[0])) if tail else ()
    if tail and all(1 <= number <= MOST for number in more):
        return Mention((*numbers, *more), match.start(), tail.end())
    return Mention(numbers, match.start(), match.end())


def _between(first: int, last: int) -> tuple[int, ...]:
    return tuple(range(first, last + 1)) if first <= last <= MOST else (0,)


def _opens(text: str, start: int) -> bool:
    """Whether a mention opens a sentence, so that "R2 to R4" names a range and compares nothing."""
    before = text[max(0, start - 30) : start].rstrip(" \"'([*")
    return not before or before[-1] in ".:\n。" or before.lower().endswith(("regions", "boxes", "areas"))
