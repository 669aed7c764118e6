"""People beside models in a report: what they come to, and the best model beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from veridical.records import Estimate, Measure
from veridical.suite.findings import valued_estimate
from veridical.suite.opening import Opening
from veridical.suite.parts import AnalysisPart
from veridical.suite.results import Result, are_people

MOST = 2
"""The most figures that are named of a group of people."""


def add_human_bounds(opening: Opening | None, results: Sequence[Result], analysis: AnalysisPart) -> Opening | None:
    """An opening with a line for each group of people: what they come to, and the best model beside them.

    It names the headline figures that have a better side. A report without people, or without an opening, stays as it
    is.
    """
    people = [result for result in results if are_people(result.model)]
    if opening is None or not people:
        return opening
    models = [result for result in results if not are_people(result.model)]
    lines = [line for each in people if (line := _line(each, models, analysis))]
    return replace(opening, lines=(*opening.lines, *lines))


def _line(people: Result, models: Sequence[Result], analysis: AnalysisPart) -> str:
    parts = [*_parts(people, models, analysis.headline, analysis.measures)][:MOST]
    if not parts:
        return ""
    return f"{people.model}: {'; '.join(parts)}. People and models may have been asked about different items."


def _parts(
    people: Result, models: Sequence[Result], headline: Sequence[str], measures: Mapping[str, Measure]
) -> Iterator[str]:
    for metric in headline:
        measure, own = measures.get(metric), valued_estimate(people, metric, {})
        if measure is None or measure.better is None or own is None:
            continue
        rated = [(model, each) for model in models if (each := valued_estimate(model, metric, {}))]
        text = f"{measure.title} {_shown(own)}"
        if rated:
            sign = 1.0 if measure.better == "higher" else -1.0
            best, figure = max(rated, key=lambda pair: sign * (pair[1].value or 0.0))
            text += f", best model {best.model} {_shown(figure)}"
        yield text


def _shown(estimate: Estimate) -> str:
    unit = estimate.unit
    value = unit.number(estimate.value or 0.0)
    if estimate.low is None or estimate.high is None:
        return f"{value}{unit.suffix}"
    return f"{value}{unit.suffix} [{unit.number(estimate.low)}, {unit.number(estimate.high)}]"
