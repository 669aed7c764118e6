"""MagicBench's figures."""

from veridical.suite.points import in_order
from veridical.suites.magicbench.presentation.figures import marks, seeing

figures = in_order(
    *(seeing.lie_by_moment, seeing.probe_curves, marks.paradox, marks.three_marks, marks.triplet),
    *(seeing.readiness, seeing.calibration),
)
