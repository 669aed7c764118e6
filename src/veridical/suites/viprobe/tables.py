"""VI-Probe's tables for people: consistency per picture type, and isolation in the form of the paper's Table 2."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Estimate
from veridical.suites import Cell, Result, Table
from veridical.suites.viprobe.find import by_pfc, counts_of, find, named
from veridical.suites.viprobe.more_tables import more_tables
from veridical.suites.viprobe.pairs import TYPES

_MEAN = "Each figure is the plain mean over O, P, OC, PC (P and PC pooled over strengths)."
_ISOLATION = {
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
    """Isolation, consistency, cases, accuracy per strength, directions and hints, instructions, comparisons.

    Where rows are models they are ordered by PFC; a table that no run has an estimate for is left out.
    """
    ordered = by_pfc(results)
    found = [_isolation(ordered), _consistency(ordered), _cases(ordered), _strengths(ordered), *more_tables(ordered)]
    return [table for table in found if any(isinstance(cell, Estimate) for row in table.rows for cell in row)]


def _isolation(results: Sequence[Result]) -> Table:
    rows = [
        (r.model, *(find(r, metric, where) for metric, where in _ISOLATION.values()), counts_of(r, {})) for r in results
    ]
    note = (
        "Accuracy is PFA: both polarities right. O, P, OC, PC are pooled over pictures; PFC is the plain mean over the "
        "four. Δ original = O − OC, Δ perturbed = P − PC, Δ average = control average − illusion average. "
        "R = |O − P| / (|OC − PC| + 0.001) in percent, undefined where the controls do not move; "
        "I = (O − P) − (OC − PC) is always defined. A blind observer has R near 1 and I near 0: read them beside P, PC."
    )
    return Table(
        "isolation", "Isolating the illusion with matched controls", note, ("Model", *_ISOLATION, "Trials"), tuple(rows)
    )


def _consistency(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for label, where in (("mean of types", {}), *((name, {"variant": name}) for name in TYPES)):
            found = [find(result, metric, where) for metric in _PARTS.values()]
            if found[0]:
                rows.append((result.model, label, *found, found[0].counts))
    note = f"PFA + CbW + TFI + no pair = 1 over all pairs of which a half was asked; counts are of trials. {_MEAN}"
    columns = ("Model", "Pictures", *_PARTS, "Trials")
    return Table("consistency", "Consistency over question polarity", note, columns, tuple(rows))


def _cases(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for name in named(result, "case"):
            where = {"case": name}
            types = (find(result, "PFA", {**where, "variant": variant}) for variant in TYPES)
            overall = (find(result, metric, where) for metric in ("PFA", "I", "R"))
            rows.append((result.model, name, *types, *overall, counts_of(result, where)))
    note = "PFA of each picture type pooled over pictures; the mean is the plain one over the four types."
    return Table("cases", "Case by case", note, ("Model", "Case", *TYPES, "Mean PFA", "I", "R", "Trials"), tuple(rows))


def _strengths(results: Sequence[Result]) -> Table:
    alphas = sorted({a for r in results for a in named(r, "alpha") if a})
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for name in named(result, "case"):
            for variant in ("P", "PC"):
                where = {"case": name, "variant": variant}
                found = [find(result, "PFA", {**where, "alpha": alpha}) for alpha in alphas]
                if any(found):
                    rows.append((result.model, name, variant, *found, counts_of(result, where)))
    note = "PFA over pictures. A positive strength goes the way of the illusory impression, a negative one opposes it."
    columns = ("Model", "Case", "Pictures", *(f"{alpha:+g}".replace("-", "−") for alpha in alphas), "Trials")
    return Table("strengths", "Accuracy at each strength of the change", note, columns, tuple(rows))
