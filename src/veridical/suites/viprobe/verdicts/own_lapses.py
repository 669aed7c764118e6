"""Cases with a lapse rate of their own: practice, fatigue, a temporarily faulty endpoint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from veridical.suites.viprobe.verdicts.explain import Explained, Fit
from veridical.suites.viprobe.verdicts.fit import fitted

LEAST = 0.05
"""Below this lapse rate of the whole run, cases cannot differ much."""

_SHARES = (0.0, 0.08, 0.2, 0.35, 0.5)


def with_own_lapses(run_fits: Explained) -> Explained:
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
            theta, height = fitted(problem, hypothesis, start, steps=8)
            for k, fits in enumerate(by_case):
                if height[k] > fits[hypothesis].height:
                    fits[hypothesis] = Fit(hypothesis, float(height[k]), theta[k : k + 1], problem.habits)
    return replace(run_fits, by_case=by_case)
