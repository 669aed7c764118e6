"""HOCA-Bench's tables: the paper's Tables 2 to 5 in form, and what our own clips add."""

from veridical.suite.tables import order_tables
from veridical.suites.hocabench.presentation.tables import main, oddness

tables = order_tables(
    *(main.main, main.indices, oddness.gaps, oddness.alarms, oddness.pairs, oddness.prefixes, oddness.marks),
    *(main.grounding, main.several, main.frames, oddness.settings, *oddness.SLICES),
)
