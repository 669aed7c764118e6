"""MagiC's tables: the paper's Tables 2 to 4 in form, and what our own scenes add."""

from veridical.suite.tables import order_tables
from veridical.suites.magic.presentation.tables import focus, healing

tables = order_tables(
    *(focus.main, focus.readings, focus.focus_rows, focus.view_effects, focus.view_levels, focus.view_types),
    *(healing.main, healing.kinds, healing.requests, focus.steps, focus.errors, focus.types),
    *(focus.sizes, focus.agreement, focus.judge_pair_tables),
)
