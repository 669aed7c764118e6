"""MagicBench's tables: what a lie does to seeing, the paper's Tables 2 to 7 in form, and what our own clips add."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.results import Result, Table
from veridical.suites.magicbench.presentation.tables import changes, marks, seeing, slices


def tables(results: Sequence[Result]) -> list[Table]:
    """All tables; one that no run has anything for is left out."""
    every = [seeing.effects(results), seeing.probes(results), seeing.others(results), seeing.kinds(results)]
    every += [marks.main(results), marks.breakdown(results), marks.errors(results), marks.readable(results)]
    every += [changes.paradox(results), changes.components(results), changes.thought(results)]
    every += [changes.ceiling(results), changes.gaps(results), changes.controls(results), marks.chance(results)]
    every += [seeing.noticing(results), seeing.alarms(results), seeing.confidence(results)]
    every += [changes.aids(results), marks.agreement(results), marks.impossible(results)]
    every += [marks.vetoes(results)]
    every += [*slices.slices(results), slices.settings(results)]
    return [table for table in every if table.rows]
