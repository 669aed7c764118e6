"""VI-Probe's tables of what not every run holds: directions, hints, inducers alone, instructions, comparisons.

That of what hints and instructions change is as in the paper's Tables 3 and 9 to 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, fields

from veridical.records import Counts, Estimate, Json
from veridical.suite.results import Cell, Result, Table, find, named
from veridical.suites.viprobe.analysis.pairs import ASIDE, PARTS, TYPES
from veridical.suites.viprobe.analysis.replies import CONTEXTS
from veridical.suites.viprobe.presentation.analysis_tables import CONTEXT_NAMES

_SIDES: Mapping[str, tuple[str, Mapping[str, Json]]] = {
    "P congruent": ("PFA", {"variant": "P", "congruent": True}),
    "P opposing": ("PFA", {"variant": "P", "congruent": False}),
    "PC congruent": ("PFA", {"variant": "PC", "congruent": True}),
    "PC opposing": ("PFA", {"variant": "PC", "congruent": False}),
    "Original, clutter": ("PFA", {"variant": "OS"}),
    "Perturbed, clutter": ("PFA", {"variant": "PS"}),
    "Original, hint": ("PFA", {"variant": "OH"}),
    "Perturbed, hint": ("PFA", {"variant": "PH"}),
    "Template rate": ("template_rate", {}),
    "Template rate of answered": ("template_rate_of_answered", {}),
}


def more_tables(results: Sequence[Result]) -> list[Table]:
    """The tables, without rows where no run has anything for them."""
    return [_sides(results), _instructions(results), _choices(results)]


def _sides(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        estimates = [find(result, metric, where) for metric, where in _SIDES.values()]
        if any(estimates):
            rows.append((result.model, *estimates, total(estimates[:-1])))
    note = (
        "PFA pooled over pictures. A congruent change goes the way of the illusory impression, an opposing one against "
        "it. Amid clutter stand the same targets and elements, strewn. A hint is a ruler of the unchanged figure. The "
        "template rate is on pictures of inducers alone: the share of answers that are right of the unchanged figure, "
        "though no target is there to see; it is no accuracy."
    )
    columns = ("Model", *_SIDES, "Trials")
    return Table("directions", "Direction of the change, clutter, hints, inducers alone", note, columns, tuple(rows))


def _instructions(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for where in _slices(result, "PFA", "instruction", ()):
            mean = (find(result, metric, where) for metric in PARTS)
            types = (find(result, "PFA", {**where, "variant": variant}) for variant in (*TYPES, *ASIDE))
            rows.append((result.model, _slice_text(where), *mean, *types, counts_of(result, where)))
    note = (
        "PFA, CbW, TFI and no pair are plain means over O, P, OC, PC; PFA of a picture type is pooled over pictures. "
        "The tables above are over the questions without an instruction, or the first one given if all had one."
    )
    columns = ("Model", "Instruction", *PARTS, *TYPES, *ASIDE, "Trials")
    return Table("instructions", "With and without an instruction", note, columns, tuple(rows))


def _choices(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    differing, equal = ("P", "PC", "PS", "PH"), ("O", "OC", "OS", "OH")
    for result in results:
        of_all = _slices(result, "choice_accuracy", "variant", ("instruction", "placement"))
        of_equal = _slices(result, "first_choice", "variant", ("instruction", "placement"))
        ways = [{key: value for key, value in where.items() if key != "variant"} for where in of_all + of_equal]
        for way in [way for k, way in enumerate(ways) if way not in ways[:k]]:
            right = [find(result, "choice_accuracy", {**way, "variant": variant}) for variant in differing]
            first = [find(result, "first_choice", {**way, "variant": variant}) for variant in equal]
            rows.append((result.model, _slice_text(way) if way else "", *right, *first, total([*right, *first])))
    note = (
        "Which target has more; “the same” is not offered. P, PC, PS, PH: the share of right answers of all that were "
        "asked, where the targets differ. First option: where they are equal and no answer is right, the share of the "
        "option that would be right of a positive difference, of those answered; half, if nothing pulls."
    )
    columns = ("Model", "Instruction", *differing, *(f"First option, {name}" for name in equal), "Trials")
    return Table("choices", "Which target has more", note, columns, tuple(rows))


def _slices(result: Result, metric: str, key: str, others: tuple[str, ...]) -> list[dict[str, Json]]:
    """The slices of a metric that have the key, and besides it only the others or a placement."""
    allowed = {key, "placement", *others}
    return [dict(e.slice) for e in result.estimates if e.metric == metric and key in e.slice and {*e.slice} <= allowed]


def total(estimates: Sequence[Estimate | None]) -> Counts:
    """The counts of several estimates over different trials, added up."""
    counts = [astuple(estimate.counts) for estimate in estimates if estimate]
    return Counts(
        **dict(zip((field.name for field in fields(Counts)), map(sum, zip(*counts, strict=True)), strict=True))
    )


def _slice_text(where: Mapping[str, Json]) -> str:
    place = f", {where['placement']} turn" if "placement" in where else ""
    return f"{where['instruction']}{place}"


_EFFECTS_NOTE = (
    "PFA with the hint or instruction − PFA without, on the same base items, pooled over pictures, in points; p of "
    "the sign-flip test by unit, not corrected. Changes of d' and of the criterion are over all cases. Bias shift: the "
    "interval of the criterion's change leaves out 0 and that of d' holds it; sensitivity: the reverse."
)
_EFFECT_COLUMNS = (
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
    rows = [row for result in results for row in (*_hints(result), *_instruction_effects(result))]
    return Table("interventions", "What hints and instructions change", _EFFECTS_NOTE, _EFFECT_COLUMNS, tuple(rows))


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
            yield _effect_row(result, "hint", "figure", category, effects, {"context": "hint"}, valued[0].counts)


def _instruction_effects(result: Result) -> Iterator[tuple[Cell, ...]]:
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
                    yield _effect_row(result, label, context, category, changes, where, total(changes))


def _effect_row(
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


def by_pfc(results: Sequence[Result]) -> list[Result]:
    """Results ordered by overall PFC, highest first; those without one come last."""

    def pfc(result: Result) -> float:
        estimate = find(result, "PFC", {})
        return estimate.value if estimate and estimate.value is not None else -1.0

    return sorted(results, key=pfc, reverse=True)


def counts_of(result: Result, where: Mapping[str, Json]) -> Counts | None:
    """The counts behind a slice's PFA, or `None`."""
    estimate = find(result, "PFA", where)
    return estimate.counts if estimate else None
