"""Marked regions of a picture, R1 to Rn, that a reply mentions or answers with."""

from __future__ import annotations

from functools import partial

from veridical.answers.places import STATED
from veridical.answers.prepare import Prepared, prepare
from veridical.answers.reader import Parser, Read
from veridical.answers.region_mentions import MOST, mentions
from veridical.answers.region_places import region_slot, region_stated, region_whole
from veridical.answers.region_spelling import headed
from veridical.answers.region_verdicts import verdicts
from veridical.answers.region_words import (
    ADDED,
    HEDGE,
)
from veridical.answers.settle import read_by_rule
from veridical.answers.thinking import spoken


def region_mentions(text: str) -> tuple[int, ...]:
    """Numbers of all regions that a reply names outside its thinking, ascending, also of those it sets aside.

    This is the union over the steps of a rationale; ranges ("R1-R3") are spelled out. Nothing is checked against the
    regions that a picture has; what is no region's number (0, or more than 99) is left out.

    >>> region_mentions("R4 shows a dog, not R2. <think>R9</think> Regions 1 and 3 are empty.")
    (1, 2, 3, 4)
    """
    numbers = {number for mention in mentions(spoken(text), False) for number in mention.numbers}
    return tuple(sorted(number for number in numbers if 1 <= number <= MOST))


def region_numbers(answer: str) -> frozenset[int]:
    """The numbers in an answer of a region reader; the empty set for "none".

    >>> sorted(region_numbers("R1,R3")), region_numbers("none")
    ([1, 3], frozenset())
    """
    return frozenset(int(label[1:]) for label in answer.split(",") if label != "none")


def region_reader(count: int) -> Parser:
    """A reader of the regions of a picture that has `count` of them; a region beyond these is not read.

    "All", "all but R2" and a verdict for each region are read, as it is known how many there are.

    >>> region_reader(3).read("R1 and R4").reason
    'R4 is named, but the regions end with R3'
    >>> region_reader(3).read("All but R2.").answer
    'R1,R3'
    """

    def read(text: str) -> Read:
        answer, reason = _read(text, count)
        beyond = [number for number in sorted(region_numbers(answer)) if number > count] if answer else []
        return (
            Read(None, f"R{beyond[0]} is named, but the regions end with R{count}") if beyond else Read(answer, reason)
        )

    return Parser(f"regions: {count}", "3", read)


def read_regions(text: str) -> Read:
    """The regions that a reply answers with, as "R1,R3" in ascending order or "none", or the reason why not.

    Where the reply states an answer, its regions count; otherwise all regions that it mentions, without those that it
    sets aside in words ("R2 is irrelevant", "R3 looks normal"). "All regions" and a choice ("R1 or R2") are not
    resolved. See `veridical.answers.settle`.

    >>> read_regions("The cat in R3 looks at R1; R2 is irrelevant.").answer, read_regions("R1 or R2").answer
    ('R1,R3', None)
    """
    return _read(text, None)


def _read(text: str, count: int | None) -> Read:
    text = headed(text) if count is not None else text
    read = read_by_rule(
        text, partial(region_slot, count), partial(region_whole, count), "region", partial(region_stated, count)
    )
    if count is None or read.answer is None:
        return read
    reply = prepare(text)
    if _contradicted(reply, read.answer):
        return Read(None, "the stated regions contradict what is said of them before")
    if ADDED.search(text) and reply.cues and not any(place.rank >= STATED for place in reply.statements):
        return Read(None, "a region is added to an answer that was corrected")
    return read


def _contradicted(reply: Prepared, answer: str) -> bool:
    """Whether what is stated at the end was called otherwise before: "R2 is normal. Answer: R2"."""
    stated = [place for place in reply.statements if place.rank >= STATED]
    if not stated or reply.cues:
        return False
    before = reply.plain[: stated[-1].start]
    before = before[: before.rfind("\n") + 1] or before[: before.rfind(".") + 1]
    if len(stated) > 1 or HEDGE.search(before):
        return False
    chosen = region_numbers(answer)
    odd_by_number: dict[int, bool | None] = {}
    for verdict in verdicts(before, False):
        for number in verdict.numbers:
            if verdict.chosen is not None and verdict.explicit:
                odd_by_number[number] = (
                    None
                    if verdict.seeming or odd_by_number.get(number, verdict.chosen) != verdict.chosen
                    else verdict.chosen
                )
    return any(odd is not None and odd != (number in chosen) for number, odd in odd_by_number.items())
