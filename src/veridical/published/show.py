"""Findings as a page and as lines for the terminal, the most consequential first."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TextIO, get_args

from veridical.published.replicate import Check, Finding, Verdict

HEADINGS = {
    1: "What a conclusion rests on",
    2: "Figures that are quoted, counts that are stated",
    3: "Single cells and labels",
}
INTRODUCTION = """\
Five papers publish the diagnostics that this library implements. Their tables are in `veridical.published` as data,
each number as printed and with its place, and everything that can be recomputed from its parts is recomputed here.

A printed number stands for every value that rounds to it. **Agrees** means that some unrounded values of the parts give
the printed whole, **disagrees** that none do, **impossible** that no whole count of items gives the digits. Rounding
alone is therefore never called a disagreement. Each range below holds all values that rounding allows. Where several
averages could be meant, one that fits suffices, and the arrow names it. A statement about a difference also disagrees
where the sampling interval that the number of items allows does not bear it out; its computation says so.

Each heading below is what a paper says, in our words. That a number disagrees does not say that the work is wrong:
often a cell was mistyped, or text and table are of different dates. It says that the two cannot both be used. The
causes are guesses, and are marked as likely ones."""


def ordered(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, those that do not agree first, and of these the most consequential first; else as they came."""
    return sorted(findings, key=lambda finding: (finding.verdict == "agrees", finding.check.consequence))


def markdown(findings: Sequence[Finding], titles: Mapping[str, str]) -> str:
    """A page: counts per paper, each check that failed somewhere with the numbers that do not agree, and the others.

    `titles` has the name of each paper as readers know it, in the order in which papers are listed.
    """
    parts = ["# The papers' own numbers, recomputed", INTRODUCTION, _counts(findings, titles)]
    by_check = _by_check(findings, titles)
    for consequence, heading in HEADINGS.items():
        failed = [check for check in by_check if check.consequence == consequence and _open(by_check[check])]
        if failed:
            parts += [f"## {heading}", *(_section(check, by_check[check], titles) for check in failed)]
    agreed = [check for check in by_check if not _open(by_check[check])]
    if agreed:
        parts += ["## What agrees throughout", _agreed(agreed, by_check, titles)]
    return "\n\n".join(parts) + "\n"


def print_findings(findings: Sequence[Finding], titles: Mapping[str, str], out: TextIO | None = None) -> None:
    """Writes the counts per paper and one line for each number that does not agree to `out`, else standard output."""
    stream = sys.stdout if out is None else out
    for line in _lines(findings, titles):
        stream.write(line + "\n")


def _lines(findings: Sequence[Finding], titles: Mapping[str, str]) -> Iterator[str]:
    by_check = _by_check(findings, titles)
    for check in sorted(by_check, key=lambda check: check.consequence):
        failed = _open(by_check[check])
        if failed:
            yield f"{titles[check.paper]}, {check.place}: {check.claim}"
            for finding in failed:
                yield f"  {finding.verdict}: {finding.subject}: printed {finding.printed}, here {finding.recomputed}"
    for paper, title in titles.items():
        tally = _tally(findings, paper)
        if sum(tally.values()):
            yield f"{title}: " + ", ".join(f"{count} {verdict}" for verdict, count in tally.items())


def _by_check(findings: Sequence[Finding], titles: Mapping[str, str]) -> dict[Check, list[Finding]]:
    order = list(titles)
    found: dict[Check, list[Finding]] = {}
    for finding in sorted(findings, key=lambda finding: order.index(finding.check.paper)):
        found.setdefault(finding.check, []).append(finding)
    return found


def _open(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.verdict != "agrees"]


def _tally(findings: Sequence[Finding], paper: str) -> dict[Verdict, int]:
    verdicts = [finding.verdict for finding in findings if finding.check.paper == paper]
    names: tuple[Verdict, ...] = get_args(Verdict)
    return {name: verdicts.count(name) for name in names}


def _counts(findings: Sequence[Finding], titles: Mapping[str, str]) -> str:
    rows = []
    for paper, title in titles.items():
        tally = _tally(findings, paper)
        if sum(tally.values()):
            rows.append([title, str(sum(tally.values())), *(str(count) for count in tally.values())])
    return _table(["paper", "numbers compared", *get_args(Verdict)], rows)


def _section(check: Check, findings: Sequence[Finding], titles: Mapping[str, str]) -> str:
    failed = _open(findings)
    rows = [[each.subject, each.printed, each.recomputed, each.verdict] for each in failed]
    rest = len(findings) - len(failed)
    return "\n\n".join(
        [
            f"### {titles[check.paper]}: {_text(check.claim)}",
            f"{_text(check.place)}. Recomputed: {_text(check.computation)}",
            _table(["", "printed", "recomputed", "verdict"], rows),
            f"{rest} of {len(findings)} agree. Likely cause: {_text(check.cause)}",
            f"Here: {_text(check.instead)}",
        ]
    )


def _agreed(checks: Sequence[Check], by_check: Mapping[Check, Sequence[Finding]], titles: Mapping[str, str]) -> str:
    rows = [
        [titles[check.paper], check.place, check.claim, check.computation, str(len(by_check[check]))]
        for check in checks
    ]
    return _table(["paper", "place", "claim", "computation", "numbers"], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([_text(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _text(text: str) -> str:
    """Text that means itself in Markdown, also inside a table."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in "\\|*_`[]~" else sign for sign in plain)
