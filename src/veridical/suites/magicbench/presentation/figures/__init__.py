"""MagicBench's figures."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.results import Figure, Result
from veridical.suites.magicbench.presentation.figures.aids import triplet
from veridical.suites.magicbench.presentation.figures.calibration import calibration
from veridical.suites.magicbench.presentation.figures.marks import three_marks
from veridical.suites.magicbench.presentation.figures.noticed import readiness
from veridical.suites.magicbench.presentation.figures.paradox import paradox
from veridical.suites.magicbench.presentation.figures.seeing import lie_by_moment, probe_curves


def figures(results: Sequence[Result]) -> list[Figure]:
    """All figures; one that no run has anything for is left out."""
    drawn = (lie_by_moment, probe_curves, paradox, three_marks, triplet, readiness, calibration)
    return [figure for figure in (draw(results) for draw in drawn) if figure is not None]
