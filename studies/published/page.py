"""Results as pages in Markdown: the main page, and the long list with every number that does not fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from studies.published.check import Item, Result
from studies.published.claims import Paper, lessons, papers
from studies.published.order import PLURAL, by_weight, main, tally
from veridical.base.markdown import table

HOW_TO_READ = """\
A printed number stands for every value that rounds to it, so rounding alone is never a fault.

- **holds**: unrounded values exist that fit the plain reading.
- **impossible**: no whole count of items gives the printed digits.
- **contradicts**: no unrounded values fit, under any reading that was tried.
- **only if**: the plain reading fails, another one fits, and it is named.
- **not shown by n**: the point values fit, but an interval test of ours for the number of items does not support the
  sentence. This is no contradiction and never among the ten.

Certainty is **certain** (arithmetic on printed digits), **depends on reading** (of words, or of an inference that is
named), or **judgment of ours** (a threshold or an interval that the paper does not state). An approximate number (~)
has a tolerance of a tenth, which is ours. The difference is what is stated minus what the cells give.

A claim that does not hold does not make a paper wrong: often a cell was mistyped, or text and table have different
dates. It means that two numbers cannot both be used. Causes, in the long list, are guesses."""

ANSWER = """\
Are you an author, or do you see a mistake? Open an issue with the template *A claim about a paper*
(`.github/ISSUE_TEMPLATE/published-claim.yml`) and name the claim by its id, which is also its permanent address on this
page. A transcription error is corrected at once; an explanation is printed word for word beside the claim; a newer
version of a paper is read anew, and the claim gets both dates."""


def markdown(results: Sequence[Result], stem: str) -> str:
    """The page: what holds of how many, the ten that matter most, references, then paper by paper."""
    counts, first = tally(results), main(results)
    ours = sum(r.verdict == "contradicts" and r.claim.certainty == "judgment of ours" for r in results)
    words = {**PLURAL, "contradicts": f"contradict ({ours} of them by a threshold of ours)"} if ours else PLURAL
    others = ", ".join(f"{number} {words[verdict]}" for verdict, number in counts.items() if verdict != "holds")
    links = f"[Every claim with its numbers]({stem}-list.md) · [as CSV]({stem}.csv)"
    parts = [
        "# The papers' numbers, recomputed",
        f"**Of {len(results)} checkable claims, {counts['holds']} hold**; {others}. {links}",
        f"## The {'ten' if len(first) == 10 else len(first)} that matter most",
        "By certainty × consequence; none rests on a judgment of ours. In bold: what the paper's own cells give.",
        "\n".join(f"{place}. {_headline(result, stem)}" for place, result in enumerate(first, 1)),
        "## What holds, by paper",
        _tallies(results),
        "## References",
        _references(results),
        "## How to read this",
        HOW_TO_READ,
    ]
    for paper in _present(results):
        own = [result for result in results if result.claim.paper == paper.name]
        parts += [f"## {paper.title}", "### What does not follow", _claims(by_weight(own), stem)]
        parts += ["### What holds", _claims([r for r in own if r.verdict == "holds"], stem)]
    parts += ["## What to take from it, and what veridical does instead", _lessons(results)]
    return "\n\n".join([*parts, "## How to answer", ANSWER]) + "\n"


def long_list(results: Sequence[Result], stem: str) -> str:
    """Every claim by paper: quote, verdict, likely cause, doubt, and each number that does not fit."""
    parts = ["# The papers' numbers: every claim", f"The summary is [the page]({stem}.md)."]
    for paper in _present(results):
        parts.append(f"## {paper.title}")
        own = [result for result in results if result.claim.paper == paper.name]
        for result in [*by_weight(own), *(each for each in own if each.verdict == "holds")]:
            parts += _entry(result)
    return "\n\n".join(parts) + "\n"


def _entry(result: Result) -> Iterator[str]:
    claim = result.claim
    condition = f" *{_text(result.condition)}*" if result.condition else ""
    yield f"### {claim.id}"
    yield f"“{_text(claim.quote)}” ({_text(claim.place)})"
    yield f"Compared: {_text(result.compares)}. **{result.verdict}**{condition}, {claim.certainty}; {_share(result)}."
    notes = [("Likely cause, a guess", result.cause), ("Doubt", result.doubt), ("The authors", claim.answer)]
    lines = [f"- {name}: {_text(_signs(text))}" for name, text in notes if text]
    if lines:
        yield "\n".join(lines)
    rows = [
        [item.subject, _signs(item.stated), _signs(item.computed), _signs(_gap(item))]
        for item in result.failing or result.items[:1]
    ]
    yield _table(["", "stated", "its own cells give", "difference"], rows)


def _gap(item: Item) -> str:
    first, *_ = item.outcomes.values()
    return first.gap if not first.fits else item.by_n.gap if item.by_n is not None else ""


def _share(result: Result) -> str:
    if not result.failing:
        return f"{len(result.items)} compared" if len(result.items) > 1 else "1 compared; the first"
    return f"{len(result.failing)} of {len(result.items)} comparisons fail"


def _tallies(results: Sequence[Result]) -> str:
    rows = []
    for paper in _present(results):
        own = tally([result for result in results if result.claim.paper == paper.name])
        rows.append([f"[{paper.title}](#{_slug(paper.title)})", str(sum(own.values())), *map(str, own.values())])
    return table(["paper", "claims", *PLURAL.values()], rows)


def _headline(result: Result, stem: str) -> str:
    """A claim in one entry of a list: the quote, and what follows from the cells."""
    claim = result.claim
    verdict = f"Holds only if: {_text(result.condition)}." if result.condition else f"{result.verdict.capitalize()}."
    quote = f"[“{_text(claim.quote)}”]({stem}-list.md#{claim.id})"
    return f"{papers()[claim.paper].title}, {_text(claim.place)}: {quote} – {_example(result)}. {verdict}"


def _claims(results: Sequence[Result], stem: str) -> str:
    """Claims as a table: the quote with its place, what its own cells give, the difference, and how certain that is."""
    rows = []
    for result in results:
        claim = result.claim
        quote = f'<a id="{claim.id}"></a>[“{_text(claim.quote)}”]({stem}-list.md#{claim.id}) {_text(claim.place)}'
        condition = f": {_text(result.condition)}" if result.condition else ""
        cell = f"{_example(result)}. Compared: {_text(result.compares)}"
        gap = _text(_signs(result.gap)) or "–"
        rows.append([quote, cell, gap, f"**{result.verdict}**{condition}; {claim.certainty}"])
    return table(["the paper says", "its own cells give", "difference", "certainty"], rows) if rows else "None."


def _example(result: Result) -> str:
    """The item furthest off, as stated and as its cells give it; of a claim that holds, how many fit."""
    example = result.example
    if not result.failing:
        return f"**{_text(_fit(result))}**"
    subject = f"{_text(example.subject)}: " if example.subject else ""
    stated = f"stated {_text(_signs(example.stated))}, " if example.stated not in ("", "all", "most") else ""
    share = f" ({len(result.failing)} of {len(result.items)} comparisons fail)" if len(result.items) > 1 else ""
    return f"{subject}{stated}here **{_text(_signs(_short(example)))}**{share}"


def _fit(result: Result) -> str:
    """How many items of a claim that holds fit, or what the only one gives."""
    number = len(result.items)
    return _signs(_short(result.example)) if number == 1 else "both fit" if number == 2 else f"all {number} fit"


def _short(item: Item) -> str:
    """What the plain reading gives; a test by n where the plain reading fits."""
    first, *_ = item.outcomes.values()
    return first.computed if not first.fits or item.by_n is None else item.by_n.computed


def _references(results: Sequence[Result]) -> str:
    return "\n".join(
        f"- **{paper.title}**: {paper.full_title}. Authors: {paper.authors}. arXiv: {_arxiv(paper)}. Version: "
        f"{paper.version}. Read on {paper.read}."
        for paper in _present(results)
    )


def _arxiv(paper: Paper) -> str:
    number = paper.arxiv
    return f"[{number}](https://arxiv.org/abs/{number})" if number[0].isdigit() else number


def _lessons(results: Sequence[Result]) -> str:
    failed = [result.claim.lesson for result in results if result.verdict != "holds"]
    rows = [[each.lesson, str(failed.count(each.name)), each.instead] for each in lessons().values()]
    return _table(["to take from it", "claims here", "what veridical does instead"], rows)


def _present(results: Sequence[Result]) -> list[Paper]:
    with_claims = {result.claim.paper for result in results}
    return [paper for paper in papers().values() if paper.name in with_claims]


def _signs(text: str) -> str:
    """The text with real minus signs before numbers."""
    return re.sub(r"(?<![\w.)])-(?=\d)", "−", text)


def _slug(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return table(head, ([_text(cell) for cell in row] for row in rows))


def _text(text: str) -> str:
    """The text escaped for Markdown, also inside a table."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{sign}" if sign in "\\|*_`[]~" else sign for sign in plain)
