"""Findings in order and in groups, the most consequential first: what the page and the terminal have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

from veridical.published.replicate import Check, Finding, Verdict

HEADINGS = {
    1: "Main results",
    2: "Other conclusions",
    3: "Figures that are quoted, counts that are stated",
    4: "Single cells and labels",
}
"""What hangs on a number, in words, by `Check.consequence`."""


def ordered(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, those that do not agree first, and of these the most consequential first; else as they came."""
    return sorted(findings, key=lambda finding: (finding.verdict == "agrees", finding.check.consequence))


def by_check(findings: Iterable[Finding], papers: Iterable[str]) -> dict[Check, list[Finding]]:
    """The findings of each check, by paper in the order given, then by consequence."""
    order = list(papers)
    found: dict[Check, list[Finding]] = {}
    for finding in sorted(findings, key=lambda each: (order.index(each.check.paper), each.check.consequence)):
        found.setdefault(finding.check, []).append(finding)
    return found


def disagreeing(findings: Iterable[Finding]) -> list[Finding]:
    """Those that do not agree."""
    return [finding for finding in findings if finding.verdict != "agrees"]


def tallies(findings: Sequence[Finding], titles: Mapping[str, str]) -> Iterator[tuple[str, dict[Verdict, int]]]:
    """The papers that have findings, each with the number of findings of each verdict."""
    names: tuple[Verdict, ...] = get_args(Verdict)
    for paper in titles:
        verdicts = [finding.verdict for finding in findings if finding.check.paper == paper]
        if verdicts:
            yield paper, {name: verdicts.count(name) for name in names}
