"""Verdicts over all cases and for each, and why: tables, and figures of the weights of explanations as stacked bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

from veridical.base.charts import WIDTH, document, shorten
from veridical.records import Counts
from veridical.suite.results import Cell, Figure, Result, Table, find
from veridical.suites.viprobe.presentation.conclusions import (
    EXPLANATIONS,
    Conclusions,
    conclusions_of,
    split_cases,
    units_by_case,
)
from veridical.suites.viprobe.presentation.more_tables import counts_of
from veridical.suites.viprobe.presentation.terms import CASE_TITLES
from veridical.suites.viprobe.verdicts import NAMES, ObserverVerdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

YES_NO, COMPARISONS = "yes-no questions", "comparisons"
DIFFER = "differs by kind of question"
_RULE = (
    "A model of how the two replies to a picture come about (noise, a criterion, lapses and biases) is fitted with "
    "each explanation of what figures do to them; a verdict needs its explanation to beat all others."
)
_COLUMNS = (
    "Model",
    "Questions",
    "Case",
    "Verdict",
    "In the paper's terms",
    "Evidence",
    "Parameters",
    "If missing at random",
    "What would decide it",
    "Trials",
)


def mechanisms(results: Sequence[Result]) -> list[Table]:
    """How many cases have each verdict, and all verdicts with what they rest on; no rows without question pairs."""
    verdicts_of_runs = [
        (result, verdicts) for result in results if (verdicts := conclusions_of(result.outcomes)).yes_no
    ]
    return [_short(verdicts_of_runs), _whole(verdicts_of_runs)]


def _short(verdicts_of_runs: Sequence[tuple[Result, Conclusions]]) -> Table:
    slices = {each.name for _, verdicts in verdicts_of_runs for each in verdicts.yes_no if each.where}
    names, compared = (
        [name for name in NAMES if name in slices],
        any(verdicts.comparison for _, verdicts in verdicts_of_runs),
    )
    rows: list[tuple[Cell, ...]] = []
    for result, verdicts in verdicts_of_runs:
        overall, *cases = verdicts.yes_no
        times = Counter(each.name for each in cases)
        beside = (verdicts.comparison[0].name if verdicts.comparison else None,) if compared else ()
        counts = (times[name] for name in names)
        rows.append((result.model, overall.name, *beside, *counts, len(cases), counts_of(result, {})))
    note = f"{_RULE} The first verdict is over all cases; numbers are of cases, by their yes-no questions."
    heads = (YES_NO.capitalize(), *((COMPARISONS.capitalize(),) if compared else ()))
    columns = ("Model", *heads, *(name.capitalize() for name in names), "Cases", "Trials")
    return Table("mechanisms", "Verdicts in short", note, columns, tuple(rows))


def _whole(verdicts_of_runs: Sequence[tuple[Result, Conclusions]]) -> Table:
    note = (
        f"{_RULE} Parameters are those of the explanation that the verdict names, in units of α where it says so; "
        "intervals in brackets. Where too many answers are missing, a verdict stands only if no filling of the gaps "
        "changes it; if they are missing evenly, the verdict of the answered ones stands beside it."
    )
    rows = tuple(row for result, verdicts in verdicts_of_runs for row in _rows(result, verdicts))
    return Table("mechanism", "Verdicts, with what they rest on", note, _COLUMNS, rows)


def _rows(result: Result, verdicts: Conclusions) -> Iterator[tuple[Cell, ...]]:
    if verdicts.differ:
        evidence = (None, both_verdicts(verdicts), None, None, None)
        yield result.model, "both", "overall", DIFFER, *evidence, counts_of(result, {})
    for each in verdicts.yes_no:
        yield _row(result, YES_NO, each, counts_of(result, each.where))
    for each in verdicts.comparison:
        rate = find(result, "choice_accuracy", each.where)
        yield _row(result, COMPARISONS, each, rate.counts if rate else None)


def _row(result: Result, questions: str, verdict: ObserverVerdict, counts: Counts | None) -> tuple[Cell, ...]:
    return (
        result.model,
        questions,
        verdict.where.get("case", "overall"),
        verdict.name,
        verdict.in_the_paper or None,
        "; ".join(verdict.evidence) or None,
        "; ".join(f"{name} {value}" for name, value in verdict.parameters.items()) or None,
        verdict.at_random,
        "; ".join(verdict.needs) or None,
        counts,
    )


def both_verdicts(verdicts: Conclusions) -> str:
    """The verdicts on the two kinds of questions, in words."""
    return f"{verdicts.yes_no[0].name} on {YES_NO}, {verdicts.comparison[0].name} on {COMPARISONS}"


_COLOURS = {"nothing": "#1f4e79", "loss": "#c4593f", "shift": "#e3a63c", "inverted": "#7d5ba6", "flat": "#c3c7cb"}
"""Of each kind of explanation; no two of these are alike in gray, but for two rare ones."""

_DARK = {"nothing", "loss", "inverted"}
_ROOM = 49
"""Characters of small print that fit beside a bar."""
_FIRST = ("shift", "strong changes lost")
_NOTE = (
    "Weights of what figures may do to replies (BIC; of a case, given all others), in percent. Beside them the "
    "verdict, which needs more than a weight, and the parameters of its explanation, with 95 % intervals; the table of "
    "verdicts has the rest."
)


class _Row(NamedTuple):
    label: str
    verdict: ObserverVerdict
    apart: bool = False


class _Page(NamedTuple):
    title: str
    rows: Sequence[_Row]
    below: Sequence[str] = ()


def verdict_figures(results: Sequence[Result]) -> list[Figure]:
    """The verdicts of several models side by side, then a figure for each model and kind of question, case by case.

    Nothing for runs without answers to pairs of questions about figures and controls.
    """
    return [
        Figure(name, page.title, _NOTE, _bars(page), broad=True)
        for name, page in zip(_names(), _pages(results), strict=False)
    ]


def case_figures(results: Sequence[Result]) -> list[str]:
    """The names of the figures case by case, where there are those of several models."""
    pages = _pages(results) if len(results) > 1 else []
    return [name for name, page in zip(_names(), pages, strict=False) if page.rows[0].apart and len(pages) > 1]


def _names() -> Iterator[str]:
    return chain(["verdicts"], (f"verdicts_{number}" for number in count(2)))


def _pages(results: Sequence[Result]) -> list[_Page]:
    pages: list[_Page] = []
    overall: list[_Row] = []
    for result in results:
        conclusions = conclusions_of(result.outcomes)
        kinds = {YES_NO: conclusions.yes_no, COMPARISONS: conclusions.comparison}
        weighted = {
            words: verdicts_of_kind
            for words, verdicts_of_kind in kinds.items()
            if any(each.weights for each in verdicts_of_kind)
        }
        for words, verdicts in weighted.items():
            about = f", {words}" if len(weighted) > 1 else ""
            pages.append(_of_cases(f"Verdicts case by case: {result.model}{about}", verdicts, result))
            overall.append(_Row(f"{shorten(result.model, 26 - len(about))}{about}", verdicts[0]))
    return [_Page("Verdicts over all cases", overall), *pages] if len(overall) > 1 else pages


def _of_cases(title: str, verdicts: Sequence[ObserverVerdict], result: Result) -> _Page:
    overall, *cases = verdicts
    rows, folded = split_cases(cases, units_by_case(result.outcomes))
    shown = [_Row(CASE_TITLES.get(name := str(each.where["case"]), name), each) for each in rows]
    return _Page(title, [_Row("all cases", overall, apart=True), *shown], [each.line for each in folded])


def _bars(page: _Page) -> str:
    rows = page.rows
    places = [-1.08 * k - (0.5 if k and rows[0].apart else 0.0) for k in range(len(rows))]
    lowest = places[-1] - 1.2 * len(page.below)

    def draw(canvas: Canvas) -> None:
        axes, words = canvas.subplots(1, 2, sharey=True, width_ratios=[1.0, 2.15])
        for place, row in zip(places, rows, strict=True):
            _bar(axes, place, row.verdict.weights)
            weight, small = "bold" if row.apart else "normal", parameters(row.verdict)
            words.text(0.0, place, row.verdict.name, fontsize=7.5, fontweight=weight, va="center", parse_math=False)
            words.text(0.485, place, small, fontsize=5.7, color="#444444", va="center", parse_math=False)
        for k, line in enumerate(page.below, 1):
            words.text(0.0, places[-1] - 1.2 * k, line, fontsize=6.5, color="#444444", va="center", parse_math=False)
        axes.set(xlim=(0, 100), ylim=(lowest - 0.6, 0.6), yticks=places, xticks=[0, 50, 100], xlabel="weight, %")
        axes.set_yticklabels([row.label for row in rows], parse_math=False, fontsize=7.5)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        words.set(xlim=(0, 1))
        words.set_axis_off()
        _legend(axes, canvas, rows)

    return document(WIDTH, round(1.0 + 0.2 * (1 - lowest), 2), draw)


def _legend(axes: Axes, canvas: Canvas, rows: Sequence[_Row]) -> None:
    shown = [name for name in EXPLANATIONS if any(row.verdict.weights.get(name, 0.0) >= 0.005 for row in rows)]
    handles = [axes.barh([0], [0], color=_COLOURS[name]).patches[0] for name in shown]
    names = [EXPLANATIONS[name] for name in shown]
    canvas.legend(handles, names, loc="outside upper left", ncols=2, frameon=False, fontsize=8)


def _bar(axes: Axes, place: float, weights: Mapping[str, float]) -> None:
    left = 0.0
    for name in EXPLANATIONS:
        width = 100 * weights.get(name, 0.0)
        axes.barh([place], [width], 0.8, [left], color=_COLOURS[name])
        if width >= 18:
            shade = "white" if name in _DARK else "black"
            axes.text(left + width / 2, place, f"{width:.0f}", ha="center", va="center", fontsize=6.5, color=shade)
        left += width


def parameters(verdict: ObserverVerdict) -> str:
    """The main parameters of a verdict's explanation in a line, as many as there is room for.

    Where answers are missing, the verdict of those that are there, if the missing ones may be ignored.

    >>> values = {"lapses": "5 %", "strong changes lost": "76 %"}
    >>> parameters(ObserverVerdict(where={}, name="loss on figures", evidence=(), parameters=values))
    'strong changes lost 76 %; lapses 5 %'
    """
    if verdict.at_random is not None:
        return f"if at random: {verdict.at_random}"
    values = verdict.parameters
    order = [*(name for name in _FIRST if name in values), *(name for name in values if name not in _FIRST)]
    line = ""
    for name in order:
        longer = f"{line}; {name} {values[name]}" if line else f"{name} {values[name]}"
        line = longer if len(longer) <= _ROOM else line
    return line
