"""Order and groups of findings, the most consequential first, for the page and the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

from veridical.published.replicate import Check, Finding, Verdict

HEADINGS = {
    1: "Main results",
    2: "Other conclusions",
    3: "Quoted figures and stated counts",
    4: "Single cells and labels",
}
"""Headings by `Check.consequence`."""


def ordered(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, disagreements first, then by consequence; otherwise in their original order."""
    return sorted(findings, key=lambda finding: (finding.verdict == "agrees", finding.check.consequence))


def by_check(findings: Iterable[Finding], papers: Iterable[str]) -> dict[Check, list[Finding]]:
    """The findings of each check, in the order of `papers`, then by consequence."""
    order = list(papers)
    grouped: dict[Check, list[Finding]] = {}
    for finding in sorted(findings, key=lambda each: (order.index(each.check.paper), each.check.consequence)):
        grouped.setdefault(finding.check, []).append(finding)
    return grouped


def disagreeing(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that do not agree."""
    return [finding for finding in findings if finding.verdict != "agrees"]


def tallies(findings: Sequence[Finding], titles: Mapping[str, str]) -> Iterator[tuple[str, dict[Verdict, int]]]:
    """The papers with findings, each with the number of findings per verdict."""
    names: tuple[Verdict, ...] = get_args(Verdict)
    for paper in titles:
        verdicts = [finding.verdict for finding in findings if finding.check.paper == paper]
        if verdicts:
            yield paper, {name: verdicts.count(name) for name in names}
