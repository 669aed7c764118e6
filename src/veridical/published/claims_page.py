"""Findings as a page in Markdown: the main results in full, everything else folded away below them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from veridical.base.markdown import table
from veridical.published.replicate import Check, Finding, Verdict
from veridical.published.show import HEADINGS, by_check, disagreeing, tallies

INTRODUCTION = """\
Five papers publish the diagnostics that this library is about. Their tables are here as data, each number as printed
and with its place, and whatever can be recomputed from its parts is recomputed. This page is what came of it; it is
written by `veridical replicate --out FILE`, and no verdict on it is typed in.

A printed number stands for every value that rounds to it. **Agrees** means that some unrounded values of the parts give
the printed whole, **disagrees** that none do, **impossible** that no whole count of items gives the digits. Rounding
alone is never called a disagreement; where several averages could be meant, one that fits suffices. A statement about a
difference also disagrees where the interval that the number of items allows does not bear it out, and its computation
says so.

That a number disagrees does not say that a work is wrong: often a cell was mistyped, or text and table are of different
dates. It says that the two cannot both be used. Claims are in our words, causes are guesses, and where the comparison
itself rests on a judgement of ours, it says so."""

_OPEN = 4
"""So many rows of numbers stand open."""

SUMMARY = """\
Main results that a paper's own numbers do not bear out, one line each; `*` marks a judgement call, explained below."""


def markdown(findings: Sequence[Finding], titles: Mapping[str, str]) -> str:
    """A page: counts per paper, a summary of the main results, then each claim that a number does not agree with.

    `titles` has the name of each paper as readers know it, in the order in which papers are listed. Claims that a main
    result rests on stand open, the others folded by consequence; at the end, in a table, what agrees throughout.
    """
    claims = by_check(findings, titles)
    parts = ["# The papers' own numbers, recomputed", INTRODUCTION, _counts(findings, titles)]
    for consequence, heading in HEADINGS.items():
        failed = {
            check: found for check, found in claims.items() if check.consequence == consequence and disagreeing(found)
        }
        if not failed:
            continue
        sections = [_section(check, found, titles) for check, found in failed.items()]
        parts.append(f"## {heading}")
        parts += [SUMMARY, _summary(failed, titles), *sections] if consequence == 1 else _folded(sections)
    agreed = {check: found for check, found in claims.items() if not disagreeing(found)}
    if agreed:
        parts += ["## What agrees throughout", *_folded([_agreed(agreed, titles)], len(agreed))]
    return "\n\n".join(parts) + "\n"


def _folded(sections: Sequence[str], number: int | None = None) -> list[str]:
    count = len(sections) if number is None else number
    return [f"<details><summary>{count} {'claim' if count == 1 else 'claims'}</summary>", *sections, "</details>"]


def _counts(findings: Sequence[Finding], titles: Mapping[str, str]) -> str:
    rows = [
        [titles[paper], str(sum(tally.values())), *(str(count) for count in tally.values())]
        for paper, tally in tallies(findings, titles)
    ]
    return _table(["paper", "numbers compared", *get_args(Verdict)], rows)


def _summary(failed: Mapping[Check, Sequence[Finding]], titles: Mapping[str, str]) -> str:
    rows = []
    for check, findings in failed.items():
        first, agree = disagreeing(findings)[0], len(findings) - len(disagreeing(findings))
        example = f"{first.subject}: {first.printed}; here {first.recomputed}"
        mark = " *" if check.doubt else ""
        rows.append([titles[check.paper], check.claim, example, f"{agree} of {len(findings)}{mark}"])
    return _table(["paper", "claim", "for example", "agree"], rows)


def _section(check: Check, findings: Sequence[Finding], titles: Mapping[str, str]) -> str:
    failed = disagreeing(findings)
    rows = [[each.subject, each.printed, each.recomputed, each.verdict] for each in failed]
    notes = [f"Likely cause, a guess: {_text(check.cause)}"]
    notes += [f"Judgement call: {_text(check.doubt)}"] if check.doubt else []
    notes += [f"In veridical: {_text(check.instead)}"] if check.instead else []
    return "\n\n".join(
        [
            f"### {titles[check.paper]}: {_text(check.claim)}",
            f"{_text(check.place)}. Recomputed: {_text(check.computation)}",
            _rows(_table(["", "printed", "recomputed", "verdict"], rows), len(rows)),
            f"{len(findings) - len(failed)} of {len(findings)} agree.",
            "\n".join(f"- {note}" for note in notes),
        ]
    )


def _rows(table: str, number: int) -> str:
    """The table, folded where it is long."""
    if number <= _OPEN:
        return table
    return f"<details><summary>{number} numbers that do not agree</summary>\n\n{table}\n\n</details>"


def _agreed(checks: Mapping[Check, Sequence[Finding]], titles: Mapping[str, str]) -> str:
    rows = [
        [titles[check.paper], check.place, check.claim, check.computation, str(len(findings))]
        for check, findings in checks.items()
    ]
    return _table(["paper", "place", "claim", "computation", "numbers"], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return table(head, ([_text(cell) for cell in row] for row in rows))


def _text(text: str) -> str:
    """Text that means itself in Markdown, also inside a table."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in "\\|*_`[]~" else sign for sign in plain)
