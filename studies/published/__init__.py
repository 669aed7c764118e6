"""The five papers' claims about their numbers, each recomputed from the cells of their tables."""

from __future__ import annotations

from collections.abc import Iterable

from studies.published import export, lines, page
from studies.published.check import Item, Result
from studies.published.check import results as verdicts_of
from studies.published.claims import papers as references
from studies.published.operators import Verdict
from veridical.errors import unknown
from veridical.records import Json

__all__ = [
    "TITLES",
    "Item",
    "Result",
    "Verdict",
    "as_csv",
    "as_json",
    "as_lines",
    "as_list",
    "markdown",
    "references",
    "replicate",
]

TITLES = {name: paper.title for name, paper in references().items()}
"""The display name of each paper, in the order of the page."""


def replicate(only: Iterable[str] | None = None) -> list[Result]:
    """The verdict on every claim of all papers, or of those in `only`, in the order of the tables of claims.

    A paper is given by its name or title. Raises `InputError` for a paper without claims.

    >>> [result.verdict for result in replicate(["magic"]) if result.claim.id == "magic-annotated-steps"]
    ['contradicts']
    """
    titled = {title.lower(): paper for paper, title in TITLES.items()}
    wanted = [titled.get(name.lower(), name.lower()) for name in (TITLES if only is None else only)]
    for paper in wanted:
        if paper not in TITLES:
            raise unknown("paper", paper, TITLES)
    return [result for paper in wanted for result in verdicts_of(paper)]


def markdown(results: Iterable[Result], stem: str = "published") -> str:
    """The results as a page in Markdown, which links the list and the CSV beside it by their common `stem`."""
    return page.markdown(list(results), stem)


def as_list(results: Iterable[Result], stem: str = "published") -> str:
    """Every claim in Markdown, with each number that does not fit, its likely cause, and what is debatable."""
    return page.long_list(list(results), stem)


def as_csv(results: Iterable[Result]) -> str:
    """One row per claim, as CSV with a head."""
    return export.as_csv(list(results))


def as_lines(results: Iterable[Result], width: int = 80, *, brief: bool = False) -> list[str]:
    """The claims that do not hold as lines of at most `width` columns (at least 40); `brief` keeps the main ones.

    >>> as_lines(replicate(["hocabench"]), brief=True)[0].partition(":")[0]
    'HOCA-Bench'
    """
    return list(lines.lines(list(results), width, brief=brief))


def as_json(results: Iterable[Result]) -> list[dict[str, Json]]:
    """One object per claim, with its items.

    >>> as_json(replicate(["magic"]))[0]["id"]
    'magic-steps-per-instance'
    """
    return [export.as_json(result) for result in results]
