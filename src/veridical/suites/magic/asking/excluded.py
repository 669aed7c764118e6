"""Boxes that a step names only to exclude them: "R2 is irrelevant", "I ignore R3 and R4", "not in R2"."""

from __future__ import annotations

import re
from functools import lru_cache

from veridical.answers import region_mentions
from veridical.answers.region_mentions import groups
from veridical.answers.region_verdicts import verdicts

_USE = (
    r"(?:relevant|related|needed|necessary|required|important|involved|useful|helpful"
    r"|of (?:any |much )?(?:interest|use|importance))"
)
_NO_USE = (
    r"(?:\b(?:irrelevant|unrelated|unnecessary|unneeded|useless|unimportant|distract\w{0,6}|immaterial"
    r"|(?:of )?no (?:\w{2,12} )?(?:role|bearing|part|use|relevance|connection|help|importance))"
    rf"|(?:\bnot|n['\u2019]t) (?:\w{{2,12}} ){{0,2}}{_USE})\b"
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
    r"|\bnothing (?:\w{2,12} )?(?:to do with|relevant|useful|helpful|of (?:use|interest))",
    re.IGNORECASE,
)
_FEW = r"(?: \w{2,12}){0,2}"
_BEFORE = re.compile(
    rf"(?:\b{_PUT_ASIDE}(?: out| aside| over)?"
    rf"|(?:\bnot|n['\u2019]t)(?: \w{{2,12}}){{0,2}} (?:need|have|use|consider|require)(?: to)?{_FEW}"
    rf"|\bno (?:need|reason|point)(?: to| in| for)?{_FEW}"
    r"|\bnothing (?:relevant |useful |of use |of interest )?in)"
    r"(?: (?:the|at|on|in|to|all|both|box(?:es)?|regions?|of|content|contents)){0,4}\W{0,3}$",
    re.IGNORECASE,
)
_TURNED = re.compile(rf"\b(?:i|we|can be|it is|they are)\b[^,;]{{0,20}}{_PUT_ASIDE}\b", re.IGNORECASE)
"""After "but", the sentence goes on about the boxes before it: "R2 shows a vase, but I skip it"."""
_CLAUSE = re.compile(r"[.;!?]\s|\b(?:but|whereas|while|however)\b|, (?:and|so) (?=R ?[0-9])", re.IGNORECASE)
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
def excluded(step: str) -> frozenset[int]:
    """Numbers of the boxes that a step names, and only to exclude them; what it says of a list holds for each in it.

    >>> sorted(excluded("R2 shows a lamp, so it does not matter, but R1 shows the mug.")), sorted(excluded("I see R1."))
    ([2], [])
    """
    if _KEPT.search(step[:_LONGEST]):
        return frozenset()
    named: set[int] = set()
    aside: set[int] = set()
    groups_in = list(groups(step, False))
    for index, group in enumerate(groups_in):
        after = groups_in[index + 1].start if index + 1 < len(groups_in) else len(step)
        before = groups_in[index - 1].end if index else 0
        (aside if _is_aside(step, before, group.start, group.end, after) else named).update(group.numbers)
    for verdict in verdicts(step, False):
        if verdict.chosen is False and not verdict.explicit:
            named.difference_update(verdict.numbers)
            aside.update(verdict.numbers)
    return frozenset(aside - named) & frozenset(region_mentions(step))


def _is_aside(step: str, before: int, start: int, end: int, after: int) -> bool:
    """Whether the words before a list of boxes, or those after it in its clause, exclude them."""
    if _BEFORE.search(step[max(before, start - 80) : start]):
        return True
    stop = _CLAUSE.search(step, end, min(after, end + _REACH))
    clause = step[end : stop.start() if stop else min(after, end + _REACH)]
    if _ASIDE.search(clause):
        return True
    turned = step[stop.end() : min(after, end + _REACH)] if stop and stop[0].lower() == "but" else ""
    return _TURNED.search(turned) is not None
