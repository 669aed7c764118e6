"""Findings as terminal lines of limited width, by paper, the most consequential first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from veridical.published.replicate import Check, Finding, Verdict
from veridical.published.show import HEADINGS, by_check, disagreeing, tallies

_FEW = 3
_PLURAL: dict[Verdict, str] = {"agrees": "agree", "disagrees": "disagree", "impossible": "impossible"}
_LEAST = 40


def summary(findings: Sequence[Finding], titles: Mapping[str, str], width: int) -> Iterator[str]:
    """Each paper's counts and disagreeing main results, at most three numbers each, and the number of other claims.

    Lines have at most `width` columns, or 40 if `width` is less.
    """
    for paper, tally in tallies(findings, titles):
        yield from _counts(titles[paper], tally, width)
        claims = {check: of_check for check, of_check in _failed(findings, paper).items() if check.consequence == 1}
        for check, of_check in claims.items():
            yield from _claim(check, of_check, width, _FEW)
        more = len(_failed(findings, paper)) - len(claims)
        if more:
            yield from _wrapped(f"and {more} lesser claims: veridical replicate --paper {paper}", width, 2)
        yield ""


def full(findings: Sequence[Finding], titles: Mapping[str, str], width: int) -> Iterator[str]:
    """Each paper's counts and every disagreeing number, by claim; lines as in `summary`."""
    for paper, tally in tallies(findings, titles):
        yield from _counts(titles[paper], tally, width)
        claims = _failed(findings, paper)
        for consequence, heading in HEADINGS.items():
            here = {check: of_check for check, of_check in claims.items() if check.consequence == consequence}
            if here:
                yield ""
                yield from _wrapped(heading, width, 0)
            for check, of_check in here.items():
                yield from _claim(check, of_check, width, len(of_check))
        yield ""


def _failed(findings: Sequence[Finding], paper: str) -> dict[Check, list[Finding]]:
    claims = by_check([finding for finding in findings if finding.check.paper == paper], [paper])
    return {check: of_check for check, of_check in claims.items() if disagreeing(of_check)}


def _counts(title: str, tally: Mapping[Verdict, int], width: int) -> Iterator[str]:
    counts = ", ".join(f"{count:,} {_PLURAL[name]}" for name, count in tally.items())
    yield from _wrapped(f"{title}: {sum(tally.values()):,} numbers compared: {counts}", width, 0)


def _claim(check: Check, findings: Sequence[Finding], width: int, most: int) -> Iterator[str]:
    failed = disagreeing(findings)
    mark = " A judgment call." if check.doubt else ""
    agree = f"{len(findings) - len(failed)} of {len(findings)} agree."
    yield from _wrapped(f"{check.claim} ({check.place}) {agree}{mark}", width, 2)
    for each in failed[:most]:
        yield from _wrapped(f"{each.subject}: {each.printed}; here {each.recomputed} ({each.verdict})", width, 4)
    if len(failed) > most:
        yield from _wrapped(f"and {len(failed) - most} more", width, 4)


def _wrapped(text: str, width: int, indent: int) -> list[str]:
    """The text in lines with a hanging indent of two columns; no break before a percent sign."""
    first, text = " " * indent, text.replace(" %", "\N{NO-BREAK SPACE}%")
    return wrap(text, max(width, _LEAST), initial_indent=first, subsequent_indent=first + "  ", break_on_hyphens=False)
