"""HOCA-Bench's tables: the paper's Tables 2 to 5 in form, and what our own clips add."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.results import Result, Table
from veridical.suite.tables import filled_tables
from veridical.suites.hocabench.presentation.tables import main, oddness

_TABLES = (
    *(main.main, main.indices, oddness.gaps, oddness.alarms, oddness.pairs, oddness.prefixes, oddness.marks),
    *(main.grounding, main.several, main.frames, oddness.settings, *oddness.SLICES),
)


def tables(results: Sequence[Result]) -> list[Table]:
    """All tables; one that no run has anything for is left out."""
    return filled_tables(results, _TABLES)
