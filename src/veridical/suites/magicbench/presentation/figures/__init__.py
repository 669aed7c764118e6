"""MagicBench's figures."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.points import drawn_figures
from veridical.suite.results import Figure, Result
from veridical.suites.magicbench.presentation.figures.marks import paradox, three_marks, triplet
from veridical.suites.magicbench.presentation.figures.seeing import (
    calibration,
    lie_by_moment,
    probe_curves,
    readiness,
)


def figures(results: Sequence[Result]) -> list[Figure]:
    """All figures; one that no run has anything for is left out."""
    drawn = (lie_by_moment, probe_curves, paradox, three_marks, triplet, readiness, calibration)
    return drawn_figures(results, drawn)
