"""VI-Probe's tables of what not every run holds: directions, hints, inducers alone, instructions, comparisons.

That of what hints and instructions change is as in the paper's Tables 3 and 9 to 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from veridical.records import Counts, Estimate, Json
from veridical.suite.findings import best_first
from veridical.suite.results import Cell, Result, Table, find, slice_values
from veridical.suite.tables import TRIALS, Column, TableSpec, Where, cells_of, drop_keys, p_of, table
from veridical.suites.viprobe.analysis.pairs import ASIDE, PARTS, TYPES
from veridical.suites.viprobe.analysis.priors import STATED
from veridical.suites.viprobe.analysis.replies import CONTEXTS
from veridical.suites.viprobe.presentation.terms import CONTEXT_NAMES

_SIDES: dict[str, Column] = {
    "P congruent": ("PFA", {"variant": "P", "congruent": True}),
    "P opposing": ("PFA", {"variant": "P", "congruent": False}),
    "PC congruent": ("PFA", {"variant": "PC", "congruent": True}),
    "PC opposing": ("PFA", {"variant": "PC", "congruent": False}),
    "Original, clutter": ("PFA", {"variant": "OS"}),
    "Perturbed, clutter": ("PFA", {"variant": "PS"}),
    "Original, hint": ("PFA", {"variant": "OH"}),
    "Perturbed, hint": ("PFA", {"variant": "PH"}),
    "Template rate": "template_rate",
}


def more_tables(results: Sequence[Result]) -> list[Table]:
    """The tables, without rows where no run has anything for them."""
    return [_sides(results), _textbook(results), _instructions(results), _choices(results)]


_sides = TableSpec(
    name="directions",
    title="Direction of the change, clutter, hints, inducers alone",
    note="PFA pooled over pictures. A congruent change goes the way of the illusory impression, an opposing one "
    "against it. Amid clutter stand the same targets and elements, strewn. A hint is a ruler of the unchanged figure. "
    "The template rate is on pictures of inducers alone: the share of answers that are right of the unchanged figure, "
    "though no target is there to see; it is no accuracy.",
    columns={
        **_SIDES,
        "Template rate of answered": "template_rate_of_answered",
        "Trials": lambda result, where: total(cells_of(result, where, _SIDES.values())),
    },
)


_textbook = TableSpec(
    name="textbook",
    title="Is the textbook known?",
    note="Knows: without a picture, the answer that textbooks give of the figure that is named. What is not known "
    "cannot be recalled: so how often a changed picture gets the answer of an unchanged one, and the response (changed "
    "− original), are also given over base items of which the model states it (if stated).",
    about=("Case",),
    rows=lambda result: (
        row
        for row in ((("all",), {}), *(((str(case),), {"case": case}) for case in slice_values(result, "case")))
        if find(result, "knows_textbook", row[1])
    ),
    columns={
        "Knows": "knows_textbook",
        "Textbook rate": ("textbook_rate", {"context": "figure"}),
        "If stated": ("textbook_rate", {"context": "figure", **STATED}),
        "Controls, if stated": ("textbook_rate", {"context": "control", **STATED}),
        "Response": ("response", {"context": "figure"}),
        "Response, if stated": ("response", {"context": "figure", **STATED}),
        "Trials": TRIALS,
    },
)


@table(
    "instructions",
    "With and without an instruction",
    ("Instruction", *PARTS, *TYPES, *ASIDE, "Trials"),
    "PFA, CbW, TFI and no pair are plain means over O, P, OC, PC; PFA of a picture type is pooled over pictures. "
    "The tables above are over the questions without an instruction, or the first one given if all had one.",
)
def _instructions(result: Result) -> Iterator[tuple[Cell, ...]]:
    for where in _slices(result, "PFA", "instruction", ()):
        mean = (find(result, metric, where) for metric in PARTS)
        types = (find(result, "PFA", {**where, "variant": variant}) for variant in (*TYPES, *ASIDE))
        yield _slice_text(where), *mean, *types, counts_of(result, where)


_DIFFERING, _EQUAL = ("P", "PC", "PS", "PH"), ("O", "OC", "OS", "OH")


@table(
    "choices",
    "Which target has more",
    ("Instruction", *_DIFFERING, *(f"First option, {name}" for name in _EQUAL), "Trials"),
    "Which target has more; “the same” is not offered. P, PC, PS, PH: the share of right answers of all that were "
    "asked, where the targets differ. First option: where they are equal and no answer is right, the share of the "
    "option that would be right of a positive difference, of those answered; half, if nothing pulls.",
)
def _choices(result: Result) -> Iterator[tuple[Cell, ...]]:
    metrics = ("choice_accuracy", "first_choice")
    slices = [where for each in metrics for where in _slices(result, each, "variant", ("instruction", "placement"))]
    ways = [drop_keys(where, "variant") for where in slices]
    for way in [way for k, way in enumerate(ways) if way not in ways[:k]]:
        right = [find(result, "choice_accuracy", {**way, "variant": variant}) for variant in _DIFFERING]
        first = [find(result, "first_choice", {**way, "variant": variant}) for variant in _EQUAL]
        yield _slice_text(way) if way else "", *right, *first, total([*right, *first])


def _slices(result: Result, metric: str, key: str, others: tuple[str, ...]) -> list[dict[str, Json]]:
    """The slices of a metric that have the key, and besides it only the others or a placement."""
    allowed = {key, "placement", *others}
    return [dict(e.slice) for e in result.estimates if e.metric == metric and key in e.slice and {*e.slice} <= allowed]


def total(estimates: Sequence[Cell]) -> Counts | None:
    """The counts of several estimates over different trials, added up; `None` without an estimate."""
    counts = [asdict(estimate.counts) for estimate in estimates if isinstance(estimate, Estimate)]
    return Counts(**{name: sum(each[name] for each in counts) for name in counts[0]}) if counts else None


def _slice_text(where: Mapping[str, Json]) -> str:
    place = f", {where['placement']} turn" if "placement" in where else ""
    return f"{where['instruction']}{place}"


@table(
    "interventions",
    "What hints and instructions change",
    (
        *("With", "Pictures", "Category", "Original", "p, original", "Perturbed", "p, perturbed"),
        *("d' change", "p, d'", "Criterion change", "p, criterion", "Reading", "Trials"),
    ),
    "PFA with the hint or instruction − PFA without, on the same base items, pooled over pictures, in points; p of "
    "the sign-flip test by unit, not corrected. Changes of d' and of the criterion are over all cases. Bias shift: the "
    "interval of the criterion's change leaves out 0 and that of d' holds it; sensitivity: the reverse.",
)
def interventions(result: Result) -> Iterator[tuple[Cell, ...]]:
    """The effects on originals and on perturbed pictures, overall and by category; no rows where there are none."""
    yield from _hints(result)
    yield from _instruction_effects(result)


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
    for category in (None, *slice_values(result, "category")):
        effects = [find(result, metric, _in(category)) for metric in metrics]
        valued = [effect for effect in effects if effect and effect.value is not None]
        if valued:
            # Both effects are over one set of trials.
            yield _effect_row(result, "hint", "figure", category, effects, {"context": "hint"}, valued[0].counts)


def _instruction_effects(result: Result) -> Iterator[tuple[Cell, ...]]:
    effects = [e for e in result.estimates if e.metric == "instruction_effect"]
    ways: list[dict[str, Json]] = []
    for effect in effects:
        way = drop_keys(effect.slice, "variant", "category")
        if way not in ways:
            ways.append(way)
    for way in ways:
        label = _slice_text(way)
        for context, types in CONTEXTS.items():
            for category in (None, *slice_values(result, "category")):
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
    counts: Counts | None,
) -> tuple[Cell, ...]:
    metrics = ("d_prime_change", "criterion_change") if category is None else ()
    d_prime, criterion = [find(result, metric, where) for metric in metrics] or (None, None)
    cells = [cell for e in (*effects, d_prime, criterion) for cell in (e, p_of(e))]
    shift = reading(d_prime, criterion) if category is None else None
    return (label, CONTEXT_NAMES[context], category or "all", *cells, shift, counts)


def _in(category: str | None) -> dict[str, Json]:
    return {} if category is None else {"category": category}


def sort_by_pfc(results: Sequence[Result]) -> list[Result]:
    """Results ordered by overall PFC, highest first; those without one come last."""
    return best_first(results, "PFC", {})


def counts_of(result: Result, where: Where) -> Counts | None:
    """The counts behind a slice's PFA, or `None`."""
    estimate = find(result, "PFA", where)
    return estimate.counts if estimate else None
