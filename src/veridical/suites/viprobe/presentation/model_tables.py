"""VI-Probe's tables for people: consistency per picture type, and isolation in the form of the paper's Table 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical.records import Counts, Estimate, Json
from veridical.suite.results import Cell, Result, Table, find, named
from veridical.suites.viprobe.analysis.missing_answers import FilledRange, filled_ranges, withhold
from veridical.suites.viprobe.analysis.pairs import TYPES, pooled
from veridical.suites.viprobe.analysis.ranks import ranks
from veridical.suites.viprobe.presentation.analysis_tables import analysis_tables
from veridical.suites.viprobe.presentation.dose_figures import strengths
from veridical.suites.viprobe.presentation.mechanism_tables import mechanisms
from veridical.suites.viprobe.presentation.more_tables import by_pfc, counts_of, interventions, more_tables

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
    ordered = by_pfc(results)
    every = [_isolation(ordered), _consistency(ordered), *mechanisms(ordered), _filled(ordered), _cases(ordered)]
    every += [_dose(ordered), _strengths(ordered), *ranks(ordered), *analysis_tables(ordered)]
    every += [*more_tables(ordered), interventions(ordered)]
    return [table for table in every if any(isinstance(cell, Estimate | Counts) for row in table.rows for cell in row)]


def _isolation(results: Sequence[Result]) -> Table:
    rows = [
        (r.model, *(find(r, metric, where) for metric, where in _ISOLATION.values()), counts_of(r, {})) for r in results
    ]
    note = (
        "Accuracy is PFA: both polarities right. O, P, OC, PC are pooled over pictures; PFC is the plain mean over the "
        "four. Δ original = O − OC, Δ perturbed = P − PC, Δ average = control average − illusion average. "
        "R = |O − P| / (|OC − PC| + 0.001) in percent, undefined where the controls do not move; "
        "I = (O − P) − (OC − PC) is always defined. A blind observer, and one that is fooled as people are (congruent "
        "changes seen, opposing ones missed), can have R near 1 and I near 0: read them beside P in both directions."
    )
    return Table(
        "isolation", "Isolating the illusion with matched controls", note, ("Model", *_ISOLATION, "Trials"), tuple(rows)
    )


def _consistency(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        if not find(result, "PFA", {}):
            continue
        alike = {e.metric: e for e in withhold(pooled(result.outcomes), result.outcomes)}
        parts = {"mean of types": [find(result, metric, {}) for metric in _PARTS.values()]}
        parts["pooled over pictures"] = [alike[metric] for metric in _PARTS.values()]
        parts |= {name: [find(result, metric, {"variant": name}) for metric in _PARTS.values()] for name in TYPES}
        rows += [
            (result.model, label, *estimates, estimates[0].counts) for label, estimates in parts.items() if estimates[0]
        ]
    note = f"PFA + CbW + TFI + no pair = 1 over all pairs of which a half was asked; counts are of trials. {_MEAN}"
    columns = ("Model", "Pictures", *_PARTS, "Trials")
    return Table("consistency", "Consistency over question polarity", note, columns, tuple(rows))


def _filled(results: Sequence[Result]) -> Table:
    heads = {"Δ original": "delta_original", "Δ perturbed": "delta_perturbed", "Δ average": "delta_average"}
    heads |= {"Gap": "gap", "I": "I", "R": "R"}
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        if ranges := filled_ranges(result.outcomes):
            cells = (_range(f, find(result, name, {})) for name in heads.values() if (f := ranges.get(name)))
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
    bounds = f"[{figure.least:.1f}, {figure.most:.1f}]"
    stated = estimate is None or estimate.value is not None
    return (f"{figure.value:.1f} {bounds}" if stated else bounds).replace("-", "−")


def _cases(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for name in named(result, "case"):
            where = {"case": name}
            types = (find(result, "PFA", {**where, "variant": variant}) for variant in TYPES)
            overall = (find(result, metric, where) for metric in ("PFA", "I", "R"))
            ways = (find(result, "PFA", {**where, "variant": "P", "congruent": way}) for way in (True, False))
            rows.append((result.model, name, *types, *overall, *ways, counts_of(result, where)))
    note = (
        "PFA of each picture type pooled over pictures; the mean is the plain one over the four types. P congruent and "
        "P opposing: the change goes the way of the impression or against it; none, if the impression has no direction."
    )
    columns = ("Model", "Case", *TYPES, "Mean PFA", "I", "R", "P congruent", "P opposing", "Trials")
    return Table("cases", "Case by case", note, columns, tuple(rows))


def _dose(results: Sequence[Result]) -> Table:
    levels = strengths(results)
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for variant in ("P", "PC"):
            estimates = [find(result, "PFA", {"variant": variant, "alpha": alpha}) for alpha in levels]
            if any(estimates):
                rows.append((result.model, variant, *estimates, counts_of(result, {"variant": variant})))
    note = "PFA over the pictures of all cases. Positive: the way of the illusory impression; negative: against it."
    columns = ("Model", "Pictures", *map(_signed, levels), "Trials")
    return Table("dose", "Accuracy at each strength, all cases", note, columns, tuple(rows))


def _strengths(results: Sequence[Result]) -> Table:
    alphas = sorted({a for r in results for a in named(r, "alpha") if a})
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for name in named(result, "case"):
            for variant in ("P", "PC"):
                where = {"case": name, "variant": variant}
                estimates = [find(result, "PFA", {**where, "alpha": alpha}) for alpha in alphas]
                if any(estimates):
                    rows.append((result.model, name, variant, *estimates, counts_of(result, where)))
    note = "PFA over pictures. A positive strength goes the way of the illusory impression, a negative one opposes it."
    columns = ("Model", "Case", "Pictures", *map(_signed, alphas), "Trials")
    return Table("strengths", "Accuracy at each strength, case by case", note, columns, tuple(rows))


def _signed(alpha: float) -> str:
    return f"{alpha:+g}".replace("-", "−")
