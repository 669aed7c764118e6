"""Cross-validation of the hypotheses over base items, to validate the weights by BIC."""

from __future__ import annotations

import numpy as np

from veridical.suites.viprobe.verdicts.counts import Counts
from veridical.suites.viprobe.verdicts.explain import explained


def left_out(control: Counts, figure: Counts, *, folds: int = 5) -> dict[str, float]:
    """Cross-validated log-likelihood of the best form of each hypothesis.

    Folds are base items of each case, in the order of their names: replies to one item are correlated, so items must be
    left out whole.
    """
    turn = np.concatenate([np.arange(size) % folds for size in control.units])
    log_likelihoods: dict[tuple[str, str], float] = {}
    for fold in range(folds):
        kept = turn != fold
        run_fits = explained(control.of_units(kept), figure.of_units(kept))
        rest = [each.of_units(~kept).total for each in (control, figure)]
        problem = run_fits.problem._replace(counts=np.concatenate(rest, 1))
        for each, fit in run_fits.together.items():
            held_out = problem._replace(habits=fit.habits)
            logs = held_out.log_chances(fit.theta, np.arange(len(fit.theta)), each)
            key = each.name, each.effect
            log_likelihoods[key] = log_likelihoods.get(key, 0.0) + float((held_out.counts * logs).sum())
    return {
        name: max(value for (one, _), value in log_likelihoods.items() if one == name) for name, _ in log_likelihoods
    }
