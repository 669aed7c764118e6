"""Replies that speak of all marked regions at once: all of them, all but some, none, or a choice of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from veridical.answers.reader import Read
from veridical.answers.region_fineness import FINE, ODD, PLAIN, fineness
from veridical.answers.region_mentions import MENTION, MOST, mentions
from veridical.answers.region_verdicts import Verdict, verdicts
from veridical.answers.region_walk import walked
from veridical.answers.region_words import (
    ALL,
    BARE_EXCEPTED,
    DOUBLED,
    EXCEPT,
    HEDGE,
    NO_REGION,
    NONE,
    NONE_OF_ALL,
    NOTHING_AT_ALL,
    OR,
)
from veridical.answers.settle import NOTHING

_LOOKED = re.compile(
    r"\b(?:look\w{0,3}|check\w{0,3}|examin\w{1,3}|inspect\w{0,3}|go|goes|going|went|review\w{0,3}|stud\w{1,4}"
    r"|analy[sz]\w{1,3}|consider\w{0,3}|compar\w{1,3}|across|of|among|out of|took|take|assess\w{0,3}|describ\w{1,3}"
    r"|evaluat\w{1,3})(?: (?:carefully|closely))?(?: (?:at|through|over|into))? $",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\b(?:but|however|yet|although|though|while|whereas|only|first|glance|seem\w{0,3}|unlike|still|except)\b",
    re.IGNORECASE,
)
_FEW_WORDS = 3
_FAR = 3000
"""Beyond as many characters it is not looked for what "none of them" points at: each is a search of its own."""


def everything(text: str, count: int | None) -> re.Match[str] | None:
    """Where all regions are spoken of, other than as those that were looked at ("I checked all regions")."""
    for match in ALL.finditer(text):
        if count not in {None, 2} and match[0].lower().startswith("both"):
            continue
        if not _LOOKED.search(text[max(0, match.start() - 40) : match.start()]):
            return match
    return None


def none_of_all(text: str) -> Read | None:
    """The reading of a text that says "none"; `None` for any other text."""
    if NONE.fullmatch(text[:200]) and len(text) <= 200:
        return Read("none")
    none = NONE_OF_ALL.search(text)
    if none is None or MENTION.search(text):
        return None
    if ODD.search(none[0]):
        return Read("none")
    rest = DOUBLED.sub("", text[none.end() :])
    return NOTHING if fineness(rest) is True else Read("none")


def of_none(count: int, text: str, judged: Sequence[Verdict]) -> Read | None:
    """The reading of prose that says that no region is odd; `None` for any other text."""
    if _nothing_at_all(text, judged, count):
        return Read("none")
    if _no_region(text, count) and any(verdict.chosen and not verdict.seeming for verdict in judged):
        return Read(None, "no region is called odd, and one is")
    return None


def _nothing_at_all(text: str, judged: Sequence[Verdict], count: int | None) -> bool:
    """Whether a sentence says that nothing odd is in the picture, and no region is called odd elsewhere."""
    if any(verdict.chosen for verdict in judged):
        return False
    if _no_region(text, count):
        return True
    return any(
        fineness(match["what"]) is False or re.search(r"\bout of the ordinary\b", match["what"])
        for match in NOTHING_AT_ALL.finditer(text)
        if match["none"].strip() != "any"
    )


def _follows_all(before: str, count: int | None) -> bool:
    """Whether "none of them" means all regions: no region is named before, or all are in the sentence before."""
    if len(before) > _FAR:
        return False
    named = {number for mention in mentions(before, False) for number in mention.numbers}
    sentence = re.split(r"(?<=[.!?\n])\s", before.rstrip())[-1]
    last = {number for mention in mentions(sentence, False) for number in mention.numbers}
    return not named or (count is not None and last == set(range(1, count + 1)))


def _no_region(text: str, count: int | None) -> bool:
    """Whether a sentence says that no region is odd ("I conclude that no region shows something impossible")."""
    for match in NO_REGION.finditer(text):
        odd = ODD.search(match[0])
        if match["back"] and not _follows_all(text[: match.start()], count):
            continue
        if odd and not FINE.search(match[0][: odd.start()] + "."):
            return True
    return False


def is_choice(count: int | None, text: str, judged: Sequence[Verdict], slot: bool) -> bool:
    """Whether "or" stands between regions; a slash is a comma where a stated answer holds labels alone."""
    listed = slot and "/" in text and not MENTION.sub(" ", text).strip(" \t,.&+()[]<>\"'-/")
    return not listed and any(
        second.chosen is not False
        and (count is None or first.chosen is not False)
        and second.start - first.end < 16
        and OR.fullmatch(text, first.end, second.start)
        for first, second in pairwise(judged)
    )


def of_all(count: int | None, text: str, match: re.Match[str], slot: bool) -> Read:
    """The answer where all regions are spoken of: all of them, all but some, those excepted, or none."""
    judged = verdicts(text, slot)
    numbers = {number for verdict in judged for number in verdict.numbers}
    if HEDGE.search(text):
        return Read(None, "the answer is left open")
    excepted = EXCEPT.search(text, match.end(), match.end() + 60)
    before = EXCEPT.search(text, max(0, match.start() - 40), match.start())
    excepted = excepted or (before if before and before[0].lower() != "but" else None)
    bare = BARE_EXCEPTED.match(text, excepted.end()) if excepted and not numbers and count is not None else None
    if bare:
        numbers = {int(number) for number in re.findall("[0-9]{1,2}", bare[0])}
    if excepted and not numbers:
        return Read(None, "the regions that are excepted are not named")
    rest = text[match.end() : match.end() + 200]
    if numbers and excepted is None:
        return _elaborated(count, text, rest, judged, slot)
    fine = fineness(rest)
    after = excepted.end() if excepted else len(text)
    named = next((verdict for verdict in judged if verdict.start >= after), None)
    if fine is False and count is not None and named and named.start - after < 12:
        others = set(range(1, count + 1)) - set(named.numbers)
        if numbers == set(range(1, count + 1)) and not any(one.chosen is False for one in judged if one is not named):
            return regions_answer(others)
    if fine is True or (fine is None and PLAIN.match(rest)):
        return regions_answer(numbers) if numbers else Read("none")
    if count is None or not 1 <= count <= MOST:
        return Read(None, "how many regions there are is not in the reply")
    if fine is None and not slot and not _is_bare(text, match):
        return Read(None, "what is said of all regions cannot be told")
    return regions_answer(set(range(1, count + 1)) - numbers)


def _is_bare(text: str, match: re.Match[str]) -> bool:
    """Whether a text holds hardly a word beside "all regions" and those that are excepted."""
    rest = EXCEPT.sub(" ", MENTION.sub(" ", text[: match.start()] + " " + text[match.end() :]))
    return len(re.findall(r"[^\W\d_]+", rest)) <= _FEW_WORDS


def _elaborated(count: int | None, text: str, rest: str, judged: Sequence[Verdict], slot: bool) -> Read:
    """The answer where all regions are called fine or odd, and then described by name."""
    sentence = re.split(r"[.:;\n]", rest)[0]
    fine = fineness(sentence)
    agrees = not any(verdict.chosen is (fine is True) for verdict in judged if verdict.explicit)
    if count is not None and fine is False and agrees and not MENTION.search(sentence):
        return regions_answer(set(range(1, count + 1)))
    if count is not None and fine is True and agrees and not (MENTION.search(sentence) or _TURN.search(text)):
        return Read("none")
    odd = {number for verdict in judged if verdict.chosen and verdict.explicit for number in verdict.numbers}
    if count is not None and fine is False and agrees and odd == set(range(1, count + 1)):
        return regions_answer(odd)
    walk = walked(count, text, judged) if count is not None and not slot else NOTHING
    if walk.answer == "none":
        return walk
    return Read(None, "all regions are spoken of, and some by name")


def regions_answer(numbers: set[int]) -> Read:
    """These regions as an answer, or why they are none: there are none, or a number that no region has."""
    if not numbers:
        return Read(None, "regions are only set aside")
    if min(numbers) < 1 or max(numbers) > MOST:
        return Read(None, "a number is given that is no region's, or a range that runs backwards")
    return Read(",".join(f"R{number}" for number in sorted(numbers)))
