"""MagicBench's figures."""

from veridical.suite.points import order_figures
from veridical.suites.magicbench.presentation.figures import marks, probes

figures = order_figures(
    *(probes.lie_by_moment, probes.probe_curves, marks.paradox, marks.three_marks, marks.triplet),
    *(probes.readiness, probes.calibration),
)
