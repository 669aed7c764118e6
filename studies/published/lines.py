"""Results as terminal lines of limited width, by paper, the most consequential first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from studies.published.check import Result
from studies.published.claims import papers
from studies.published.order import PLURAL, by_weight, tally

_LEAST = 40
_FEW = 4


def lines(results: Sequence[Result], width: int, *, brief: bool) -> Iterator[str]:
    """Each paper's counts and the claims that do not hold; `brief` keeps a few per paper and counts the others.

    Lines have at most `width` columns, or 40 if `width` is less.
    """
    for name, paper in papers().items():
        own = [result for result in results if result.claim.paper == name]
        if not own:
            continue
        counts = ", ".join(f"{number} {PLURAL[verdict]}" for verdict, number in tally(own).items() if number)
        yield from _wrapped(f"{paper.title}: {len(own)} claims: {counts}", width, 0)
        failed = by_weight(own)
        shown = failed[:_FEW] if brief else failed
        for result in shown:
            yield from _claim(result, width)
        if len(failed) > len(shown):
            yield from _wrapped(
                f"and {len(failed) - len(shown)} more: python -m studies.published --paper {name}", width, 2
            )
        yield ""


def _claim(result: Result, width: int) -> Iterator[str]:
    claim, example = result.claim, result.example
    yield from _wrapped(f"“{claim.quote}” ({claim.place})", width, 2)
    condition = f" {result.condition}" if result.condition else ""
    yield from _wrapped(f"{result.verdict}{condition} [{claim.certainty}]: {result.compares}", width, 4)
    stated = f"{example.stated}; " if example.stated else ""
    yield from _wrapped(f"{example.subject}: {stated}here {example.computed}", width, 4)
    if len(result.failing) > 1:
        yield from _wrapped(f"and {len(result.failing) - 1} more of {len(result.items)}", width, 4)


def _wrapped(text: str, width: int, indent: int) -> list[str]:
    """The text in lines with a hanging indent of two columns; no break before a percent sign."""
    first, text = " " * indent, text.replace(" %", "\N{NO-BREAK SPACE}%")
    return wrap(text, max(width, _LEAST), initial_indent=first, subsequent_indent=first + "  ", break_on_hyphens=False)
