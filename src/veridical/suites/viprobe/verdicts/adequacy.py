"""Goodness of fit: the best model's deviance against its parametric bootstrap, and the size of its error."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.verdicts.explain import Explained
from veridical.suites.viprobe.verdicts.fit import WHOLE, Problem, fitted
from veridical.suites.viprobe.verdicts.model import Hypothesis

Floats = NDArray[np.float64]

DRAWS = 199
RARE = 0.01
MATERIAL = 0.1
RARE_CASE, MATERIAL_CASE = 0.005, 0.15
"""A model fails if p of its deviance is at most `RARE` and its error exceeds `MATERIAL`.

Both are required because any flaw becomes significant in a large run. The bounds for one case are stricter, since there
are many cases.
"""

_AT_ONCE = 1200


class Adequacy(NamedTuple):
    """p of the deviance and the RMS error of the reply probabilities, for each case and for all."""

    p_by_case: Floats
    p: float
    miss_by_case: Floats
    miss: float

    def fails(self, case: int | None = None) -> bool:
        """Whether the model fails for one case, or for all."""
        if case is None:
            return self.p <= RARE and self.miss > MATERIAL
        return bool(self.p_by_case[case] <= RARE_CASE and self.miss_by_case[case] > MATERIAL_CASE)


def adequacy(run_fits: Explained, *, draws: int = DRAWS, seed: int = 0) -> Adequacy:
    """Goodness of fit of the flexible model. Each case has its own parameters, refitted to each draw."""
    problem, hypothesis, theta = run_fits.problem, run_fits.best.hypothesis, run_fits.best.theta
    chances = np.exp(problem.log_chances(theta, np.arange(len(theta)), hypothesis))
    seen = _deviance(problem.counts, chances) / problem.dispersion
    miss = _missed(problem.counts, chances)
    pairs = problem.counts.sum((1, 2))
    rng = np.random.default_rng(seed)
    drawn = np.concatenate(
        [_redrawn(problem, hypothesis, theta, chances, size, rng) for size in _sizes(draws, len(theta))]
    )
    by_case = (1 + (drawn >= seen).sum(0)) / (1 + draws)
    together = (1 + (drawn.sum(1) >= seen.sum()).sum()) / (1 + draws)
    overall = float(np.sqrt((miss**2 * pairs).sum() / max(pairs.sum(), 1.0)))
    return Adequacy(by_case, float(together), miss, overall)


def _groups(counts: Floats) -> tuple[slice, ...]:
    """Columns of whole pairs, and of either half alone if there are any."""
    return (slice(0, 4),) if counts.shape[-1] == WHOLE else (slice(0, 4), slice(4, 6), slice(6, 8))


def _sizes(draws: int, cases: int) -> list[int]:
    """Batch sizes that keep draws × cases within memory."""
    step = max(_AT_ONCE // max(cases, 1), 1)
    return [min(step, draws - start) for start in range(0, draws, step)]


def _redrawn(
    problem: Problem, hypothesis: Hypothesis, theta: Floats, chances: Floats, draws: int, rng: np.random.Generator
) -> Floats:
    """Deviances of data drawn from the model and refitted, shape (draws, cases)."""
    cases = len(theta)
    counts = np.zeros((draws, *problem.counts.shape))
    for group in _groups(problem.counts):
        rows = problem.counts[..., group].sum(-1).astype(int)
        if rows.any():
            p = chances[..., group] / chances[..., group].sum(-1, keepdims=True)
            counts[..., group] = rng.multinomial(np.broadcast_to(rows, (draws, *rows.shape)), p)
    many = problem._replace(
        counts=counts.reshape(-1, *problem.counts.shape[1:]), case=np.tile(problem.case, draws), dispersion=1.0
    )
    anew, _ = fitted(many, hypothesis, np.tile(theta, (draws, 1)), steps=2)
    fitting = np.exp(many.log_chances(anew, np.arange(len(anew)), hypothesis))
    return _deviance(many.counts, fitting).reshape(draws, cases)


def _deviance(counts: Floats, chances: Floats) -> Floats:
    """Twice the log-likelihood gain of a saturated model (one rate per cell), per case."""
    total = np.zeros(len(counts))
    for group in _groups(counts):
        part = counts[..., group]
        rows = part.sum(-1, keepdims=True)
        share = np.where(part > 0, part / np.where(rows > 0, rows, 1), 1.0)
        total += 2 * (part * (np.log(share) - np.log(chances[..., group]))).sum((1, 2))
    return total


def _missed(counts: Floats, chances: Floats) -> Floats:
    """RMS difference of true and fitted probabilities of whole pairs, corrected for sampling error, per case."""
    rows = counts[..., :4].sum(-1, keepdims=True)
    p = chances[..., :4]
    scatter = rows * p * (1 - p)
    several = rows > 1
    square = ((counts[..., :4] - rows * p) ** 2 - scatter) / np.where(several, rows * (rows - 1), 1)
    weighed = np.where(several, rows * square, 0.0).sum((1, 2))
    return np.asarray(np.sqrt(np.maximum(weighed / np.maximum((rows * several).sum((1, 2)), 1), 0.0)))
