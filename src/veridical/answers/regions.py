"""Marked regions of a picture, R1 to Rn, that a reply mentions or answers with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.answers.prepare import STATED, spoken
from veridical.answers.reader import Parser, Read
from veridical.answers.settle import NOTHING, Claim, read_by_rule

_MOST = 99
_NUMBER = r"[0-9]{1,9}(?![A-Za-z0-9_]|\.[0-9])"
_AND = r"(?:\s{0,2},)?\s{0,2}(?:and|&|\+|,|und|et|y|e|と|和|、|及)\s{0,2}"
_MENTION = re.compile(
    rf"(?<![A-Za-z0-9])R[ _-]{{0,2}}(?P<label>{_NUMBER})"
    r"|(?<![A-Za-z])(?:regions?|(?:bounding )?box(?:es)?|areas?|bereiche?n?|régions?|regi[oó]n(?:es)?|区域|領域)"
    rf"\s{{0,2}}:?\s{{0,2}}(?P<list>{_NUMBER}(?:{_AND}{_NUMBER}){{0,40}})",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"[0-9]+")
_RANGE = re.compile(r"[\])]?\s{0,2}(?:-|–|~|—|through|thru|bis|à|到|至|から|\.\.|…|(to))\s{0,2}[\[(]?", re.IGNORECASE)
_SHORT_END = re.compile(rf"-({_NUMBER})")
_LIST_END = re.compile(rf"(?:[-~]| (?:to|through|bis|à|a) |到|至)({_NUMBER})", re.IGNORECASE)
_JOIN = re.compile(rf"[\"')>\]]{{0,3}}(?:{_AND}|\s{{1,3}})[\"'(<\[]{{0,3}}(?:(?:region|box|area) )?", re.IGNORECASE)
_OR = re.compile(
    r"[\"')\]]{0,3}\s{0,2}(?:/|,? ?\b(?:or|oder|ou|o)\b|或|か)\s{0,2}[\"'(\[]{0,3}(?:region )?", re.IGNORECASE
)
_BEFORE = re.compile(
    r"(?:(?:\b(?:not|neither|nor|none of|rather than|instead of|other than|except(?: for)?|excluding|without|unlike"
    r"|(?:ignor|disregard)(?:e|ed|ing)?|nicht|außer|statt|pas|sauf|excepto)|不是|除了):?"
    r"|\birrelevant(?: regions?)?[\"']?(?::| are| is)\s?) {0,2}"
    r"(?:(?:in|on|at|the|from|of|to|regions?) ){0,3}[\"'(<\[]{0,3}$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\"')>\]]{0,3}\s{0,2}(?:[:(-]\s{0,2}(?:irrelevant|not (?:relevant|needed|useful)|ignored?\b|distractor)"
    r"|[:(-]\s{0,2}(?:no|false)\s{0,2}(?:[,;.)}\n]|$)|[✗✘❌]"
    r"|(?:(?:is|are|was|were|seems?|can(?: both| all| safely)?|should|may) (?:be )?)(?:all |both |also |clearly )?"
    r"(?:irrelevant|not (?:relevant|needed|involved|important|necessary|helpful|useful)|unrelated|ignored|disregarded"
    r"|excluded|(?:a |just a |only a )?distract|unimportant)"
    r"|(?:is|are)n't (?:relevant|needed|involved|important|necessary)|do(?:es)?(?: not|n't) (?:help|matter|contribute)"
    r"|(?:ist|sind) (?:nicht relevant|irrelevant|unwichtig))",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:all|every|each)(?: of)?(?: the| other| four| five| six| [0-9])? ?(?:regions?|boxes|areas|bounding)\b"
    r"|所有区域|alle bereiche|toutes les régions",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\W{0,5}(?:there (?:is|are) )?"
    r"(?:none(?: of (?:the |these |them)?(?:\w{2,10} )?(?:regions?|boxes|areas)?)?|no (?:relevant )?regions?"
    r"|keine[rn]?(?: der bereiche)?|aucune(?: région)?|ninguna)"
    r"(?: (?:is|are|ist|sind) (?:\w{2,12} )?(?:relevant|needed|useful))?\W{0,5}",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"\brelevant[\"']?\s{0,2}[:=]\s{0,3}"
    r"|\b(?:relevant|correct|right|key|important|needed|necessary|selected|chosen|final)"
    r" (?:regions?|boxes|areas)(?: (?:is|are))?[:= ]{1,3}",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"(?:[,\[]|\bR)[\s\"']{0,4}$|\[[^\[\]]{0,400}$|[0-9][\"')\]]{0,2},?\s{0,2}(?:\.{3}|…|etc\b)\W{0,4}$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Mention:
    """One mention of regions: their numbers, where it stands, and whether it is set aside ("not R3")."""

    numbers: tuple[int, ...]
    start: int
    end: int
    set_aside: bool = False


def region_mentions(text: str) -> tuple[int, ...]:
    """Numbers of all regions that a reply names outside its thinking, ascending, also of those it sets aside.

    This is the union over the steps of a rationale; ranges ("R1-R3") are spelled out. Nothing is checked against the
    regions that a picture has; what is no region's number (0, or more than 99) is left out.

    >>> region_mentions("R4 shows a dog, not R2. <think>R9</think> Regions 1 and 3 are empty.")
    (1, 2, 3, 4)
    """
    said = {number for mention in _mentions(spoken(text), False) for number in mention.numbers}
    return tuple(sorted(number for number in said if 1 <= number <= _MOST))


def region_numbers(answer: str) -> frozenset[int]:
    """The numbers in an answer of a region reader; the empty set for "none".

    >>> sorted(region_numbers("R1,R3")), region_numbers("none")
    ([1, 3], frozenset())
    """
    return frozenset(int(label[1:]) for label in answer.split(",") if label != "none")


def region_reader(count: int) -> Parser:
    """A reader of the regions of a picture that has `count` of them; a region beyond these is not read.

    >>> region_reader(3).read("R1 and R4").reason
    'R4 is named, but the regions end with R3'
    """

    def read(text: str) -> Read:
        answer, reason = read_regions(text)
        beyond = [number for number in sorted(region_numbers(answer)) if number > count] if answer else []
        return (
            Read(None, f"R{beyond[0]} is named, but the regions end with R{count}") if beyond else Read(answer, reason)
        )

    return Parser(f"regions: {count}", "1", read)


def read_regions(text: str) -> Read:
    """The regions that a reply answers with, as "R1,R3" in ascending order or "none", or the reason why not.

    Where the reply states an answer, its regions count; otherwise all regions that it mentions, without those that it
    sets aside in words. "All regions" and a choice ("R1 or R2") are not resolved. See `veridical.answers.settle`.

    >>> read_regions("The cat in R3 looks at R1; R2 is irrelevant.").answer, read_regions("R1 or R2").answer
    ('R1,R3', None)
    """
    return read_by_rule(text, _slot, _whole, "region", _stated)


def _slot(content: str, alone: bool) -> Read:
    if alone:
        bare = _MENTION.sub(" ", content).strip(" \t,.&+()[]<>\"'-")
        return NOTHING if bare.lower() not in {"", "and", "und"} else _regions(content, True)
    return _regions(content, True)


def _whole(plain: str) -> Read:
    return _regions(plain, False)


def _stated(plain: str) -> Iterator[Claim]:
    for mark in _STATED.finditer(plain):
        content = plain[mark.end() : mark.end() + 300].partition("\n")[0]
        read = _regions(content.partition(". ")[0], True)
        if read != NOTHING:
            yield Claim(read, STATED, mark.start(), mark.end() + 1)


def _regions(text: str, slot: bool) -> Read:
    if _ALL.search(text):
        return Read(None, "how many regions there are is not in the reply")
    if _NONE.fullmatch(text[:200]) and len(text) <= 200:
        return Read("none")
    standing: dict[int, bool] = {}
    last = None
    for mention in _mentions(text, slot):
        if last is not None and mention.start - last < 16 and _OR.fullmatch(text, last, mention.start):
            return Read(None, "a choice of regions is given")
        standing.update(dict.fromkeys(mention.numbers, not mention.set_aside))
        last = mention.end
    if not standing:
        return NOTHING
    if _CUT.search(text[-500:]):
        return Read(None, "the list of regions is cut")
    return _answer({number for number, stands in standing.items() if stands})


def _answer(numbers: set[int]) -> Read:
    if not numbers:
        return Read(None, "regions are only set aside")
    if min(numbers) < 1 or max(numbers) > _MOST:
        return Read(None, "a number is given that is no region's, or a range that runs backwards")
    return Read(",".join(f"R{number}" for number in sorted(numbers)))


def _mentions(text: str, slot: bool) -> Iterator[Mention]:
    """Mentions in order; those joined in a list share what is said before and after the list."""
    group: list[Mention] = []
    for mention in _spelled_out(text, slot):
        if group and not (mention.start - group[-1].end < 24 and _JOIN.fullmatch(text, group[-1].end, mention.start)):
            yield from _judged(text, group)
            group = []
        group.append(mention)
    yield from _judged(text, group)


def _judged(text: str, group: list[Mention]) -> Iterator[Mention]:
    if group:
        before = _BEFORE.search(text[max(0, group[0].start - 40) : group[0].start])
        aside = before is not None or _AFTER.match(text, group[-1].end, group[-1].end + 60) is not None
        yield from (Mention(mention.numbers, mention.start, mention.end, aside) for mention in group)


def _spelled_out(text: str, slot: bool) -> Iterator[Mention]:
    """Mentions with ranges spelled out; a range that runs backwards or too far gives 0, which is no region."""
    pending: Mention | None = None
    for found in _MENTION.finditer(text):
        numbers = tuple(int(number) for number in _DIGITS.findall(found["label"] or found["list"]))
        short = (_SHORT_END if found["label"] else _LIST_END).match(text, found.end())
        end = short.end() if short else found.end()
        if short:
            numbers = (*numbers[:-1], *_between(numbers[-1], int(short[1])))
        mention = Mention(numbers, found.start(), end)
        link = (
            _RANGE.fullmatch(text, pending.end, found.start()) if pending and found.start() - pending.end < 16 else None
        )
        if pending and link and (not link[1] or slot or _opens(text, pending.start)):
            mention = Mention(_between(pending.numbers[-1], numbers[0]), pending.start, end)
        elif pending:
            yield pending
        pending = mention
    if pending:
        yield pending


def _between(first: int, last: int) -> tuple[int, ...]:
    return tuple(range(first, last + 1)) if first <= last <= _MOST else (0,)


def _opens(text: str, start: int) -> bool:
    """Whether a mention opens a sentence, so that "R2 to R4" names a range and compares nothing."""
    before = text[max(0, start - 30) : start].rstrip(" \"'([*")
    return not before or before[-1] in ".:\n。" or before.lower().endswith(("regions", "boxes", "areas"))
