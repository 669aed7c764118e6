"""Starting values of fits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.verdicts.fit import Problem
from veridical.suites.viprobe.verdicts.model import (
    CRITERION_RATIO,
    NOISE_RATIO,
    PARAMETERS,
    SHARE,
    SHIFT,
    Hypothesis,
)

Floats = NDArray[np.float64]

_STARTS = [(sigma, c) for sigma in (0.03, 0.15, 0.6, 4.0) for c in (0.06, 0.2, 0.7, 3.0)]
_AT_ONCE = len(_STARTS) // 2
"""Points of the grid that are tried together; all at once would take more memory than the rest of a report."""


def started(problem: Problem, hypothesis: Hypothesis) -> tuple[Floats, Floats]:
    """Starting values: for each case, the best of a grid of noise levels, criteria and effects; with its height."""
    grid = np.zeros((len(_STARTS), len(PARAMETERS)))
    grid[:, :2] = np.log(_STARTS)
    variants: dict[int, list[dict[int, float]]] = {
        SHARE: [{SHARE: 0.7}],
        SHIFT: [{SHIFT: shift} for shift in (-0.5, -0.15, 0.15, 0.5)],
        NOISE_RATIO: [{NOISE_RATIO: 1.1, CRITERION_RATIO: 1.1}, {CRITERION_RATIO: 2.1}],
    }
    for place, ways in variants.items():
        if place in hypothesis.free:
            grid = np.concatenate([grid, *(_with(grid[: len(_STARTS)], way) for way in ways)])
    heights = np.concatenate([_heights(problem, part, hypothesis) for part in np.split(grid, len(grid) // _AT_ONCE)])
    return np.asarray(grid[np.argmax(heights, 0)]), np.asarray(heights.max(0))


def _heights(problem: Problem, grid: Floats, hypothesis: Hypothesis) -> Floats:
    """The height of each case (columns) at each point of a grid (rows)."""
    cases = len(problem.case)
    many = problem._replace(counts=np.tile(problem.counts, (len(grid), 1, 1)), case=np.tile(problem.case, len(grid)))
    of = np.arange(len(grid) * cases)
    return np.asarray(many.height(np.repeat(grid, cases, 0), of, hypothesis).reshape(-1, cases))


def _with(rows: Floats, values: dict[int, float]) -> Floats:
    changed = rows.copy()
    changed[:, list(values)] = list(values.values())
    return changed
