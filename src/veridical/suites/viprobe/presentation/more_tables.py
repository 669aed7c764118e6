"""VI-Probe's tables of what not every run holds: directions and hints, inducers alone, instructions, comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, fields

from veridical.records import Counts, Estimate, Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.viprobe.analysis.find import counts_of
from veridical.suites.viprobe.analysis.pairs import ASIDE, PARTS, TYPES

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
