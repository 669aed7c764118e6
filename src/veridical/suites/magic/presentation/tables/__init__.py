"""MagiC's tables: the paper's Tables 2 to 4 in form, and what our own scenes add."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.results import Result, Table
from veridical.suites.magic.presentation.tables import focus, healing, models, views


def tables(results: Sequence[Result]) -> list[Table]:
    """All tables; one that no run has anything for is left out."""
    every = [focus.main(results), focus.readings(results), focus.by_focus(results), views.effects(results)]
    every += [views.levels(results), views.by_type(results), healing.main(results), healing.kinds(results)]
    every += [healing.requests(results), views.steps(results), views.errors(results), focus.types(results)]
    every += [models.sizes(results), models.agreement(results), *models.by_judge(results)]
    return [table for table in every if table.rows]
