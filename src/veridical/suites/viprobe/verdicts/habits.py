"""Maximum likelihood estimates of the habits of a run."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
