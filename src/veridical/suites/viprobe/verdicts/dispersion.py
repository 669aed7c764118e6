"""Overdispersion of replies within base items, by which log-likelihoods are divided."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.verdicts.counts import SAME
from veridical.suites.viprobe.verdicts.fit import Problem
from veridical.suites.viprobe.verdicts.model import Hypothesis

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def dispersion(problem: Problem, hypothesis: Hypothesis, theta: Floats, units: Floats, case: Ints) -> float:
    """Variance of the replies of base items relative to independent replies, at least 1.

    For each item, the answers "same" are summed over strengths, plainly and with the sign of the strength, on controls
    and on figures. The result is the ratio of the squared residuals of these sums to their variance under the model.
    """
    chances = np.exp(whole_and_halves(problem).log_chances(theta, np.arange(len(theta)), hypothesis))
    expected, variance = (_of_groups(units, moment[case]) for moment in _moments(chances))
    off = units @ SAME - expected
    design = problem.design
    squares = spread = 0.0
    for context in (design.figure, ~design.figure):
        for sign in (np.ones_like(design.alpha), np.sign(design.alpha)):
            weight = (sign * context)[case]
            squares += float(((weight * off).sum(1) ** 2).sum())
            spread += float((weight**2 * variance).sum())
    spare = len(case) - len(theta)
    if spread < 1 or spare < 1:
        return 1.0
    return max(squares / spread * len(case) / spare, 1.0)


def whole_and_halves(problem: Problem) -> Problem:
    """The problem with columns for missing halves, even if there are none."""
    lacking = 8 - problem.counts.shape[-1]
    return problem._replace(counts=np.pad(problem.counts, ((0, 0), (0, 0), (0, lacking))))


def _moments(chances: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of the answers "same" in a pair, for whole pairs and for either half: (cases, cells, 3)."""
    groups = (slice(0, 4), slice(4, 6), slice(6, 8))
    mean = np.stack([(chances[..., each] * SAME[each]).sum(-1) for each in groups], -1)
    square = np.stack([(chances[..., each] * SAME[each] ** 2).sum(-1) for each in groups], -1)
    return mean, square - mean**2


def _of_groups(units: Floats, moment: Floats) -> Floats:
    pairs = np.stack([units[..., :4].sum(-1), units[..., 4:6].sum(-1), units[..., 6:].sum(-1)], -1)
    return np.asarray((pairs * moment).sum(-1))
