"""Marked regions of a picture, R1 to Rn, that a reply mentions or answers with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from veridical.answers.prepare import STATED, Prepared, prepare
from veridical.answers.reader import Parser, Read
from veridical.answers.region_all import (
    everything,
    is_choice,
    none_of_all,
    of_all,
    of_none,
    regions_answer,
)
from veridical.answers.region_conclusion import concluded
from veridical.answers.region_mentions import MENTION, MOST, mentions
from veridical.answers.region_spelling import headed, spelled
from veridical.answers.region_table import rows
from veridical.answers.region_verdicts import Verdict, verdicts
from veridical.answers.region_walk import walked
from veridical.answers.region_words import (
    ADDED,
    ANNOUNCED,
    BARE,
    BY_ORDINAL,
    CUT,
    HEDGE,
    NONE_BESIDE,
    ORDINAL,
    ORDINALS,
    POINTED,
)
from veridical.answers.settle import NOTHING, Claim, read_by_rule
from veridical.answers.thinking import spoken

_JSON_LIST = re.compile(r"\s{0,3}\[[^\[\]\n]{0,300}\](?=\s{0,3}[,}])")
_BOTH = re.compile(r"\W{0,4}(?:both|neither)(?: of them)?\W{0,4}", re.IGNORECASE)
_REMARK = re.compile(r"\s{1,3}\([^()\n]{1,60}\)\s{0,9}$")
_QUALIFIED = re.compile(
    r"\b(?:not|no|none|fine|normal|okay?|possible|plausible|sure|unsure|maybe|perhaps|probably|or|wait|except|but|only"
    r"|R[0-9])\b|n't",
    re.IGNORECASE,
)


def region_mentions(text: str) -> tuple[int, ...]:
    """Numbers of all regions that a reply names outside its thinking, ascending, also of those it sets aside.

    This is the union over the steps of a rationale; ranges ("R1-R3") are spelled out. Nothing is checked against the
    regions that a picture has; what is no region's number (0, or more than 99) is left out.

    >>> region_mentions("R4 shows a dog, not R2. <think>R9</think> Regions 1 and 3 are empty.")
    (1, 2, 3, 4)
    """
    said = {number for mention in mentions(spoken(text), False) for number in mention.numbers}
    return tuple(sorted(number for number in said if 1 <= number <= MOST))


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
    read = read_by_rule(text, partial(_slot, count), partial(_whole, count), "region", partial(_stated, count))
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
    told: dict[int, bool | None] = {}
    for verdict in verdicts(before, False):
        for number in verdict.numbers:
            if verdict.chosen is not None and verdict.explicit:
                told[number] = (
                    None if verdict.seeming or told.get(number, verdict.chosen) != verdict.chosen else verdict.chosen
                )
    return any(odd is not None and odd != (number in chosen) for number, odd in told.items())


def _slot(count: int | None, content: str, alone: bool) -> Read:
    listed = _JSON_LIST.match(content)
    content = listed[0] if listed else content
    if alone:
        bare = MENTION.sub(" ", content).strip(" \t,.&+()[]<>\"'-")
        return NOTHING if bare.lower() not in {"", "and", "und"} else _regions(count, content, True)
    if count is not None and BARE.fullmatch(content):
        return regions_answer({int(number) for number in re.findall("[0-9]{1,2}", content)})
    first = content.partition(". ")[0]
    return _regions(count, first if MENTION.search(first) else content, True)


def _whole(count: int | None, plain: str) -> Read:
    if count is not None:
        if len(re.findall("[0-9]{1,2}", plain[:200])) > 1 and len(plain) <= 200 and BARE.fullmatch(plain):
            return regions_answer({int(number) for number in re.findall("[0-9]{1,2}", plain)})
        if count == 2 and _BOTH.fullmatch(plain[:40]):
            return Read("R1,R2" if "both" in plain.lower() else "none")
        plain = spelled(plain)
    table = rows(plain) if count is not None else {}
    if table:
        named = {number for mention in mentions(plain, False) for number in mention.numbers}
        odd = {number for number, fine in table.items() if not fine}
        if named != set(table) or not (odd or len(named) == count):
            return Read(None, "not every region has a verdict")
        return regions_answer(odd) if odd else Read("none")
    remark = _REMARK.search(plain)
    if remark and not _QUALIFIED.search(remark[0]) and MENTION.search(plain, 0, remark.start()):
        listed = plain[: remark.start()]
        if not MENTION.sub(" ", listed).strip(" \t\n,.&+[]<>\"'-").removeprefix("and"):
            return _regions(count, listed, True)
    read = _regions(count, plain, False)
    if read == NOTHING and count is not None and BY_ORDINAL.fullmatch(plain[:200]) and len(plain) <= 200:
        return regions_answer({ORDINALS[word.lower()] for word in re.findall(ORDINAL, plain, re.IGNORECASE)})
    return read


def _stated(count: int | None, plain: str) -> Iterator[Claim]:
    for mark in ANNOUNCED.finditer(plain):
        content = plain[mark.end() : mark.end() + 300].partition("\n")[0]
        read = _slot(count, content.partition(". ")[0].rstrip("} "), False)
        if read != NOTHING:
            yield Claim(read, STATED, mark.start(), mark.end() + 1)
    if count is not None:
        yield from concluded(plain, list(verdicts(plain, False)))


def _regions(count: int | None, text: str, slot: bool) -> Read:
    if slot and NONE_BESIDE.search(text) and MENTION.search(text):
        return Read(None, "none and a region are both given")
    said = list(verdicts(text, slot))
    pointed = not slot and POINTED.search(text)
    none = of_none(count, text, said) if count is not None and not (slot or pointed) else None
    spoken_of = everything(text, count)
    if spoken_of and none is None:
        return of_all(count, text, spoken_of, slot)
    none = none or none_of_all(text)
    if none is not None:
        return none
    if pointed:
        return Read(None, "regions are pointed at by words")
    if not said:
        return NOTHING
    if is_choice(count, text, said, slot):
        return Read(None, "a choice of regions is given")
    if not slot and HEDGE.search(text):
        return Read(None, "the answer is left open")
    if CUT.search(text[-500:]):
        return Read(None, "the list of regions is cut")
    return _weighed(count, said) if count is None or slot else walked(count, text, said)


def _weighed(count: int | None, said: list[Verdict]) -> Read:
    """The regions that are chosen, or named and not set aside."""
    standing: dict[int, bool] = {}
    judged: dict[int, bool] = {}
    odd = any(verdict.chosen and verdict.explicit for verdict in said)
    for verdict in said:
        for number in verdict.numbers:
            if verdict.chosen is not None and verdict.explicit and not verdict.seeming:
                if judged.get(number, verdict.chosen) != verdict.chosen:
                    return Read(None, "what is said of a region contradicts itself")
                judged[number] = verdict.chosen
            if verdict.seeming or (verdict.chosen is None and number in judged):
                standing.setdefault(number, judged.get(number, False))
            else:
                standing[number] = verdict.chosen is not False and not (odd and verdict.ordinary)
    chosen = {number for number, stands in standing.items() if stands}
    if not chosen and count is not None and set(standing) == set(range(1, count + 1)):
        return Read("none")
    return regions_answer(chosen)
