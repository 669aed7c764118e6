"""What a report of HOCA-Bench says first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.records import Estimate
from veridical.suite.findings import (
    best_first,
    chart_over,
    finding,
    levels_in,
    percent,
    percent_of,
    stimuli_by_variant,
    valued_estimate,
)
from veridical.suite.opening import Finding, Opening, Reasons
from veridical.suite.results import Result, find
from veridical.suites.hocabench.analysis.verdict import verdict
from veridical.suites.hocabench.presentation.tables.main import accuracy, judge_name, judges, score
from veridical.suites.hocabench.presentation.tables.oddness import CUTS, VARIANTS
from veridical.suites.hocabench.taxonomy import LAYERS

TITLE = "Does it notice the impossible?"
GENERATOR = "generator"
_LINE = (
    "A violating clip shows something impossible. Its plausible control has the same pixels up to that event; in an "
    "explained control the odd event has a cause that can be seen. A model that knows what is impossible calls only "
    "the violating clip implausible; one that looks for anything odd calls the explained control implausible, too. "
    "What is impossible may be a thing itself (ontological) or what happens between things (causal). Intervals are "
    "95 %. Our own clips are drawn or rendered; the published benchmark has only realistic generated videos."
)
_RELEASE_LINE = (
    "Released clips are annotated videos from a copy on disk. The real clips beside them are not their pairs: they "
    "differ in more than the event, so 'implausible' may have other reasons."
)
_RATES = {
    "Violating": "impossible clips that it calls implausible",
    "Plausible": "their controls that it calls implausible",
    "Explained": "odd with a visible cause, called implausible",
    "Ont. − caus.": "right descriptions, ontological − causal",
}
_TASKS = {
    "domain": "Picks the right domain for {}",
    "description": "Picks the right description of {}",
    "explanation": "Gets {} of the marks for explanations",
}


def opening(results: Sequence[Result]) -> Opening | None:
    """A finding for each model, the one that tells violating from plausible clips best first; nothing without any."""
    if not results:
        return None
    sources = levels_in(results, "taken_from")
    lines = (*([_LINE] if GENERATOR in sources else []), *([_RELEASE_LINE] if sources - {GENERATOR} else []))
    ordered = best_first(results, "balanced accuracy", {})
    return Opening(TITLE, lines, rates=_RATES, findings=tuple(map(_finding, ordered)))


def _finding(result: Result) -> Finding:
    concluded = verdict(result.evidence)
    evidence = tuple(_evidence(result))
    return finding(
        result,
        concluded,
        basis=_basis(result.outcomes),
        rates=_rates(result),
        chart=chart_over(
            "Called implausible, by the cut of the clip",
            ("before", "whole"),
            {
                variant: [find(result, "implausible until", {"variant": variant, "until": until}) for until in CUTS]
                for variant in VARIANTS
            },
        ),
        reasons=[Reasons(about="All tasks", verdict=concluded.name, tone=concluded.tone, evidence=evidence)],
    )


def _rates(result: Result) -> Iterator[tuple[Estimate | None, str]]:
    clips = stimuli_by_variant(result.outcomes)
    for variant in VARIANTS:
        yield find(result, "says implausible", {"variant": variant}), f"{clips.get(variant, 0):,} clips"
    yield find(result, "layer gap", {"task": "description"}), f"{clips.get('violating', 0):,} clips"


def _basis(outcomes: pl.DataFrame) -> str:
    clips, units = outcomes.select(pl.col("stimulus", "unit").n_unique()).row(0)
    kinds = outcomes["sub_type"].drop_nulls().n_unique()
    return f"{clips:,} clips of {units:,} units, {kinds:,} sub-types of anomalies"


def _evidence(result: Result) -> Iterator[str]:
    """The tasks by layer beside chance, the H-Index, and what was found in time, in words."""
    judge = judges(result)[0]
    for task, words in _TASKS.items():
        by_layer = {
            layer: score(result, judge, layer=layer) if task == "explanation" else accuracy(result, task, layer=layer)
            for layer in LAYERS
        }
        shown = [f"{percent_of(each)} ({layer})" for layer, each in by_layer.items() if each and each.value is not None]
        if shown:
            beside = _beside("chance", valued_estimate(result, "chance", {"task": task}))
            by = f", as marked by {judge_name(result, judge)}" if task == "explanation" else ""
            yield f"{words.format(' and '.join(shown))}{beside}{by}."
    if whole := valued_estimate(result, "h_index", {"weighting": "paper", **judge}):
        yield f"H-Index: {percent_of(whole).replace(' %', '')}."
    if found := valued_estimate(result, "mean iou", {}):
        beside = _beside("by always naming one interval at best", valued_estimate(result, "mean iou chance", {}))
        yield f"Its seconds overlap with the true ones by {percent_of(found)} on average{beside}."
    if exact := valued_estimate(result, "exact match", {"over": "sub-types"}):
        yield f"Where several things are wrong at once, it names exactly these in {percent_of(exact)}."


def _beside(words: str, chance: Estimate | None) -> str:
    return "" if chance is None else f", {words} {percent(chance.value or 0.0)}"
