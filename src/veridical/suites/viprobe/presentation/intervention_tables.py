"""VI-Probe's table of what hints and instructions change (paper, Tables 3 and 9 to 11): accuracy, sensitivity, bias."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veridical.records import Counts, Estimate, Json
from veridical.suite.results import Cell, Result, Table, find, named
from veridical.suites.viprobe.analysis.replies import CONTEXTS
from veridical.suites.viprobe.presentation.analysis_tables import CONTEXT_NAMES
from veridical.suites.viprobe.presentation.more_tables import total

_NOTE = (
    "PFA with the hint or instruction − PFA without, on the same base items, pooled over pictures, in points; p of "
    "the sign-flip test by unit, not corrected. Changes of d' and of the criterion are over all cases. Bias shift: the "
    "interval of the criterion's change leaves out 0 and that of d' holds it; sensitivity: the reverse."
)
_COLUMNS = (
    "Model",
    "With",
    "Pictures",
    "Category",
    "Original",
    "p, original",
    "Perturbed",
    "p, perturbed",
    "d' change",
    "p, d'",
    "Criterion change",
    "p, criterion",
    "Reading",
    "Trials",
)

Where = dict[str, Json]


def interventions(results: Sequence[Result]) -> Table:
    """The effects on originals and on perturbed pictures, overall and by category; no rows where there are none."""
    rows = [row for result in results for row in (*_hints(result), *_instructions(result))]
    return Table("interventions", "What hints and instructions change", _NOTE, _COLUMNS, tuple(rows))


def reading(d_prime: Estimate | None, criterion: Estimate | None) -> str:
    """What a change of accuracy is, by which of the two intervals leave out 0."""
    if d_prime is None or d_prime.value is None or criterion is None or criterion.value is None:
        return "not estimated"
    sensitivity, bias = (_leaves_out_zero(change) for change in (d_prime, criterion))
    if sensitivity and bias:
        return "sensitivity and bias"
    if bias:
        return "bias shift"
    return "sensitivity" if sensitivity else "no change shown"


def _leaves_out_zero(change: Estimate) -> bool:
    return (change.low is not None and change.low > 0) or (change.high is not None and change.high < 0)


def _hints(result: Result) -> Iterator[tuple[Cell, ...]]:
    metrics = ("hint_effect_original", "hint_effect_perturbed")
    for category in (None, *named(result, "category")):
        effects = [find(result, metric, _in(category)) for metric in metrics]
        valued = [effect for effect in effects if effect and effect.value is not None]
        if valued:
            # Both effects are over one set of trials.
            yield _row(result, "hint", "figure", category, effects, {"context": "hint"}, valued[0].counts)


def _instructions(result: Result) -> Iterator[tuple[Cell, ...]]:
    effects = [e for e in result.estimates if e.metric == "instruction_effect"]
    ways: list[Where] = []
    for effect in effects:
        way = {key: value for key, value in effect.slice.items() if key in ("instruction", "placement")}
        if way not in ways:
            ways.append(way)
    for way in ways:
        label = ", ".join((str(way["instruction"]), *(f"{way[key]} turn" for key in ("placement",) if key in way)))
        for context, types in CONTEXTS.items():
            for category in (None, *named(result, "category")):
                changes = [
                    find(result, "instruction_effect", {**way, **_in(category), "variant": variant})
                    for variant in types
                ]
                if any(changes):
                    where = {**way, "context": context}
                    yield _row(result, label, context, category, changes, where, total(changes))


def _row(
    result: Result,
    label: str,
    context: str,
    category: str | None,
    effects: Sequence[Estimate | None],
    where: Mapping[str, Json],
    counts: Counts,
) -> tuple[Cell, ...]:
    metrics = ("d_prime_change", "criterion_change") if category is None else ()
    d_prime, criterion = [find(result, metric, where) for metric in metrics] or (None, None)
    cells = [cell for e in (*effects, d_prime, criterion) for cell in (e, e.p if e else None)]
    shift = reading(d_prime, criterion) if category is None else None
    return (result.model, label, CONTEXT_NAMES[context], category or "all", *cells, shift, counts)


def _in(category: str | None) -> Where:
    return {} if category is None else {"category": category}
