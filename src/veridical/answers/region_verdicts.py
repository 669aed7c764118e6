"""Marked regions that a reply sets aside: "not in R2", "unlike R2", "R2: irrelevant", "R3 is just a distractor"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from veridical.answers.region_mentions import Group, groups

_INTO = r"(?:(?:in|on|at|the|from|of|to|for|regions?|also) ){0,3}[\"'(<\[]{0,3}$"
_ASIDE_BEFORE = re.compile(
    r"(?i)(?:\b(?:not|neither|nor|none of|none(?: (?:is|are))? in|rather than|instead of|other than|except(?: for)?"
    r"|excluding|without|unlike|in contrast to|as opposed to|apart from|besides|(?:ignor|disregard|exclud)(?:e|ed|ing)?"
    r"|(?:rul(?:e|ed|ing)|leav(?:e|ing)|left) out|nicht|außer|statt|pas|sauf|excepto"
    r"|(?:irrelevant|unneeded|unrelated)(?: (?:regions?|ones|areas|boxes))?(?=[\"']?(?::| are| is)))"
    rf"|n't|不是|除了)[\"']?(?::| are| is)? {{0,2}}{_INTO}"
)
_NOTHING_BEFORE = re.compile(
    rf"(?i)\b(?:nothing|no \w{{2,12}}|not? any\w{{0,5}}) (?:relevant|useful|helpful|important)\b[^.;\n]{{0,30}} {_INTO}"
)
_ASIDE_AFTER = re.compile(
    r"(?i)[\"')>\]]{0,3}\s{0,2}(?:[:(-]\s{0,2}(?:irrelevant|not (?:relevant|needed|useful)|ignored?\b|distractor)|[:("
    r"|=?-]\s{0,2}(?:no|false|0|nein|non)\s{0,2}(?=[,;.)}|\n]|$)|[:|-]?\s{0,2}[✗✘❌]|(?:ではな|じゃな|가 아니|이 아니)"
    r"|(?:(?:is|are|was|were|seems?|can(?: both| all| safely)?|should|may) (?:be )?)(?:all |both |also "
    r"|clearly )?(?:irrelevant|not (?:relevant|needed|involved|important|necessary|helpful|useful)|unrelated|ignored"
    r"|disregarded|excluded|(?:a |just a |only a )?distract|unimportant)|(?:is|are)n't (?:relevant|needed|involved"
    r"|important|necessary)|do(?:es)?(?: not|n't) (?:help|matter|contribute)|(?:ist|sind) (?:nicht relevant|irrelevant"
    r"|unwichtig))"
)
_FINE_AFTER = re.compile(
    r"(?i)[\"')]{0,2} (?:(?:is|are|looks?|seems?) (?:both |all )?|(?:shows?|contains?) an? )"
    r"(?:normal|fine|ordinary|plausible|possible|realistic|usual|consistent)\b"
)
_FRONTED = re.compile(r"(?i)(?:^|[.!?\n]\s{0,3})(?:unlike|in contrast to|apart from|except for|besides) $")


class RegionVerdict(NamedTuple):
    """What is said of some regions: `chosen` is `False` where they are set aside, `None` where they are only named.

    `explicit`: what they show is called normal.
    """

    numbers: tuple[int, ...]
    chosen: bool | None
    end: int
    explicit: bool


@lru_cache(maxsize=2)
def verdicts(text: str, slot: bool) -> tuple[RegionVerdict, ...]:
    """What a text says of the regions that it names, in order; what is said of a list is said of each in it.

    >>> [(each.numbers, each.chosen) for each in verdicts("Unlike R2, R1 shows it, not R3.", False)]
    [((2,), False), ((1,), None), ((3,), False)]
    """
    return tuple(_verdict(text, part) for group in groups(text, slot) for part in _unlike(text, group))


def _verdict(text: str, group: Group) -> RegionVerdict:
    before = text[max(0, group.start - 100) : group.start]
    fine = _FINE_AFTER.match(text, group.end, group.end + 60) is not None
    aside = fine or _ASIDE_BEFORE.search(before) or _NOTHING_BEFORE.search(before)
    aside = aside or _ASIDE_AFTER.match(text, group.end, group.end + 60)
    return RegionVerdict(group.numbers, False if aside else None, group.end, fine)


def _unlike(text: str, group: Group) -> list[Group]:
    """A list, without its last region where the sentence sets that against the others: "Unlike R1 and R3, R2 is"."""
    if len(group.mentions) < 2 or not _FRONTED.search(text[max(0, group.start - 40) : group.start]):
        return [group]
    if not re.fullmatch(r"[\"')]{0,2},\s{0,2}[\"'(]{0,2}", text[group.mentions[-2].end : group.mentions[-1].start]):
        return [group]
    return [Group(group.mentions[:-1]), Group(group.mentions[-1:])]
