"""The terms that a page explains, and links from where they stand in a text to where they are explained."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veridical.base.format import visible
from veridical.suite.record import Suite
from veridical.suite.results import Result

if TYPE_CHECKING:
    from markupsafe import Markup

Link = Callable[[str], "Markup"]

_GENERAL = {
    "base item": "What items are made from. Items of a base item are alike, so that intervals resample base items.",
    "interval": "In brackets. It contains the true value in 95 of 100 such runs. ≥, ≤: one side has no bound.",
    "readable": "The share of replies from which an answer could be read.",
    "answered": "An answer was read from the reply.",
    "unparsed": "The reply came whole, and no answer can be read from it.",
    "refused": "The model or its provider declined to answer.",
    "truncated": "The reply was stopped by its length before an answer.",
    "error": "No reply came: the request failed.",
}
"""What every page explains."""

_BETTER = {None: "", "higher": " Higher is better.", "lower": " Lower is better."}


@dataclass(frozen=True)
class Term:
    """A term of the glossary: an id in the page, what it is called, in full where that is short, and what it means."""

    anchor: str
    title: str
    spelled: str
    meaning: str
    source: str

    @property
    def short(self) -> str:
        """What a link to the term says when it is pointed at."""
        return f"{self.spelled}: {self.meaning}" if self.spelled else self.meaning


def glossary(suite: Suite, results: Sequence[Result], prefix: str) -> list[Term]:
    """What the suite measures, as far as any result has it, then the suite's other terms and those of every page.

    A term has one entry: the suite's own stands in place of the page's.
    """
    metrics = {estimate.metric for result in results for estimate in result.estimates}
    entries = {
        measure.title: (measure.spelled, measure.definition + _BETTER[measure.better], measure.source)
        for name, measure in suite.analysis.measures.items()
        if name in metrics
    }
    for title, meaning in (*suite.presentation.terms.items(), *_GENERAL.items()):
        entries.setdefault(title, ("", meaning, ""))
    ordered = enumerate(sorted(entries.items(), key=lambda entry: entry[0].casefold()), 1)
    return [Term(f"{prefix}term-{number}", title, *entry) for number, (title, entry) in ordered]


def linker(terms: Iterable[Term]) -> Callable[[], Link]:
    """What gives a function for a section of the page: text → HTML, each abbreviation linked where it first stands.

    Only what is no plain word is linked: abbreviations and symbols, such as "PFA" or "σ".
    """
    by_title = {term.title: term for term in terms if _is_short(term.title)}
    longest = sorted(by_title, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)") if by_title else None

    def section() -> Link:
        left = dict(by_title)
        return lambda text: _linked(visible(text), pattern, left)

    return section


def _is_short(title: str) -> bool:
    return len(title) <= 12 and not re.fullmatch(r"[A-Za-z]?[a-z]+([ -][a-z]+)*", title)


def _linked(text: str, pattern: re.Pattern[str] | None, left: dict[str, Term]) -> Markup:
    from markupsafe import Markup, escape

    return Markup("").join(
        Markup('<a class="term" href="#{}" title="{}">{}</a>').format(term.anchor, visible(term.short), part)
        if (term := left.pop(part, None)) is not None
        else escape(part)
        for part in _split(text, pattern)
    )


def _split(text: str, pattern: re.Pattern[str] | None) -> Iterator[str]:
    place = 0
    for match in pattern.finditer(text) if pattern else ():
        yield from (text[place : match.start()], match[0])
        place = match.end()
    yield text[place:]
