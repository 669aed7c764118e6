"""MagiC's tables: the paper's Tables 2 to 4 in form, and what our own scenes add."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.results import Result, Table
from veridical.suite.tables import filled_tables
from veridical.suites.magic.presentation.tables import focus, healing

_TABLES = (
    *(focus.main, focus.readings, focus.by_focus, focus.view_effects, focus.view_levels, focus.view_types),
    *(healing.main, healing.kinds, healing.requests, focus.steps, focus.errors, focus.types),
    *(focus.sizes, focus.agreement, focus.by_judge),
)


def tables(results: Sequence[Result]) -> list[Table]:
    """All tables; one that no run has anything for is left out."""
    return filled_tables(results, _TABLES)
