"""VI-Probe's tables of mechanisms: the verdict over everything and for each case, with the intervals that decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from veridical.suite.find import find
from veridical.suite.results import Cell, Result, Table
from veridical.suites.viprobe.analysis.find import counts_of
from veridical.suites.viprobe.analysis.mechanism import NAMES, verdicts

_NOTE = (
    "A decision list on whole 95 % intervals, never on points: the first rule of which every condition holds decides; "
    "where none does, the mechanism is undetermined and the evidence is all that was looked at."
)


def mechanisms(results: Sequence[Result]) -> list[Table]:
    """How many cases each mechanism has, and the verdicts with their evidence; no rows without question pairs."""
    rows: list[tuple[Cell, ...]] = []
    sums: list[tuple[Cell, ...]] = []
    for result in results:
        if find(result, "TFI", {}) is None:
            continue
        overall, *cases = verdicts(result.estimates)
        for verdict in (overall, *cases):
            where, evidence = verdict.where, "; ".join(verdict.evidence)
            rows.append((result.model, where.get("case", "overall"), verdict.name, evidence, counts_of(result, where)))
        times = Counter(verdict.name for verdict in cases)
        sums.append((result.model, overall.name, *(times[name] for name in NAMES), len(cases), counts_of(result, {})))
    names = tuple(name.capitalize() for name in NAMES)
    return [
        Table(
            "mechanisms",
            "Mechanisms in short",
            f"{_NOTE} Numbers are of cases.",
            ("Model", "Overall", *names, "Cases", "Trials"),
            tuple(sums),
        ),
        Table(
            "mechanism",
            "Mechanism, with the evidence that decided",
            f"{_NOTE} PFA unless it says otherwise; intervals in brackets.",
            ("Model", "Case", "Mechanism", "Evidence", "Trials"),
            tuple(rows),
        ),
    ]
