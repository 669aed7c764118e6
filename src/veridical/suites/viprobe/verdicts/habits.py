"""What is estimated of a run as a whole: its response habits, and the overdispersion of replies within base items."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.verdicts.counts import SAME
from veridical.suites.viprobe.verdicts.fit import STEP, Problem, pairs_by_column
from veridical.suites.viprobe.verdicts.model import HABITS_HIGH, HABITS_LOW, Habits, Hypothesis

Floats = NDArray[np.float64]


def habits_of(
    problem: Problem, hypothesis: Hypothesis, theta: Floats, held: tuple[str, ...] = (), *, steps: int = 20
) -> tuple[Habits, float]:
    """Maximum likelihood estimates of the habits, given the parameters of the cases, and their log-likelihood.

    Habits named in `held` stay fixed.
    """
    low, high = np.array(HABITS_LOW), np.array(HABITS_HIGH)
    moving = np.array([place for place, name in enumerate(Habits._fields) if name not in held])
    everyone = np.arange(len(problem.case))
    weight = pairs_by_column(problem.counts)
    values, damping = np.array(problem.habits, float), 1e-3

    def logs(at: Floats) -> Floats:
        return problem._replace(habits=Habits(*at.tolist())).log_chances(theta, everyone, hypothesis)

    now = logs(values)
    height = float((problem.counts * now).sum())
    for _ in range(steps):
        slopes = np.empty((len(moving), *now.shape))
        for row, place in enumerate(moving):
            moved = values.copy()
            step = STEP if values[place] + STEP <= high[place] else -STEP
            moved[place] += step
            slopes[row] = (logs(moved) - now) / step
        score = np.einsum("boc,kboc->k", problem.counts, slopes)
        scaled = slopes * np.sqrt(weight * np.exp(now))
        flat = scaled.reshape(len(moving), -1)
        information = flat @ flat.T
        stuck = ((values[moving] <= low[moving]) & (score < 0)) | ((values[moving] >= high[moving]) & (score > 0))
        score[stuck] = 0.0
        information[stuck], information[:, stuck] = 0.0, 0.0
        gain = -1.0
        while damping < 1e8:
            ridge = np.diag(damping * np.diag(information) + 1e-3 + stuck)
            tried = values.copy()
            tried[moving] = np.clip(
                values[moving] + np.linalg.solve(information + ridge, score), low[moving], high[moving]
            )
            ahead = logs(tried)
            gain = float((problem.counts * ahead).sum()) - height
            damping = max(damping * 0.2, 1e-8) if gain > 0 else damping * 6
            if gain > 0:
                values, now, height = tried, ahead, height + gain
                break
        if gain < 1e-2:
            break
    return Habits(*values.tolist()), height / problem.dispersion


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
