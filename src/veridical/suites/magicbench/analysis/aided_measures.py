"""The measures of interventions on the picture."""

from __future__ import annotations

from veridical.records import POINTS, Measure
from veridical.suites.magicbench.analysis.marks import SCORE

_SOURCE = "the paper, section 5.3 and Figure 3"
AIDED = {
    "aided marks": Measure(
        title="Marks with an aid",
        definition="Marks of clips that were chosen as failures, asked again with a ring at the critical place, at a "
        "placebo place, with the critical place magnified, or with more frames; and with no aid.",
        unit=SCORE,
        source=_SOURCE,
    ),
    "effect of an aid": Measure(
        title="Effect of an aid",
        definition="Marks with an aid − asked again without one, on the same clips: regression to the mean is in both, "
        "and drops out. A ring is also compared with its placebo.",
        unit=POINTS,
        source=_SOURCE,
        better="higher",
    ),
    "regression to the mean": Measure(
        title="Regression to the mean",
        definition="Marks of the chosen clips, asked again without an aid − when they were chosen.",
        unit=POINTS,
    ),
    "recovery with regression": Measure(
        title="Recovery, regression included",
        definition="Marks with an aid − when the clips were chosen, as is often published: regression to the mean "
        "counts as recovery.",
        unit=POINTS,
        source=_SOURCE,
    ),
}
