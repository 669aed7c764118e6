"""Coverage of the intervals of fitted psychometric functions, on simulated observers whose parameters are known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.stats.psychometric import fit_same_different, same_probability

LEVELS = (-0.5, -0.4, -0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5)


class Observer(NamedTuple):
    """The parameters of a simulated observer, its number of units, and how alike the replies of a unit are.

    `shared` is the share of the noise variance that lies between units. Each unit's lapse rate is beta-distributed
    around `lapse`. The second reply to a picture repeats the first with probability `repeated`.
    """

    units: int
    mu: float
    sigma: float
    criterion: float
    lapse: float
    shared: float = 0.3
    repeated: float = 0.5


OBSERVERS = (
    Observer(20, 0.05, 0.10, 0.20, 0.05),
    Observer(10, 0.05, 0.12, 0.22, 0.05),
    Observer(20, 0.00, 0.15, 0.10, 0.10),
    Observer(12, -0.10, 0.10, 0.15, 0.02, shared=0.5),
    Observer(15, 0.10, 0.15, 0.25, 0.05),
    Observer(20, 0.20, 0.20, 0.30, 0.05, shared=0.0, repeated=0.0),
)
"""Five observers, from clear to less clear, with correlated replies within a unit, and one with independent replies."""


class Coverage(NamedTuple):
    """How often the interval of a parameter contained the truth, and how often it was open on a side."""

    observer: Observer
    parameter: str
    runs: int
    covered: int
    open: int


def same_different_coverage(
    runs: int = 400, seed: int = 0, observers: tuple[Observer, ...] = OBSERVERS, level: float = 0.95
) -> Iterator[Coverage]:
    """Coverage of the intervals of mu and sigma for each observer, over `runs` data sets with two replies per picture.

    A side without a bound covers every truth on that side; such intervals are counted.
    """
    for place, observer in enumerate(observers):
        rng = np.random.default_rng([seed, place])
        covered, unbounded = dict.fromkeys(("mu", "sigma"), 0), dict.fromkeys(("mu", "sigma"), 0)
        for _ in range(runs):
            fit = fit_same_different(LEVELS, *simulated(observer, rng), level=level)
            for name, estimate, truth in (("mu", fit.mu, observer.mu), ("sigma", fit.sigma, observer.sigma)):
                low, high = estimate.low, estimate.high
                covered[name] += (low is None or low <= truth) and (high is None or truth <= high)
                unbounded[name] += low is None or high is None
        for name in covered:
            yield Coverage(observer, name, runs, covered[name], unbounded[name])


def simulated(observer: Observer, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The number of "same" replies and of all replies (two) at each of `LEVELS`, both of shape (units, levels)."""
    between = observer.sigma * np.sqrt(observer.shared)
    within = observer.sigma * np.sqrt(1 - observer.shared)
    mu = rng.normal(observer.mu, between, (observer.units, 1))
    lapse = rng.beta(5 * observer.lapse, 5 * (1 - observer.lapse), (observer.units, 1))
    p = same_probability(LEVELS, mu, within, observer.criterion, lapse)
    first, second = rng.random(p.shape) < p, rng.random(p.shape) < p
    second = np.where(rng.random(p.shape) < observer.repeated, first, second)
    return first.astype(np.int64) + second, np.full(p.shape, 2)
