"""MagicBench's tables: what a lie does to seeing, the paper's Tables 2 to 7 in form, and what our own clips add."""

from veridical.suite.tables import in_order
from veridical.suites.magicbench.presentation.tables import changes, marks, seeing

tables = in_order(
    *(seeing.effects, seeing.probes, seeing.others, seeing.kinds),
    *(marks.main, marks.breakdown, marks.errors, marks.readable),
    *(changes.paradox, changes.components, changes.thought, changes.ceiling, changes.gaps, changes.controls),
    *(marks.chance, seeing.noticing, seeing.alarms, seeing.confidence, changes.aids),
    *(marks.agreement, marks.impossible, marks.vetoes),
    *(*seeing.slices, seeing.settings),
)
