"""Whether the hypothesis that BIC prefers also predicts left-out base items best."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import partial

import numpy as np

from studies.viprobe.validation.observers import CATALOGUE, outcomes_of, planned
from veridical.base.markdown import table
from veridical.records import Json
from veridical.suites.viprobe.asking.settings import with_settings
from veridical.suites.viprobe.verdicts.counts import PairCounts, pair_counts
from veridical.suites.viprobe.verdicts.explain import explanation
from veridical.suites.viprobe.verdicts.weigh import weights

LEFT_OUT = (
    "perfect",
    "lapses 10 %, yes bias 25 %",
    "units differ",
    "heavy tails, weak",
    "strict criterion on figures",
    "noise on figures",
    "recalls half of the replies",
    "recalls half of the pictures",
    "recalls half of the units",
    "recalls every figure, inducers recited",
    "a coin",
    "inverted on figures",
    "illusory_percept, default",
)
RUNS, FOLDS = 3, 3
CLOSE = 3.0
"""In log-likelihood of all left-out replies: within this, a simpler hypothesis is as good as the best one."""


def left_out(control: PairCounts, figure: PairCounts, *, folds: int = 5) -> dict[str, float]:
    """Cross-validated log-likelihood of the best form of each hypothesis.

    Folds are base items of each case, in the order of their names: replies to one item are correlated, so items must be
    left out whole.
    """
    turn = np.concatenate([np.arange(size) % folds for size in control.units])
    log_likelihoods: dict[tuple[str, str], float] = {}
    for fold in range(folds):
        kept = turn != fold
        run_fits = explanation(control.of_units(kept), figure.of_units(kept))
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


def predicted(job: Json, item: Json) -> Json:
    """One run: the observer's name, the hypothesis by BIC, the one that predicts best, and its lead."""
    name, number = item
    observer = CATALOGUE[name]
    frames = partial(planned, units=job["units"], levels=job["levels"], cases=job["cases"] and tuple(job["cases"]))
    contexts = pair_counts(with_settings(outcomes_of(observer, [job["seed"], 7, number], frames(observer.needs))))
    control, figure = contexts["control"], contexts["figure"]
    weighed = weights(explanation(control, figure).together, len(control.case))
    by_bic = max(weighed, key=lambda each: weighed[each])
    log_likelihoods = left_out(control, figure, folds=FOLDS)
    best = max(log_likelihoods, key=lambda each: log_likelihoods[each])
    return [name, by_bic, best, log_likelihoods[best] - log_likelihoods[by_bic]]


def compared(results: Iterable[Json]) -> str:
    """The table: hypotheses by BIC and by left-out items per observer, and how often they agree."""
    groups: dict[str, list[Json]] = defaultdict(list)
    for name, *row in results:
        groups[name].append(row)
    rows = [
        [
            name,
            _counts(by_bic for by_bic, *_ in of),
            _counts(best for _, best, _ in of),
            f"{sum(apart <= CLOSE for *_, apart in of)} of {len(of)}",
            f"{max(apart for *_, apart in of):.1f}",
        ]
        for name, of in groups.items()
    ]
    return table(["observer", "by BIC", "by left-out items", "agree", "largest difference"], rows)


def _counts(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in Counter(names).most_common())
