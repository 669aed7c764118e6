"""Explanations held against base items that they were not fitted to: what weights by BIC are validated with."""

from __future__ import annotations

import numpy as np

from veridical.suites.viprobe.verdicts.counts import Counts
from veridical.suites.viprobe.verdicts.explain import explained


def left_out(control: Counts, figure: Counts, *, folds: int = 5) -> dict[str, float]:
    """The log-likelihood of each kind of explanation, its best form, of base items left out of its fit in their turn.

    Items of each case are left out a fold at a time, in the order of their names. Replies of an item are alike, so that
    items are what may be left out, not replies.
    """
    turn = np.concatenate([np.arange(size) % folds for size in control.units])
    told: dict[tuple[str, str], float] = {}
    for fold in range(folds):
        kept = turn != fold
        found = explained(control.of_units(kept), figure.of_units(kept))
        rest = [each.of_units(~kept).total for each in (control, figure)]
        problem = found.problem._replace(counts=np.concatenate(rest, 1))
        for each, fit in found.together.items():
            there = problem._replace(habits=fit.habits)
            logs = there.log_chances(fit.theta, np.arange(len(fit.theta)), each)
            key = each.name, each.effect
            told[key] = told.get(key, 0.0) + float((there.counts * logs).sum())
    return {name: max(value for (one, _), value in told.items() if one == name) for name, _ in told}
