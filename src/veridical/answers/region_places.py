"""What one place of a reply, or the reply as a whole, says of the marked regions that are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veridical.answers.places import STATED
from veridical.answers.reader import Read
from veridical.answers.region_all import (
    everything,
    is_choice,
    none_of_all,
    of_all,
    of_none,
    regions_answer,
)
from veridical.answers.region_conclusion import concluded
from veridical.answers.region_mentions import MENTION, mentions
from veridical.answers.region_spelling import spelled
from veridical.answers.region_table import rows
from veridical.answers.region_verdicts import Verdict, verdicts
from veridical.answers.region_walk import walked
from veridical.answers.region_words import (
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
from veridical.answers.settle import NOTHING, Claim

_JSON_LIST = re.compile(r"\s{0,3}\[[^\[\]\n]{0,300}\](?=\s{0,3}[,}])")
_BOTH = re.compile(r"\W{0,4}(?:both|neither)(?: of them)?\W{0,4}", re.IGNORECASE)
_REMARK = re.compile(r"\s{1,3}\([^()\n]{1,60}\)\s{0,9}$")
_QUALIFIED = re.compile(
    r"\b(?:not|no|none|fine|normal|okay?|possible|plausible|sure|unsure|maybe|perhaps|probably|or|wait|except|but|only"
    r"|R[0-9])\b|n't",
    re.IGNORECASE,
)


def region_slot(count: int | None, content: str, alone: bool) -> Read:
    listed = _JSON_LIST.match(content)
    content = listed[0] if listed else content
    if alone:
        bare = MENTION.sub(" ", content).strip(" \t,.&+()[]<>\"'-")
        return NOTHING if bare.lower() not in {"", "and", "und"} else _regions(count, content, True)
    if count is not None and BARE.fullmatch(content):
        return regions_answer({int(number) for number in re.findall("[0-9]{1,2}", content)})
    first = content.partition(". ")[0]
    return _regions(count, first if MENTION.search(first) else content, True)


def region_whole(count: int | None, plain: str) -> Read:
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


def region_stated(count: int | None, plain: str) -> Iterator[Claim]:
    for mark in ANNOUNCED.finditer(plain):
        content = plain[mark.end() : mark.end() + 300].partition("\n")[0]
        read = region_slot(count, content.partition(". ")[0].rstrip("} "), False)
        if read != NOTHING:
            yield Claim(read, STATED, mark.start(), mark.end() + 1)
    if count is not None:
        yield from concluded(plain, verdicts(plain, False))


def _regions(count: int | None, text: str, slot: bool) -> Read:
    if slot and NONE_BESIDE.search(text) and MENTION.search(text):
        return Read(None, "none and a region are both given")
    judged = verdicts(text, slot)
    pointed = not slot and POINTED.search(text)
    none = of_none(count, text, judged) if count is not None and not (slot or pointed) else None
    spoken_of = everything(text, count)
    if spoken_of and none is None:
        return of_all(count, text, spoken_of, slot)
    none = none or none_of_all(text)
    if none is not None:
        return none
    if pointed:
        return Read(None, "regions are pointed at by words")
    if not judged:
        return NOTHING
    if is_choice(count, text, judged, slot):
        return Read(None, "a choice of regions is given")
    if not slot and HEDGE.search(text):
        return Read(None, "the answer is left open")
    if CUT.search(text[-500:]):
        return Read(None, "the list of regions is cut")
    return _weighed(count, judged) if count is None or slot else walked(count, text, judged)


def _weighed(count: int | None, verdicts: Sequence[Verdict]) -> Read:
    """The regions that are chosen, or named and not set aside."""
    standing: dict[int, bool] = {}
    judged: dict[int, bool] = {}
    odd = any(verdict.chosen and verdict.explicit for verdict in verdicts)
    for verdict in verdicts:
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
