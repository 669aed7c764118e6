"""What a report of HOCA-Bench says first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.records import Counts, Estimate, Json
from veridical.suite.opening import Chart, Curve, Finding, Opening, Reasons
from veridical.suite.results import Result, find
from veridical.suites.hocabench.analysis.verdict import verdict
from veridical.suites.hocabench.presentation.tables.main import accuracy, index, judge_name, judges, score
from veridical.suites.hocabench.presentation.tables.oddness import CUTS, VARIANTS
from veridical.suites.hocabench.taxonomy import LAYERS

TITLE = "Does it know what cannot be?"
GENERATOR = "generator"
_LINE = (
    "A violating clip and its plausible control come from one simulation and have the same pixels up to the event; in "
    "an explained control the odd event has a cause that is seen. A model that knows what cannot be calls only the "
    "violating clip implausible; one that looks for oddness calls the explained control implausible, too. All with "
    "95 % intervals. Our own clips are drawings; the published benchmark has realistic generated videos only."
)
_RELEASE_LINE = (
    "Released clips are annotated videos from a copy on disk. Real clips beside them are no pairs: they "
    "differ in more than the event, so that a lean towards 'implausible' may have other grounds."
)
_RATES = {
    "Violating": "impossible clips, called implausible",
    "Plausible": "their controls, called so",
    "Explained": "odd, but with a cause, called so",
    "Ont. − caus.": "right descriptions of existence − of mechanism",
}
_TASKS = {"domain": "domain", "description": "description", "explanation": "marks for explanations"}


def opening(results: Sequence[Result]) -> Opening | None:
    """A finding for each model, the one that tells violating from plausible clips best first; nothing without any."""
    if not results:
        return None
    ordered = sorted(results, key=_told_apart, reverse=True)
    sources = {source for result in results for source in result.outcomes["taken_from"].unique()}
    lines = (*([_LINE] if GENERATOR in sources else []), *([_RELEASE_LINE] if sources - {GENERATOR} else []))
    return Opening(TITLE, lines, rates=_RATES, findings=tuple(map(_finding, ordered)))


def _told_apart(result: Result) -> float:
    estimate = find(result, "balanced accuracy", {})
    return estimate.value if estimate and estimate.value is not None else -1.0


def _finding(result: Result) -> Finding:
    concluded = verdict(result.evidence)
    return Finding(
        model=result.model,
        verdict=concluded.name,
        sentence=concluded.sentence,
        sure=concluded.sure,
        tone=concluded.tone,
        needs=concluded.needs,
        basis=_basis(result.outcomes),
        counts=Counts.of(result.outcomes),
        rates=tuple(_rates(result)),
        chart=_chart(result),
        reasons=(
            Reasons(about="All tasks", verdict=concluded.name, tone=concluded.tone, evidence=tuple(_evidence(result))),
        ),
    )


def _rates(result: Result) -> Iterator[tuple[Estimate | None, str]]:
    clips = dict(result.outcomes.group_by("variant").agg(pl.col("stimulus").n_unique()).iter_rows())
    for variant in VARIANTS:
        yield find(result, "says implausible", {"variant": variant}), f"{clips.get(variant, 0):,} clips"
    yield find(result, "layer gap", {"task": "description"}), f"{clips.get('violating', 0):,} clips"


def _basis(outcomes: pl.DataFrame) -> str:
    clips, units = outcomes.select(pl.col("stimulus", "unit").n_unique()).row(0)
    kinds = outcomes["sub_type"].drop_nulls().n_unique()
    return f"{clips:,} clips of {units:,} units, {kinds:,} sub-types of anomalies"


def _chart(result: Result) -> Chart | None:
    """The share called implausible, over cuts of the same clips, where several were asked about."""
    curves = []
    for variant in VARIANTS:
        places = [
            (place, find(result, "implausible until", {"variant": variant, "until": until}))
            for place, until in enumerate(CUTS)
        ]
        piece = tuple((float(place), each) for place, each in places if each is not None and each.value is not None)
        if len(piece) > 1:
            curves.append(Curve(variant, (piece,)))
    if not curves:
        return None
    return Chart(title="Called implausible, by the cut of the clip", curves=tuple(curves), ends=("before", "whole"))


def _evidence(result: Result) -> Iterator[str]:
    """The tasks by layer beside chance, the H-Index, and what was found in time, in words."""
    judge = judges(result)[0]
    for task, words in _TASKS.items():
        by_layer = {
            layer: score(result, judge, layer=layer) if task == "explanation" else accuracy(result, task, layer=layer)
            for layer in LAYERS
        }
        shown = [f"{_percent(each)} {layer}" for layer, each in by_layer.items() if each and each.value is not None]
        if shown:
            chance = find(result, "chance", {"task": task})
            beside = f", chance {chance.value:.0%}" if chance and chance.value is not None else ""
            by = f", judged by {judge_name(result, judge)}" if task == "explanation" else ""
            yield f"{words.capitalize()}: {' and '.join(shown)}{beside}{by}."
    whole = index(result, judge, "paper")
    if whole and whole.value is not None:
        yield f"H-Index: {_percent(whole).replace('%', '')}.".replace(" .", ".")
    places: tuple[tuple[str, str, dict[str, Json], str, dict[str, Json]], ...] = (
        ("Seconds of anomalies: mean overlap", "mean iou", {}, "mean iou chance", {}),
        ("Several at a time: whole set right", "exact match", {"over": "sub-types"}, "", {}),
    )
    for words, metric, where, fixed, at in places:
        each, chance = find(result, metric, where), find(result, fixed, at)
        if each and each.value is not None:
            beside = f", best fixed interval {chance.value:.0%}" if chance and chance.value is not None else ""
            yield f"{words} {_percent(each)}{beside}."


def _percent(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.0%}"
    return f"{estimate.value:.0%} [{estimate.low:.0%}, {estimate.high:.0%}]"
