"""Lists of regions that belong together although something stands between them."""

from __future__ import annotations

import re

from veridical.answers.region_fineness import FINE, ODD
from veridical.answers.region_mentions import Group

_REMARKED = re.compile(
    r"\)?\s{0,2}(?:\([^()\n]{1,90}\))?(?:,|,? (?:and|und|et|y|e))\s{0,2}(?:the (?:[a-z-]{2,14} ){1,3}\(?"
    r"|\()?(?:region )?",
    re.IGNORECASE,
)
_SIGN = re.compile(r"\b(?:yes|no|true|false|not)\b|[✗✘❌✓✔✅]", re.IGNORECASE)
_EITHER = re.compile(r"[\"')]{0,2},? (?:or|nor) [\"'(]{0,2}", re.IGNORECASE)
_DENIED = re.compile(r"(?:\b(?:no|not|none|nothing|neither|never|without|nor)\b|n't\b)[^.;:\n]{0,60}$", re.IGNORECASE)
_FRONTED = re.compile(
    r"(?:^|[.!?\n]\s{0,3})(?:unlike|in contrast to|apart from|except for|besides|contrary to"
    r"|as opposed to) (?:the )?(?:regions? )?$",
    re.IGNORECASE,
)


def merged(text: str, groups: list[Group]) -> list[Group]:
    """Lists of regions, joined where a remark in brackets or a denied "or" parts them: "R1 (left) and R2 (top)"."""
    joined: list[Group] = []
    for group in groups:
        last = joined[-1] if joined else None
        between = text[last.end : group.start] if last and group.start - last.end < 140 else ""
        remarked = _REMARKED.fullmatch(between) and not (
            ODD.search(between) or FINE.search(between) or _SIGN.search(between)
        )
        either = _EITHER.fullmatch(between) and last and _DENIED.search(text[max(0, last.start - 80) : last.start])
        if last and between and (remarked or either):
            joined[-1] = Group((*last.mentions, *group.mentions))
        else:
            joined += _unlike(text, group)
    return joined


def _unlike(text: str, group: Group) -> list[Group]:
    """A list, without its last region where the sentence sets that against the others: "Unlike R1 and R3, R2 is"."""
    if len(group.mentions) < 2 or not _FRONTED.search(text[max(0, group.start - 40) : group.start]):
        return [group]
    if not re.fullmatch(r"[\"')]{0,2},\s{0,2}[\"'(]{0,2}", text[group.mentions[-2].end : group.mentions[-1].start]):
        return [group]
    return [Group(group.mentions[:-1]), Group(group.mentions[-1:])]
