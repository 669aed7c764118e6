"""The five papers' own numbers: their tables as data, and everything recomputed that can be recomputed from parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from veridical.errors import unknown
from veridical.published import hocabench, magic, magicbench, show, viabench, viprobe
from veridical.published.replicate import Check, Finding, Verdict
from veridical.published.tables import names, papers, table

__all__ = [
    "PAPERS",
    "TITLES",
    "Check",
    "Finding",
    "Verdict",
    "markdown",
    "names",
    "papers",
    "print_findings",
    "replicate",
    "table",
]

PAPERS: dict[str, Callable[[], list[Finding]]] = {
    "viprobe": viprobe.findings,
    "viabench": viabench.findings,
    "magic": magic.findings,
    "magicbench": magicbench.findings,
    "hocabench": hocabench.findings,
}
"""The checks of each paper."""

TITLES = {
    "viprobe": "VI-Probe",
    "viabench": "VIA-Bench",
    "magic": "MagiC",
    "magicbench": "MagicBench",
    "hocabench": "HOCA-Bench",
}
"""The name of each paper as readers know it."""


def replicate(only: Iterable[str] | None = None) -> list[Finding]:
    """Every number compared, of all papers or of `only` some: what does not agree first, by consequence.

    Raises `InputError` on a paper that has no checks.

    >>> {finding.verdict for finding in replicate(["viprobe"])} >= {"agrees", "disagrees"}
    True
    """
    wanted = list(PAPERS if only is None else only)
    for paper in wanted:
        if paper not in PAPERS:
            raise unknown("paper", paper, PAPERS)
    return show.ordered([finding for paper in wanted for finding in PAPERS[paper]()])


def markdown(findings: Iterable[Finding]) -> str:
    """The findings as a page: docs/published.md is that of all papers."""
    return show.markdown(list(findings), TITLES)


def print_findings(findings: Iterable[Finding], out: TextIO | None = None) -> None:
    """Writes one line for each number that does not agree, and the counts per paper, to `out` or standard output."""
    show.print_findings(list(findings), TITLES, out)
