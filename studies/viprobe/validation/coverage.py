"""Coverage of intervals and type-I errors of tests, on simulated runs with clustered replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
import polars as pl

from studies.viprobe.validation.design import design_frame
from studies.viprobe.validation.fit_coverage import OBSERVERS as FITTED
from studies.viprobe.validation.fit_coverage import same_different_coverage
from studies.viprobe.validation.truth import differences_of, truths
from veridical.records import Estimate, Json
from veridical.stats import sign_flip_p
from veridical.suites.viprobe.analysis.contrasts import contrasts
from veridical.suites.viprobe.analysis.differences import differences
from veridical.suites.viprobe.analysis.estimates import estimates
from veridical.suites.viprobe.analysis.pairs import asked_pairs
from veridical.suites.viprobe.observers.simulation import ViprobeMechanism, simulate
from veridical.suites.viprobe.options import strengths

CASES = ("muller_lyer", "ebbinghaus", "simultaneous_contrast", "zollner")
UNITS, LEVELS = 10, 10
FEW = 4
OBSERVERS: Mapping[str, ViprobeMechanism] = {
    "half the items recalled": ViprobeMechanism(
        memory=1.0, recognition=0.5, jnd=0.05, criterion=0.1, spread=0.05, lapse=0.1
    ),
    "most items recalled in part": ViprobeMechanism(
        memory=0.9, recognition=0.7, jnd=0.15, criterion=0.35, spread=0.1, lapse=0.03
    ),
    "fooled, and seeing badly": ViprobeMechanism(
        memory=0.5, recognition=0.8, jnd=0.2, criterion=0.3, spread=0.2, lapse=0.02, illusion=0.2
    ),
}
"""Observers whose replies are strongly correlated within base items: own offsets, recognized or not."""

NULLS: Mapping[str, ViprobeMechanism] = {
    name: replace(each, memory=0.0, illusion=0.0, recognition=1.0) for name, each in OBSERVERS.items()
}
"""The same observers without effects of figures or of the direction of a change."""

ALPHA = 0.05
_SCOPES = {(): "all cases", ("case",): "one case"}
_TRUE: Mapping[str, tuple[str, ...]] = {
    "PFA difference": ("all cases", "one case"),
    "asymmetry": ("all cases", "one case"),
    "gap": ("all cases",),
}
"""Differences that are 0 for `NULLS`. Gaps of single cases are left out: their p-values are Holm-corrected."""

_PAIRS = 12
_DISCORDANT = 0.5


def covered(job: Json, item: Json) -> Json:
    """Which intervals of one simulated run cover the truth: rows of observer, scope, metric, variant, held, open.

    `item` is the observer's name and the run's number. Differences are to the same observer without memory. An interval
    unbounded on one side covers every truth there, and an estimate without a value any truth; `open` counts both.
    """
    name, number = item
    rng = np.random.default_rng([job["seed"], 1, list(OBSERVERS).index(name), number])
    observer, frame = OBSERVERS[name], _frame()
    other = replace(observer, memory=0.0)
    first, second = simulate(frame, other, rng), simulate(frame, observer, rng)
    true_values = truths(observer, strengths(LEVELS))
    true_values |= differences_of(truths(other, strengths(LEVELS)), true_values)
    estimated = [*estimates(second), *differences(first, second)]
    return [[name, *row] for row in _held(estimated, true_values)]


def _held(estimated: Iterable[Estimate], true_values: Mapping[tuple[str, str | None], float]) -> Iterator[list[Json]]:
    for each in estimated:
        where = dict(each.slice)
        scope = "all cases" if where.pop("case", None) is None else "one case"
        variant = where.pop("variant", None)
        truth = true_values.get((each.metric, variant))
        if where or truth is None:
            continue
        low, high = each.low, each.high
        holds = (low is None or low <= truth) and (high is None or truth <= high)
        yield [scope, each.metric, variant, holds, low is None or high is None]


def fitted(job: Json, item: Json) -> Json:
    """Coverage of fitted psychometric functions: rows of observer, parameter, runs, covered, open.

    `item` is the number of the observer, that of the part, and the number of runs.
    """
    place, part, runs = item
    seed = int(np.random.SeedSequence([job["seed"], 2, place, part]).generate_state(1)[0])
    return [
        [place, each.parameter, each.runs, each.covered, each.open]
        for each in same_different_coverage(runs, seed, (FITTED[place],))
    ]


def rejected(job: Json, item: Json) -> Json:
    """Which tests of one simulated run reject a true null hypothesis: rows of test, scope, rejected.

    `item` is the observer's name and the run's number. Tests over all cases draw signs at random; those of one case
    enumerate them. Differences of two runs are also tested within cases of few units.
    """
    name, number = item
    rng = np.random.default_rng([job["seed"], 3, list(NULLS).index(name), number])
    first, second = (simulate(_frame(), NULLS[name], rng) for _ in range(2))
    few = (simulate(_frame(FEW), NULLS[name], rng) for _ in range(2))
    rows: list[list[Json]] = [
        [each.metric, f"one case of {FEW} units", each.p is not None and each.p <= ALPHA]
        for each in differences(*few)
        if tuple(each.slice) == ("case",)
    ]
    between_types = contrasts(*asked_pairs(second), ("gap", "asymmetry"), ((), ("case",)))
    for each in (*differences(first, second), *between_types):
        scope = _SCOPES.get(tuple(each.slice))
        if scope in _TRUE.get(each.metric, ()) and each.p is not None:
            rows.append([each.metric, scope, each.p <= ALPHA])
    odd = rng.random(_PAIRS) < _DISCORDANT
    signs = rng.choice([-1.0, 1.0], _PAIRS)
    return [*rows, ["one pair a unit", f"{_PAIRS} units", sign_flip_p(odd * signs) <= ALPHA]]


@lru_cache(maxsize=2)
def _frame(units: int = UNITS) -> pl.DataFrame:
    return design_frame(units, LEVELS, CASES)


def fits(seeds: int) -> list[Json]:
    """Work for `fitted`: two runs of each observer per seed, at most 20 at a time."""
    runs = 2 * seeds
    return [
        [place, part, min(20, runs - 20 * part)] for place in range(len(FITTED)) for part in range((runs + 19) // 20)
    ]
