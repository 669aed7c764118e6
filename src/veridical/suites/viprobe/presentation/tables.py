"""VI-Probe's tables: isolation, consistency, strengths; gaps, sensitivity, psychometric functions, sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veridical.records import Counts, Estimate, Json
from veridical.suite.results import Cell, Result, Table, are_people, find, slice_values
from veridical.suite.tables import Column, TableSpec, Where, table
from veridical.suites.viprobe.analysis.filled_ranges import FilledRange, filled_ranges
from veridical.suites.viprobe.analysis.missing_answers import withhold
from veridical.suites.viprobe.analysis.pairs import TYPES, pooled_estimates
from veridical.suites.viprobe.analysis.ranks import ranks
from veridical.suites.viprobe.analysis.replies import CONTEXTS
from veridical.suites.viprobe.presentation.dose_figures import strengths
from veridical.suites.viprobe.presentation.more_tables import counts_of, interventions, more_tables, sort_by_pfc
from veridical.suites.viprobe.presentation.speech import calibration_table, graded_table
from veridical.suites.viprobe.presentation.terms import CONTEXT_NAMES
from veridical.suites.viprobe.presentation.verdict_exhibits import mechanisms

_MEAN = (
    "Mean of types: the plain mean over O, P, OC, PC (P and PC pooled over strengths). Pooled over pictures: every "
    "picture counts once, so that P and PC, of which there is one for each strength, outweigh O and OC."
)
_ISOLATION: Mapping[str, tuple[str, Mapping[str, Json]]] = {
    "PFC": ("PFC", {}),
    "Original": ("PFA", {"variant": "O"}),
    "Perturbed": ("PFA", {"variant": "P"}),
    "Average": ("illusion_average", {}),
    "Control original": ("PFA", {"variant": "OC"}),
    "Control perturbed": ("PFA", {"variant": "PC"}),
    "Control average": ("control_average", {}),
    "Δ original": ("delta_original", {}),
    "Δ perturbed": ("delta_perturbed", {}),
    "Δ average": ("delta_average", {}),
    "I": ("I", {}),
    "R": ("R", {}),
    "P congruent": ("PFA", {"variant": "P", "congruent": True}),
    "P opposing": ("PFA", {"variant": "P", "congruent": False}),
}
_PARTS = {
    "PFC": "PFC",
    "PFA": "PFA",
    "CbW": "CbW",
    "TFI": "TFI",
    "No pair": "no_pair",
    "PFA of answered": "PFA_of_answered",
}


def tables(results: Sequence[Result]) -> list[Table]:
    """Isolation, consistency, mechanisms, cases, accuracy per strength, ranks, finer analyses, ways of asking.

    Where rows are models they are ordered by PFC; a table that no run has anything for is left out.
    """
    ordered = sort_by_pfc(results)
    every = [_isolation(ordered), _consistency(ordered), *mechanisms(ordered), _filled(ordered), _by_case(ordered)]
    every += [_dose(ordered), _strengths(ordered), *ranks(ordered), *analysis_tables(ordered)]
    every += [*more_tables(ordered), interventions(ordered)]
    return [table for table in every if any(isinstance(cell, Estimate | Counts) for row in table.rows for cell in row)]


_isolation = TableSpec(
    name="isolation",
    title="Isolating the illusion with matched controls",
    note="Accuracy is PFA: both polarities right. O, P, OC, PC are pooled over pictures; PFC is the plain mean over "
    "the four. Δ original = O − OC, Δ perturbed = P − PC, Δ average = control average − illusion average. "
    "R = |O − P| / (|OC − PC| + 0.001) in percent, undefined where the controls do not move; "
    "I = (O − P) − (OC − PC) is always defined. A blind observer, and one that is fooled as people are (congruent "
    "changes seen, opposing ones missed), can have R near 1 and I near 0: read them beside P in both directions.",
    columns={**_ISOLATION, "Trials": counts_of},
)


@table(
    "consistency",
    "Consistency over question polarity",
    ("Pictures", *_PARTS, "Trials"),
    f"PFA + CbW + TFI + no pair = 1 over all pairs of which a half was asked; counts are of trials. {_MEAN}",
)
def _consistency(result: Result) -> Iterator[tuple[Cell, ...]]:
    if not find(result, "PFA", {}):
        return
    alike = {e.metric: e for e in withhold(pooled_estimates(result.outcomes), result.outcomes)}
    parts = {"mean of types": [find(result, metric, {}) for metric in _PARTS.values()]}
    parts["pooled over pictures"] = [alike[metric] for metric in _PARTS.values()]
    parts |= {name: [find(result, metric, {"variant": name}) for metric in _PARTS.values()] for name in TYPES}
    for label, estimates in parts.items():
        if first := estimates[0]:
            yield label, *estimates, first.counts


def _filled(results: Sequence[Result]) -> Table:
    heads = {"Δ original": "delta_original", "Δ perturbed": "delta_perturbed", "Δ average": "delta_average"}
    heads |= {"Gap": "gap", "I": "I", "R": "R"}
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        if ranges := filled_ranges(result.outcomes):
            own = ((ranges.get(name), find(result, name, {})) for name in heads.values())
            cells = (None if each is None else _range(each, estimate) for each, estimate in own)
            rows.append((result.model, *cells, counts_of(result, {})))
    note = (
        "In brackets: the lowest and highest value that each figure could have if the missing answers had been given, "
        "each of them right or wrong. In points, over all trials; R is a ratio."
    )
    return Table(
        "missing", "What missing answers could have made of differences", note, ("Model", *heads, "Trials"), tuple(rows)
    )


def _range(figure: FilledRange, estimate: Estimate | None) -> str:
    """A figure with what it could have been; without its value where too many answers are missing to state one."""
    bounds = f"[{figure.least:.1f}, {figure.most:.1f}]".replace("inf", "∞")
    stated = estimate is None or estimate.value is not None
    return (f"{figure.value:.1f} {bounds}" if stated else bounds).replace("-", "−")


_by_case = TableSpec(
    name="cases",
    title="Case by case",
    note="PFA of each picture type pooled over pictures; the mean is the plain one over the four types. P congruent "
    "and P opposing: the change goes the way of the impression or against it; none, if the impression has no "
    "direction.",
    about=("Case",),
    rows=lambda result: (((name,), {"case": name}) for name in slice_values(result, "case")),
    columns={
        **{variant: ("PFA", {"variant": variant}) for variant in TYPES},
        "Mean PFA": "PFA",
        "I": "I",
        "R": "R",
        "P congruent": ("PFA", {"variant": "P", "congruent": True}),
        "P opposing": ("PFA", {"variant": "P", "congruent": False}),
        "Trials": counts_of,
    },
)


def _by_strength(levels: Sequence[float]) -> dict[str, Column]:
    columns: dict[str, Column] = {_signed(alpha): ("PFA", {"alpha": alpha}) for alpha in levels}
    return {**columns, "Trials": counts_of}


def _signed(alpha: float) -> str:
    return f"{alpha:+g}".replace("-", "−")


def _dose(results: Sequence[Result]) -> Table:
    return TableSpec(
        name="dose",
        title="Accuracy at each strength, all cases",
        note="PFA over the pictures of all cases. Positive: the way of the illusory impression; negative: against it.",
        about=("Pictures",),
        rows=lambda _: (((variant,), {"variant": variant}) for variant in ("P", "PC")),
        columns=_by_strength(strengths(results)),
    )(results)


def _strengths(results: Sequence[Result]) -> Table:
    return TableSpec(
        name="strengths",
        title="Accuracy at each strength, case by case",
        note="PFA over pictures. A positive strength goes the way of the illusory impression, a negative one opposes "
        "it.",
        about=("Case", "Pictures"),
        rows=lambda result: (
            ((name, variant), {"case": name, "variant": variant})
            for name in slice_values(result, "case")
            for variant in ("P", "PC")
        ),
        columns=_by_strength(sorted({a for r in results for a in slice_values(r, "alpha") if a})),
    )(results)


_FIT = {"PSE": "PSE", "JND": "JND", "Criterion": "same_criterion", "Lapse": "lapse"}


def analysis_tables(results: Sequence[Result]) -> list[Table]:
    """The tables, without rows where no run has anything for them."""
    graded = [graded_table(results), calibration_table(results)]
    return [_gaps(results), _sensitivity(results), *graded, _psychometric(results), _sizes(results)]


@table(
    "gaps",
    "Gap between controls and figures",
    ("Slice", "Name", "Gap PC − P", "p", "Correction", "PC − PS", "PS − P", "Trials"),
    "PFA of perturbed pictures, controls − figures, pooled over pictures, in points: above 0 the "
    "figures are harder. p is of the sign-flip test by unit, corrected over the categories and over the cases of "
    "a model as the table says. Of the cases that have pictures amid clutter, the same elements strewn about the "
    "same targets: PC − PS is what clutter of any kind does, PS − P what only the classic figure does.",
)
def _gaps(result: Result) -> Iterator[tuple[Cell, ...]]:
    for key in (None, "category", "case"):
        slices: list[Where] = [{}] if key is None else [{key: value} for value in slice_values(result, key)]
        present = [(where, gap) for where in slices if (gap := find(result, "gap", where))]
        family = "–" if key is None else f"Holm over {len(present)}"
        for where, gap in present:
            parts = [find(result, metric, where) for metric in ("clutter_gap", "figure_gap")]
            name = next(iter(where.values()), None) or "all"
            yield key or "all", name, gap, gap.p, family, *parts, gap.counts


@table(
    "sensitivity",
    "Sensitivity and bias apart",
    ("Pictures", "|α|", "d'", "Criterion", "Yes bias", "Trials"),
    "Telling perturbed pictures of a strength from the unperturbed: a hit says changed of P (PC, PS, PH), a false "
    "alarm of O (OC, OS, OH); both polarities, of those answered. A criterion above 0 leans to “unchanged”. Yes "
    "bias is P(yes | forward) + P(yes | reversed) − 1: above 0 the answer is yes whatever is asked.",
)
def _sensitivity(result: Result) -> Iterator[tuple[Cell, ...]]:
    if bias := find(result, "yes_bias", {}):
        yield "all", "all", None, None, bias, bias.counts
    for context in CONTEXTS:
        for magnitude in (None, *sorted(slice_values(result, "magnitude"))):
            where = {"context": context} | ({} if magnitude is None else {"magnitude": magnitude})
            estimates = [find(result, metric, where) for metric in ("d_prime", "criterion", "yes_bias")]
            if first := estimates[0]:
                strength = "all" if magnitude is None else f"{magnitude:g}"
                yield CONTEXT_NAMES[context], strength, *estimates, first.counts


@table(
    "psychometric",
    "Psychometric functions of same and different",
    ("Case", "Pictures", *_FIT, "Not identified", "Trials"),
    "Fits to replies “same” over signed α; PSE, JND and criterion in units of α, the lapse a share of replies. "
    "A PSE below 0 lies where the change opposes the impression: such a change looks like none. All: cases whose "
    "impression has a direction, pooled. What the replies leave open is not identified, and the reason is given; "
    "a bound without a value still holds.",
)
def _psychometric(result: Result) -> Iterator[tuple[Cell, ...]]:
    for case, where in _cases(result):
        for context in CONTEXTS:
            fit = {name: find(result, metric, {**where, "context": context}) for name, metric in _FIT.items()}
            if first := fit["PSE"]:
                lacking = ", ".join(name for name, e in fit.items() if e and e.reason) or None
                yield case, CONTEXT_NAMES[context], *fit.values(), lacking, first.counts


def _sizes(results: Sequence[Result]) -> Table:
    people = next((result for result in results if are_people(result.model)), None)
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for case, where in _cases(result):
            points = [find(result, "PSE_choice", {**where, "context": context}) for context in ("figure", "control")]
            size, scaled = (find(result, metric, where) for metric in ("illusion_size", "illusion_size_in_units"))
            if first := next((e for e in (size, *points) if e), None):
                unit = str(scaled.unit) if scaled else None
                beside = (find(people, "illusion_size", where),) if people else ()
                rows.append((result.model, case, *points, size, *beside, scaled, unit, first.counts))
    note = (
        "From comparisons. PSE: the α at which both targets look equal. The size of an illusion is the PSE on controls "
        "− PSE on figures: above 0 if the impression has the direction that it has in people. It is in α, and in the "
        "unit of what differs between the targets, at the mean scale of the case's pictures."
    )
    note += f" Of people: that of {people.model} on the same case." if people else ""
    of_people = ("Of people, α",) if people else ()
    sizes = ("Illusion size, α", *of_people, "Illusion size", "Unit")
    columns = ("Model", "Case", "PSE, figures", "PSE, controls", *sizes, "Trials")
    return Table("illusion_sizes", "The size of each illusion", note, columns, tuple(rows))


def _cases(result: Result) -> Iterator[tuple[str, Where]]:
    """All cases, then each, as it is called and as a slice."""
    yield "all", {}
    for name in slice_values(result, "case"):
        yield name, {"case": name}
