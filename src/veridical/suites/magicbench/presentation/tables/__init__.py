"""MagicBench's tables: what a lie does to seeing, the paper's Tables 2 to 7 in form, and what our own clips add."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.results import Result, Table
from veridical.suite.tables import filled_tables
from veridical.suites.magicbench.presentation.tables import changes, marks, seeing

_TABLES = (
    *(seeing.effects, seeing.probes, seeing.others, seeing.kinds),
    *(marks.main, marks.breakdown, marks.errors, marks.readable),
    *(changes.paradox, changes.components, changes.thought, changes.ceiling, changes.gaps, changes.controls),
    *(marks.chance, seeing.noticing, seeing.alarms, seeing.confidence, changes.aids),
    *(marks.agreement, marks.impossible, marks.vetoes),
    *(*seeing.slices, seeing.settings),
)


def tables(results: Sequence[Result]) -> list[Table]:
    """All tables; one that no run has anything for is left out."""
    return filled_tables(results, _TABLES)
