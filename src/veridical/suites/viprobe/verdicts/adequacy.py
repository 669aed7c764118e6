"""What the best model may miss: its goodness of fit, cases with lapses of their own, base items recalled as wholes."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from veridical.suites.viprobe.verdicts.counts import CHANGED, SAME
from veridical.suites.viprobe.verdicts.explain import HypothesisFit, RunFits, whole_and_halves
from veridical.suites.viprobe.verdicts.fit import WHOLE, PairProblem, best_fit
from veridical.suites.viprobe.verdicts.hypotheses import FLAT, LOSS, NOTHING
from veridical.suites.viprobe.verdicts.model import SHARE, Hypothesis

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


def adequacy(run_fits: RunFits, *, draws: int = DRAWS, seed: int = 0) -> Adequacy:
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


_FITTED_AT_ONCE = 256
"""Draws that are fitted together: with more, their slopes would take more memory than all else in a small run."""


def _redrawn(
    problem: PairProblem, hypothesis: Hypothesis, theta: Floats, chances: Floats, draws: int, rng: np.random.Generator
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
    starts, deviances = np.tile(theta, (draws, 1)), []
    for place in range(0, len(starts), _FITTED_AT_ONCE):
        part = slice(place, place + _FITTED_AT_ONCE)
        some = many._replace(counts=many.counts[part], case=many.case[part])
        anew, _ = best_fit(some, hypothesis, starts[part], steps=2)
        fitting = np.exp(some.log_chances(anew, np.arange(len(anew)), hypothesis))
        deviances.append(_deviance(some.counts, fitting))
    return np.concatenate(deviances).reshape(draws, cases)


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


LEAST = 0.05
"""Below this lapse rate of the whole run, cases cannot differ much."""

_SHARES = (0.0, 0.08, 0.2, 0.35, 0.5)


def with_own_lapses(run_fits: RunFits) -> RunFits:
    """The fits of each case, each hypothesis with the lapse rate at which it is likeliest.

    Candidates are the rate of the run and a few others. Fits of a run with a lapse rate below `LEAST` stay unchanged.
    """
    if run_fits.problem.habits.lapse < LEAST:
        return run_fits
    by_case = [dict(fits) for fits in run_fits.by_case]
    for share in _SHARES:
        problem = run_fits.problem._replace(habits=run_fits.problem.habits._replace(lapse=share))
        for hypothesis in by_case[0]:
            start = np.concatenate([fits[hypothesis].theta for fits in by_case])
            theta, height = best_fit(problem, hypothesis, start, steps=8)
            for k, fits in enumerate(by_case):
                if height[k] > fits[hypothesis].height:
                    fits[hypothesis] = HypothesisFit(hypothesis, float(height[k]), theta[k : k + 1], problem.habits)
    return replace(run_fits, by_case=by_case)


_ROUNDS_BY_UNIT = 12
_PICTURE = LOSS[0]


def recalled_by_unit(run_fits: RunFits) -> tuple[float, float]:
    """2 Δ ln L of "whole items are recalled" over the best other form, and the share of items recalled.

    Replies count as independent. A recalled item is called unchanged at one rate, whatever the strength. Estimated by
    expectation–maximization: the E step gives each item's probability of being recalled; the M step fits σ and c of the
    cases to the items, weighted by their probability of being seen, and updates the share and the rate.
    """
    problem = whole_and_halves(run_fits.problem)._replace(dispersion=1.0)
    case = run_fits.control.case
    units = np.concatenate([run_fits.control.pairs, run_fits.figure.pairs], 1)
    figure = problem.design.figure
    theta = run_fits.together[_PICTURE].theta.copy()
    share = float(np.clip(theta[0, SHARE], 0.02, 0.98))
    theta[:, SHARE] = 0.0
    everyone = np.arange(len(theta))
    height, same = -np.inf, 0.95
    for _ in range(_ROUNDS_BY_UNIT):
        logs = problem.log_chances(theta, everyone, NOTHING)
        recited = problem.log_chances(np.full_like(theta, scipy.special.logit(same)), everyone, FLAT)
        recall = np.where(figure[:, None], recited, logs)
        log_joint = np.stack(
            [(units * recall[case]).sum((1, 2)) + np.log(share), (units * logs[case]).sum((1, 2)) + np.log(1 - share)]
        )
        whole = scipy.special.logsumexp(log_joint, axis=0)
        height = float(whole.sum())
        chance = np.exp(log_joint[0] - whole)
        weight = np.where(figure[None, :], 1 - chance[:, None], 1.0)
        counts = np.zeros_like(problem.counts)
        np.add.at(counts, case, units * weight[..., None])
        recalled = (units * (figure[None, :, None] * chance[:, None, None])).sum((0, 1))
        same = float(np.clip(recalled @ SAME / max(recalled @ (SAME + CHANGED), 1e-9), 0.5, 0.999))
        theta, _ = best_fit(problem._replace(counts=counts), NOTHING, theta, steps=6)
        share = float(np.clip(chance.mean(), 1e-3, 1 - 1e-3))
    others = max(
        float((problem.counts * problem.log_chances(run_fits.together[each].theta, everyone, each)).sum())
        for each in LOSS
    )
    return 2 * (height - others), share
