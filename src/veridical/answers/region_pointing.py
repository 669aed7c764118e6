"""What is said of regions named before ("those three don't help", "not R1, but R2"), and how many are called odd."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from veridical.answers.region_fineness import fineness
from veridical.answers.region_verdicts import Verdict
from veridical.answers.region_words import COUNTS

_NUMBERS = {"one": 1, **COUNTS, "both": 2}
_WORDS = "|".join(_NUMBERS)
_BACK = re.compile(
    rf"(?:\b(?:these|those|the last|the latter) (?P<many>{_WORDS})|(?:^|[.;,!?\n]\s{{0,3}}(?:and |so |but "
    rf"|that )?)(?P<both>both)(?! (?:\w{{2,12}}ly )?R ?[0-9]))"
    r"(?: of (?:them|these|those))?(?: (?:regions?|boxes|areas))?\b(?P<what>[^.;\n]{3,100})",
    re.IGNORECASE,
)
_FIRST = 8
"""How many such sentences count: each is held against all regions of a reply."""
_BUT = re.compile(
    r"[\"')]{0,2}\s{0,2}(?:\([^()\n]{1,120}\))?,? (?:but|it's|it is)(?: (?:rather|in|only|it's|it is|the|that of)){0,2}"
    r" [\"'(]{0,2}",
    re.IGNORECASE,
)
_NOT_BEFORE = re.compile(r"(?:\bnot|n't)(?: (?:in|region|the|only)){0,2} [\"'(]{0,2}$", re.IGNORECASE)
_SOME = re.compile(
    rf"\b(?P<many>{_WORDS}) (?:(?:[a-z]{{3,14}} )?(?:regions?|things?|elements?|objects?|details?|parts?|areas?"
    rf"|places|spots"
    r"|boxes|anomal(?:y|ies)|problems?|errors?|violations?|impossibilities|inconsistenc(?:y|ies)|contradictions?)"
    r"|of the (?:\w{3,8} ){0,2}(?:regions|boxes|areas))\b(?! (?:behind|left|above|below|next))",
    re.IGNORECASE,
)
"""How many regions or things there are of which the sentence goes on to say something."""


def pointed_back(text: str, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Verdicts in which regions without one have that of a later sentence that points back at as many of them."""
    revised = list(verdicts)
    for back in islice(_BACK.finditer(text), _FIRST):
        fine = fineness(back["what"])
        before = [index for index, verdict in enumerate(revised) if verdict.end <= back.start()]
        latest: list[int] = []
        while (
            before and sum(len(revised[index].numbers) for index in latest) < _NUMBERS[(back["many"] or "both").lower()]
        ):
            latest.append(before.pop())
        meant = {number for index in latest for number in revised[index].numbers}
        if fine is None or len(meant) != _NUMBERS[(back["many"] or "both").lower()]:
            continue
        for index in latest:
            chosen = revised[index].chosen
            # What is said later against what was said of the region leaves it open.
            revised[index] = revised[index]._replace(
                chosen=not fine if chosen in {None, not fine} else None, explicit=True
            )
    return revised


def set_against(text: str, previous: Verdict | None, verdict: Verdict) -> bool:
    """Whether a region is named in place of one that is denied: "it's not R1 (a stove), but R2"."""
    return (
        previous is not None
        and previous.chosen is False
        and _BUT.fullmatch(text, previous.end, verdict.start) is not None
        and _NOT_BEFORE.search(text[max(0, previous.start - 30) : previous.start]) is not None
    )


def odd_ones(text: str) -> int | None:
    """How many regions or things a reply calls odd ("two of the regions show something impossible"), where it says."""
    for some in _SOME.finditer(text):
        sentence = re.split(r"[.;:\n]", text[some.start() : some.end() + 120])[0]
        if fineness(sentence) is False:
            return _NUMBERS[some["many"].lower()]
    return None
