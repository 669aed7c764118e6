"""What a report of VI-Probe says first: each model's verdict, the rates behind it, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from veridical.records import Estimate
from veridical.suite.findings import best_first, finding, stimuli_by_variant
from veridical.suite.opening import Finding, Opening, Reasons, Tone
from veridical.suite.results import Result, are_people, find
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.presentation.conclusions import (
    EXPLANATIONS,
    UNITS_BY_CASE,
    Conclusions,
    certainty_sentence,
    conclusions_of,
    sentence,
    split_cases,
    units_by_case,
)
from veridical.suites.viprobe.presentation.dose_figures import small_chart
from veridical.suites.viprobe.presentation.speech import spoken_line
from veridical.suites.viprobe.presentation.terms import CASE_TITLES
from veridical.suites.viprobe.presentation.verdict_exhibits import (
    COMPARISONS,
    DIFFER,
    YES_NO,
    both_verdicts,
    case_figures,
)
from veridical.suites.viprobe.verdicts import ObserverVerdict, names
from veridical.suites.viprobe.verdicts.sentences import SENTENCES, tone

TITLE = "Does it see the change, or recall the figure?"
NO_VERDICT = "no verdict"
_ANSWERS = "answers where replies have none"
_NOT_ASKED = "Both opposite yes-no questions about figures and about controls"
_RATES = {"O": "figure, unchanged", "P": "figure, changed", "OC": "control, unchanged", "PC": "control, changed"}
_LINE = (
    "O, P, OC, PC: the share of pictures for which both opposite questions were answered correctly (PFA, polarity-flip "
    "accuracy), with 95\N{NO-BREAK SPACE}% intervals. A control is the same picture without the elements that cause "
    "the illusion. A model that sees is right on P as often as on PC; a model that recalls is wrong on P."
)
_TABLES = ("mechanisms", "mechanism")
_NEEDS = {"more base items": f"more base items (a verdict by case needs about {UNITS_BY_CASE} of each)"}


def opening(results: Sequence[Result]) -> Opening | None:
    """A finding for each model, those that are right of more changed figures first; nothing without any."""
    if not results:
        return None
    people = next((result for result in results if are_people(result.model)), None)
    return Opening(
        TITLE,
        (_LINE,),
        rates=_RATES,
        findings=tuple(_finding(result, people) for result in best_first(results, "PFA", {"variant": "P"})),
        weights=EXPLANATIONS,
        in_place_of=(*_TABLES, *case_figures(results)),
    )


def _finding(result: Result, people: Result | None) -> Finding:
    conclusions = conclusions_of(result.outcomes)
    kinds = {YES_NO: conclusions.yes_no, COMPARISONS: conclusions.comparison}
    units, summary = units_by_case(result.outcomes), _summary(conclusions)
    sure = " ".join(filter(None, (summary.sure, spoken_line(result))))
    return finding(
        result,
        summary._replace(sure=sure),
        basis=_basis(result.outcomes),
        rates=_rates(result),
        chart=small_chart(result, people),
        reasons=(_reasons(about, verdicts, units) for about, verdicts in kinds.items() if verdicts),
    )


def _rates(result: Result) -> Iterator[tuple[Estimate | None, str]]:
    """The share of each picture type of which both questions were answered right, and how many pictures there are."""
    pictures = stimuli_by_variant(result.outcomes.filter(pl.col("status").is_not_null()))
    for name in TYPES:
        yield find(result, "PFA", {"variant": name}), _many(pictures.get(name, 0), "picture")


class _Summary(NamedTuple):
    name: str
    sentence: str
    sure: str
    tone: Tone = "open"
    needs: tuple[str, ...] = ()


def _summary(conclusions: Conclusions) -> _Summary:
    """What the verdicts of a run come to, in words."""
    verdict = next((verdicts[0] for verdicts in conclusions if verdicts), None)
    if verdict is None:
        return _Summary(NO_VERDICT, "No verdict.", f"{_NOT_ASKED} were not asked.", needs=(_NOT_ASKED,))
    if conclusions.differ:
        return _Summary(DIFFER, sentence(both_verdicts(conclusions)), _of_both(conclusions))
    missing = verdict.name == names.MISSING
    needs = (_ANSWERS,) if missing else tuple(_NEEDS.get(each, each) for each in verdict.needs)
    return _Summary(verdict.name, SENTENCES[verdict.name], certainty_sentence(verdict), tone(verdict.name), needs)


def _of_both(conclusions: Conclusions) -> str:
    kinds = ((YES_NO, conclusions.yes_no[0]), (COMPARISONS, conclusions.comparison[0]))
    return " ".join(f"{about.capitalize()}: {certainty_sentence(verdict)}" for about, verdict in kinds)


def _basis(outcomes: pl.DataFrame) -> str:
    """On how much a run is, in words."""
    sent = outcomes.filter(pl.col("status").is_not_null())
    counts = sent.select(pl.col("stimulus", "unit", "family").n_unique()).row(0)
    pictures, units, cases = map(_many, counts, ("picture", "base item", "case"))
    return f"{pictures} of {units} in {cases}"


def _many(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _reasons(about: str, verdicts: Sequence[ObserverVerdict], units: Mapping[str, int]) -> Reasons:
    overall, *cases = verdicts
    rows, folded = split_cases(cases, units)
    parts = tuple(_reason(CASE_TITLES.get(case := str(each.where["case"]), case), each) for each in rows)
    return replace(_reason(about, overall), parts=parts, folded=tuple(folded))


def _reason(about: str, verdict: ObserverVerdict) -> Reasons:
    return Reasons(
        about=about,
        verdict=verdict.name,
        tone=tone(verdict.name),
        weights=verdict.weights,
        evidence=verdict.evidence,
        parameters=verdict.parameters,
    )
