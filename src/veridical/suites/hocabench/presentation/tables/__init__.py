"""HOCA-Bench's tables: the paper's Tables 2 to 5 in form, and what our own clips add."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.results import Result, Table
from veridical.suites.hocabench.presentation.tables.main import frames, grounding, indices, main, several
from veridical.suites.hocabench.presentation.tables.oddness import alarms, gaps, marks, pairs, prefixes, settings
from veridical.suites.hocabench.presentation.tables.slices import slices


def tables(results: Sequence[Result]) -> list[Table]:
    """All tables; one that no run has anything for is left out."""
    every = [main(results), indices(results), gaps(results), alarms(results), pairs(results), prefixes(results)]
    every += [marks(results), grounding(results), several(results), frames(results), settings(results)]
    every += slices(results)
    return [table for table in every if table.rows]
