"""Boxes that a step names only to exclude them: "R2 is irrelevant", "I ignore R3 and R4", "not in R2"."""

from __future__ import annotations

import re
from functools import lru_cache

from veridical.answers import region_mentions
from veridical.answers.region_mentions import MentionGroup, groups

_USE = (
    r"(?:relevant|related|needed|necessary|required|important|involved|useful|helpful"
    r"|of (?:any |much )?(?:interest|use|importance))"
)
_NO_USE = (
    r"(?:\b(?:irrelevant|unrelated|unnecessary|unneeded|useless|unimportant|distract\w{0,6}|immaterial"
    r"|(?:of )?no (?:\w{2,12} )?(?:role|bearing|part|use|relevance|connection|help|importance))"
    rf"|(?:\bnot|n['\u2019]t) (?:\w{{2,12}} ){{0,2}}{_USE}|beside the point|off[- ]topic|of no consequence"
    r"|(?:adds?|tells?(?: me| us)?|says?|contributes?) nothing|not worth|not (?:what|the (?:one|box|region)) (?:that )?"
    r"(?:I|we|is|was) (?:need|want|look|am|are|asked)\w*)\b"
)
_PUT_ASIDE = (
    r"(?:(?:ignor|disregard|exclud|discard|dismiss|skip|overlook|eliminat)(?:e|es|ed|ing|ped|ping|s)?"
    r"|(?:rule[ds]?|ruling|leave|leaving|left|put|putting|set|setting)"
    r"(?= (?:(?:it|them|this|these|those|both) )?(?:out|aside)\b))"
)
_ASIDE = re.compile(
    rf"{_NO_USE}|\b(?:do(?:es)?|did|will|would|can|could)(?: not|n't|n\u2019t) (?:\w{{2,12}} )?"
    r"(?:matter|help|contribute|affect|play|concern|count|bear|answer|inform|show (?:the|what))\b"
    rf"|\b(?:can|may|could|should|will|to|i|we|and|so)(?: be| can| will| may)? ?(?:safely |all |both )?{_PUT_ASIDE}"
    r"(?: (?:it|them|this|that|these|those|both|out|aside)\b| for (?:now|this)|(?=\W*$))"
    r"|\bnothing (?:\w{2,12} )?(?:to do with|relevant|useful|helpful|of (?:use|interest))"
    r"|\b(?:does|do|is|are)(?: not|n't|n\u2019t)\W{0,3}\Z",
    re.IGNORECASE,
)
_FEW = r"(?: \w{2,12}){0,2}"
_BEFORE = re.compile(
    rf"(?:\b{_PUT_ASIDE}(?: out| aside| over)?"
    rf"|(?:\bnot|n['\u2019]t)(?: \w{{2,12}}){{0,2}} (?:need|have|use|consider|require)(?: to)?{_FEW}"
    rf"|\bno (?:need|reason|point)(?: to| in| for)?{_FEW}"
    r"|\b(?:need not|(?:will not|won['\u2019]t)(?= look| turn| bother))"
    r"(?: (?:look|turn|bother|consider|check|go|with)){1,2}"
    r"|\bnothing (?:relevant |useful |of use |of interest )?in)"
    r"(?: (?:the|at|on|in|to|all|both|box(?:es)?|regions?|of|content|contents)){0,4}\W{0,3}$",
    re.IGNORECASE,
)
_TURNED = re.compile(rf"\b(?:i|we|can be|it is|they are)\b[^,;]{{0,20}}{_PUT_ASIDE}\b", re.IGNORECASE)
"""After "but", the sentence goes on about the boxes before it: "R2 shows a vase, but I skip it"."""
_AFFIRMED = re.compile(r" (?:does|do|is|are|matters?|counts?)\b(?! not| no\b|n't|n\u2019t)", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:other than|except(?: for)?|apart from|besides|(?<!, )but)(?: the)?(?: box(?:es)?)? $", re.IGNORECASE
)
"""What keeps boxes although those around them are excluded: "R2 does", "the boxes other than R1"."""
_PARTING = re.compile(r"\b(?:rul(?:e|ed|ing)|leav(?:e|ing)|left|put|putting|set|setting)(?: the| box| boxes)?\W$", re.I)
_PARTED = re.compile(r" (?:out|aside)\b(?! of)", re.IGNORECASE)
"""The two halves of "I rule R2 out"."""
_CLAUSE = re.compile(
    r"[.;!?]\s|\b(?:but|whereas|while|however)\b|, (?:(?:and|so) )?(?=R ?[0-9]{1,2} (?!(?:and|or)\b)\w)", re.IGNORECASE
)
_INTO = r"(?:(?:in|on|at|the|from|of|to|for|regions?|also) ){0,3}[\"'(<\[]{0,3}$"
_NOT_IN = re.compile(
    r"(?i)(?:\b(?:not|neither|nor|none of|none(?: (?:is|are))? in|rather than|instead of|other than|except(?: for)?"
    r"|excluding|without|unlike|in contrast to|as opposed to|apart from|besides|(?:ignor|disregard|exclud)(?:e|ed|ing)?"
    r"|(?:rul(?:e|ed|ing)|leav(?:e|ing)|left) out|nicht|außer|statt|pas|sauf|excepto"
    r"|(?:irrelevant|unneeded|unrelated)(?: (?:regions?|ones|areas|boxes))?(?=[\"']?(?::| are| is)))"
    rf"|n't|不是|除了)[\"']?(?::| are| is)? {{0,2}}{_INTO}"
)
"""What just before boxes excludes them: "not in R2", "unlike R2"."""
_FRONTED = re.compile(r"(?i)(?:^|[.!?\n]\s{0,3})(?:unlike|in contrast to|apart from|except for|besides) $")
_KEPT = re.compile(
    r"(?:\b(?:cannot|can not|must not|should not|do not|never|not)|n['\u2019]t) (?:be |simply |just ){0,2}"
    rf"{_PUT_ASIDE}|\bnot (?:\w{{2,12}} )?(?:irrelevant|unrelated|unimportant|unnecessary)\b"
    r"|\b(?:may|might|could|perhaps|maybe|if|whether)\b",
    re.IGNORECASE,
)
"""What keeps boxes in a sentence that has words of exclusion: "R2 cannot be ignored", "R2 may be irrelevant"."""
_REACH = 400
_LONGEST = 20_000


@lru_cache(maxsize=4096)
def excluded_boxes(step: str) -> frozenset[int]:
    """Numbers of the boxes that a step names, and only to exclude them; what it says of a list holds for each in it.

    >>> [sorted(excluded_boxes(text)) for text in ("R2 is a lamp, so it does not matter, R1 is a mug.", "I see R1.")]
    [[2], []]
    """
    if step.rstrip().endswith("?") or _KEPT.search(step[:_LONGEST]):
        return frozenset()
    aside, named = split_by_words(step)
    for group in (part for whole in groups(step, False) for part in _unlike(step, whole)):
        if _NOT_IN.search(step[max(0, group.start - 100) : group.start]) and not _AFFIRMED.match(step, group.end):
            named.difference_update(group.numbers)
            aside.update(group.numbers)
    return frozenset(aside - named) & frozenset(region_mentions(step))


def split_by_words(step: str) -> tuple[set[int], set[int]]:
    """The boxes that words of exclusion stand by, and those that none stand by."""
    named: set[int] = set()
    aside: set[int] = set()
    groups_in = list(groups(step, False))
    for index, group in enumerate(groups_in):
        after = groups_in[index + 1].start if index + 1 < len(groups_in) else len(step)
        before = groups_in[index - 1].end if index else 0
        (aside if _is_aside(step, before, group.start, group.end, after) else named).update(group.numbers)
    return aside, named


def _is_aside(step: str, before: int, start: int, end: int, after: int) -> bool:
    """Whether the words before a list of boxes, or those after it in its clause, exclude them."""
    opening = step[max(before, start - 80) : start]
    if _OTHERS.search(opening):
        return False
    if _BEFORE.search(opening) or (_PARTED.match(step, end) and _PARTING.search(opening)):
        return True
    stop = _CLAUSE.search(step, end, min(after, end + _REACH))
    clause = step[end : stop.start() if stop else min(after, end + _REACH)]
    if _ASIDE.search(clause):
        return True
    turned = step[stop.end() : min(after, end + _REACH)] if stop and stop[0].lower() == "but" else ""
    return _TURNED.search(turned) is not None


def _unlike(text: str, group: MentionGroup) -> list[MentionGroup]:
    """A list, without its last region where the sentence sets that against the others: "Unlike R1 and R3, R2 is"."""
    if len(group.mentions) < 2 or not _FRONTED.search(text[max(0, group.start - 40) : group.start]):
        return [group]
    if not re.fullmatch(r"[\"')]{0,2},\s{0,2}[\"'(]{0,2}", text[group.mentions[-2].end : group.mentions[-1].start]):
        return [group]
    return [MentionGroup(group.mentions[:-1]), MentionGroup(group.mentions[-1:])]
