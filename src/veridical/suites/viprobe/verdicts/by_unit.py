"""A form of loss that needs counts by base item: some items are recalled as wholes, the others are seen."""

from __future__ import annotations

import numpy as np
import scipy

from veridical.suites.viprobe.verdicts.counts import CHANGED, SAME
from veridical.suites.viprobe.verdicts.dispersion import whole_and_halves
from veridical.suites.viprobe.verdicts.explain import Explained
from veridical.suites.viprobe.verdicts.fit import fitted
from veridical.suites.viprobe.verdicts.hypotheses import FLAT, LOSS, NOTHING
from veridical.suites.viprobe.verdicts.model import SHARE

_ROUNDS = 12
_PICTURE = LOSS[0]


def recalled_by_unit(run_fits: Explained) -> tuple[float, float]:
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
    for _ in range(_ROUNDS):
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
        theta, _ = fitted(problem._replace(counts=counts), NOTHING, theta, steps=6)
        share = float(np.clip(chance.mean(), 1e-3, 1 - 1e-3))
    others = max(
        float((problem.counts * problem.log_chances(run_fits.together[each].theta, everyone, each)).sum())
        for each in LOSS
    )
    return 2 * (height - others), share
