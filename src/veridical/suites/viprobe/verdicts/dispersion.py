"""How much more the replies of base items vary than independent ones: by that, likelihoods count for less."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.verdicts.counts import SAME
from veridical.suites.viprobe.verdicts.fit import Problem
from veridical.suites.viprobe.verdicts.model import Hypothesis

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def dispersion(problem: Problem, hypothesis: Hypothesis, theta: Floats, units: Floats, case: Ints) -> float:
    """By how much more the replies of base items vary than replies that are independent, at least 1.

    For each item the answers "same" are summed, on controls and on figures, over all strengths and with the sign of
    the strength; the squares of what these sums lie off the model's are held against their variances under it.
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
    """The problem with the columns of missing halves, whether there are any or not."""
    lacking = 8 - problem.counts.shape[-1]
    return problem._replace(counts=np.pad(problem.counts, ((0, 0), (0, 0), (0, lacking))))


def _moments(chances: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of the answers "same" in a pair, for whole pairs and for either half: (cases, cells, 3)."""
    groups = (slice(0, 4), slice(4, 6), slice(6, 8))
    mean = np.stack([(chances[..., each] * SAME[each]).sum(-1) for each in groups], -1)
    square = np.stack([(chances[..., each] * SAME[each] ** 2).sum(-1) for each in groups], -1)
    return mean, square - mean**2


def _of_groups(units: Floats, moment: Floats) -> Floats:
    asked = np.stack([units[..., :4].sum(-1), units[..., 4:6].sum(-1), units[..., 6:].sum(-1)], -1)
    return np.asarray((asked * moment).sum(-1))
