"""VI-Probe's tables of the finer analyses: gaps, sensitivity and bias, psychometric functions, sizes of illusions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veridical.records import Estimate, Json
from veridical.suite.results import PEOPLE, Cell, Result, Table, find, named
from veridical.suites.viprobe.analysis.replies import CONTEXTS

CONTEXT_NAMES = {"figure": "figures", "control": "controls", "clutter": "clutter", "hint": "figures with a hint"}
_FIT = {"PSE": "PSE", "JND": "JND", "Criterion": "same_criterion", "Lapse": "lapse"}


def analysis_tables(results: Sequence[Result]) -> list[Table]:
    """The tables, without rows where no run has anything for them."""
    return [_gaps(results), _sensitivity(results), _psychometric(results), _sizes(results)]


def _gaps(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for key in (None, "category", "case"):
            values = [None] if key is None else named(result, key)
            estimates = [(value, find(result, "gap", {} if key is None else {key: value})) for value in values]
            present = [(value, e) for value, e in estimates if e]
            family = "–" if key is None else f"Holm over {len(present)}"
            for value, e in present:
                where: dict[str, Json] = {} if key is None else {key: value}
                parts = [find(result, metric, where) for metric in ("clutter_gap", "figure_gap")]
                rows.append((result.model, key or "all", value or "all", e, e.p, family, *parts, e.counts))
    note = (
        "PFA of perturbed pictures, controls − figures, pooled over pictures, in points: above 0 the "
        "figures are harder. p is of the sign-flip test by unit, corrected over the categories and over the cases of "
        "a model as the table says. Of the cases that have pictures amid clutter, the same elements strewn about the "
        "same targets: PC − PS is what clutter of any kind does, PS − P what only the classic figure does."
    )
    columns = ("Model", "Slice", "Name", "Gap PC − P", "p", "Correction", "PC − PS", "PS − P", "Trials")
    return Table("gaps", "Gap between controls and figures", note, columns, tuple(rows))


def _sensitivity(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        if bias := find(result, "yes_bias", {}):
            rows.append((result.model, "all", "all", None, None, bias, bias.counts))
        for context in CONTEXTS:
            for magnitude in (None, *sorted(named(result, "magnitude"))):
                where = {"context": context} | ({} if magnitude is None else {"magnitude": magnitude})
                estimates = [find(result, metric, where) for metric in ("d_prime", "criterion", "yes_bias")]
                if estimates[0]:
                    strength = "all" if magnitude is None else f"{magnitude:g}"
                    rows.append((result.model, CONTEXT_NAMES[context], strength, *estimates, estimates[0].counts))
    note = (
        "Telling perturbed pictures of a strength from the unperturbed: a hit says changed of P (PC, PS, PH), a false "
        "alarm of O (OC, OS, OH); both polarities, of those answered. A criterion above 0 leans to “unchanged”. Yes "
        "bias is P(yes | forward) + P(yes | reversed) − 1: above 0 the answer is yes whatever is asked."
    )
    columns = ("Model", "Pictures", "|α|", "d'", "Criterion", "Yes bias", "Trials")
    return Table("sensitivity", "Sensitivity and bias apart", note, columns, tuple(rows))


def _psychometric(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for case, where in _cases(result):
            for context in CONTEXTS:
                fit = {name: find(result, metric, {**where, "context": context}) for name, metric in _FIT.items()}
                first = fit["PSE"]
                if first:
                    rows.append((result.model, case, CONTEXT_NAMES[context], *fit.values(), _open(fit), first.counts))
    note = (
        "Fits to replies “same” over signed α; PSE, JND and criterion in units of α, the lapse a share of replies. "
        "A PSE below 0 lies where the change opposes the impression: such a change looks like none. All: cases whose "
        "impression has a direction, pooled. What the replies leave open is not identified, and the reason is given; "
        "a bound without a value still holds."
    )
    columns = ("Model", "Case", "Pictures", *_FIT, "Not identified", "Trials")
    return Table("psychometric", "Psychometric functions of same and different", note, columns, tuple(rows))


def _sizes(results: Sequence[Result]) -> Table:
    people = next((result for result in results if result.model.startswith(PEOPLE)), None)
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


def _cases(result: Result) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """All cases, then each, as it is called and as a slice."""
    yield "all", {}
    for name in named(result, "case"):
        yield name, {"case": name}


def _open(fit: Mapping[str, Estimate | None]) -> str | None:
    """The names of the parameters that lack a value or a bound."""
    return ", ".join(name for name, e in fit.items() if e and e.reason) or None
