"""The smallest shift and the just-noticeable differences that a design can measure, by simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from veridical.stats.fit import JND_PER_SIGMA, Fit
from veridical.stats.psychometric import first_probability, fit_same_different, fit_sigmoid, same_probability

Kind = Literal["same", "first"]
Counts = NDArray[np.int64]

SIGMAS = (0.03, 0.06, 0.1, 0.15, 0.25, 0.4)
"""Standard deviations of the observers' noise, in units of the levels."""

MOST_SIMULATED = 40
_USUAL, _FARTHEST, _LAPSE, _SHARED, _REPEATED = 0.15, 0.2, 0.04, 0.3, 0.5
_SURE, _Z = 1.96, 1.96 + 0.84
_SHARE = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What a design measures in four of five runs, in the unit of its levels.

    `shift` is the smallest shift of the point of subjective equality that differs significantly from 0, for an observer
    with noise of 0.15. `finest` and `coarsest` are the smallest and largest of the simulated just-noticeable
    differences that are bounded on both sides; finer ones have only an upper bound. `None`: no simulated value was.
    """

    shift: float | None
    finest: float | None
    coarsest: float | None


def resolution(levels: Sequence[float], units: int, replies: int, kind: Kind, *, runs: int = 25) -> Resolution:
    """What a design of `units` units, with `replies` replies at each of the signed `levels` (including 0), can measure.

    `kind` is the kind of replies: "same" or different, or whether the "first" of two is larger. Designs of more than 40
    units are simulated with 40; the shift is then scaled by the square root of their share, and the JNDs are those of
    40 units.

    >>> resolution([-1, -0.5, 0, 0.5, 1], 40, 2, "first", runs=10).finest > 0.15
    True
    """
    few = min(units, MOST_SIMULATED)
    needed = _SHARE * runs

    @cache
    def fits(sigma: float) -> list[Fit]:
        return _fits(np.asarray(levels, float), few, replies, kind, sigma, runs)

    def bounded(sigma: float) -> bool:
        return sum(fit.sigma.low is not None and fit.sigma.high is not None for fit in fits(sigma)) >= needed

    usual = SIGMAS.index(_USUAL)
    widths = [fit.mu.high - fit.mu.low for fit in fits(_USUAL) if fit.mu.low is not None and fit.mu.high is not None]
    shift = _Z / (2 * _SURE) * float(np.median(widths) * np.sqrt(few / units)) if len(widths) >= needed else None
    coarse = list(filter(bounded, SIGMAS[usual + 1 :]))
    fine = list(takewhile(bounded, SIGMAS[usual::-1]))
    jnds = [JND_PER_SIGMA * sigma for sigma in (*fine, *coarse)]
    return Resolution(shift=shift, finest=min(jnds, default=None), coarsest=max(jnds, default=None))


def _fits(levels: NDArray[np.float64], units: int, replies: int, kind: Kind, sigma: float, runs: int) -> list[Fit]:
    """Fits to `runs` runs, each of another observer with noise `sigma` and a PSE between −0.2 and 0.2."""
    fit = fit_same_different if kind == "same" else fit_sigmoid
    fitted: list[Fit] = []
    for run in range(runs):
        rng = np.random.default_rng([run, round(1000 * sigma)])
        yes = simulated_replies(levels, units, replies, kind, sigma, rng, shift=rng.uniform(-_FARTHEST, _FARTHEST))
        fitted.append(fit(levels, yes, np.full(yes.shape, replies)))
    return fitted


def simulated_replies(
    levels: NDArray[np.float64],
    units: int,
    replies: int,
    kind: Kind,
    sigma: float,
    rng: np.random.Generator,
    *,
    shift: float,
) -> Counts:
    """The number of "same" (or "first") replies of each unit at each level, shape (units, levels).

    The observer's PSE lies at `shift`. Three tenths of its noise variance lie between units; the lapse rate is 1 in 25
    on average and varies between units; half of the further replies to a picture repeat the first. Its criterion for
    "same" is its noise or 0.1, whichever is larger.
    """
    mu = rng.normal(shift, sigma * np.sqrt(_SHARED), (units, 1))
    lapse = rng.beta(5 * _LAPSE, 5 * (1 - _LAPSE), (units, 1))
    within = sigma * np.sqrt(1 - _SHARED)
    if kind == "same":
        p = same_probability(levels, mu, within, max(sigma, 0.1), lapse)
    else:
        p = first_probability(levels, mu, within, lapse)
    yes = rng.random((replies, *p.shape)) < p
    yes[1:] = np.where(rng.random((replies - 1, *p.shape)) < _REPEATED, yes[0], yes[1:])
    return np.asarray(yes.sum(0), np.int64)
