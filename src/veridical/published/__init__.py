"""The five papers' numbers: their tables as data, and every number recomputed that follows from others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict

from veridical.errors import unknown
from veridical.published import claims_page, hocabench, lines, magic, magicbench, show, viabench, viprobe
from veridical.published.printed import names, papers, table
from veridical.published.replicate import Check, Finding, Verdict
from veridical.records import Json

__all__ = [
    "PAPERS",
    "TITLES",
    "Check",
    "Finding",
    "Verdict",
    "as_json",
    "as_lines",
    "markdown",
    "names",
    "papers",
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
"""The display name of each paper."""


def replicate(only: Iterable[str] | None = None) -> list[Finding]:
    """Findings for every number of all papers, or of those in `only`: disagreements first, by consequence.

    A paper is given by its name or title. Raises `InputError` for a paper without checks.

    >>> {finding.verdict for finding in replicate(["viprobe"])} >= {"agrees", "disagrees"}
    True
    """
    titled = {title.lower(): paper for paper, title in TITLES.items()}
    wanted = [titled.get(name.lower(), name.lower()) for name in (PAPERS if only is None else only)]
    for paper in wanted:
        if paper not in PAPERS:
            raise unknown("paper", paper, PAPERS)
    return show.ordered([finding for paper in wanted for finding in PAPERS[paper]()])


def markdown(findings: Iterable[Finding]) -> str:
    """The findings as a page in Markdown; docs/published.md is that of all papers."""
    return claims_page.markdown(list(findings), TITLES)


def as_lines(findings: Iterable[Finding], width: int = 80, *, brief: bool = False) -> list[str]:
    """The disagreements as lines of at most `width` columns (at least 40); `brief` keeps the main results only.

    >>> as_lines(replicate(["magic"]), brief=True)[0]
    'MagiC: 122 numbers compared: 102 agree, 20 disagree, 0 impossible'
    """
    return list((lines.summary if brief else lines.full)(list(findings), TITLES, width))


def as_json(findings: Iterable[Finding]) -> list[dict[str, Json]]:
    """The findings as JSON: the fields of each finding and of its check.

    >>> as_json(replicate(["magic"]))[0]["verdict"]
    'disagrees'
    """
    return [asdict(each.check) | {k: v for k, v in asdict(each).items() if k != "check"} for each in findings]
