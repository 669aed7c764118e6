"""MagicBench's tables: what a lie does to probes, the paper's Tables 2 to 7 in form, and what our own clips add."""

from veridical.suite.tables import order_tables
from veridical.suites.magicbench.presentation.tables import changes, marks, probes

tables = order_tables(
    *(probes.effects, probes.probes, probes.others, probes.kinds),
    *(marks.main, marks.breakdown, marks.errors, marks.readable),
    *(changes.paradox, changes.components, changes.thought, changes.ceiling, changes.gaps, changes.controls),
    *(marks.chance, probes.noticing, probes.alarms, probes.confidence, changes.aids),
    *(marks.agreement, marks.impossible, marks.vetoes),
    *(*probes.slices, probes.settings),
)
