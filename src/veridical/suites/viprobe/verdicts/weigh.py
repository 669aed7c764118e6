"""Weights of hypotheses, their cross-validation, and confidence intervals of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from veridical.suite.conclusions import interval_text
from veridical.suites.viprobe.verdicts.explain import HypothesisFit
from veridical.suites.viprobe.verdicts.fit import PairProblem, best_fit, best_shared_fit
from veridical.suites.viprobe.verdicts.hypotheses import NOTHING, SHIFT, SHIFT_OF_ALL
from veridical.suites.viprobe.verdicts.model import HIGH, LOW, NOISE, Hypothesis

Floats = NDArray[np.float64]

DECISIVE = 6.0
"""2 Δ ln L from which one hypothesis beats another, without a penalty for parameters."""

DECISIVE_FOR_TWO = 8.5
"""The same for a rival with two more parameters: as rare by chance as `DECISIVE` is with one."""

_STEPS = 21
_REACH = 4.5
_SEVERAL = 4
"""From this many cases, their spread enters the standard error of the mean."""


@dataclass(frozen=True)
class Range:
    """A parameter with its 95 % interval by profile likelihood."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return interval_text(self.value, self.low, self.high, digits=2)


def weights(fits: Mapping[Hypothesis, HypothesisFit], units: int) -> dict[str, float]:
    """The weight of each hypothesis, by its best form; the weights sum to 1.

    BIC weights with the number of base items as n (Schwarz 1978): each parameter beyond σ and c costs ln(units) / 2.
    """
    best: dict[str, float] = {}
    for hypothesis, fit in fits.items():
        worth = fit.height - len(hypothesis.of_figures) * np.log(max(units, 2)) / 2
        best[hypothesis.name] = max(best.get(hypothesis.name, -np.inf), worth)
    shares = scipy.special.softmax(np.array(list(best.values())))
    return {name: float(share) for name, share in zip(best, shares, strict=True)}


def pooled_weights(case_weights: Sequence[Mapping[str, float]], *, rounds: int = 50) -> list[dict[str, float]]:
    """The weights of each case, with the frequency of each hypothesis among all cases as prior (empirical Bayes).

    The frequencies are estimated from the weights by expectation–maximization, with half a case added to each
    hypothesis. A case unlike all others thus needs more evidence, and one like them less.
    """
    names = list(case_weights[0])
    table = np.array([[each[name] for name in names] for each in case_weights])
    shares = np.full(len(names), 1 / len(names))
    posterior = table
    for _ in range(rounds):
        posterior = table * shares
        posterior = posterior / posterior.sum(1, keepdims=True)
        shares = (posterior.sum(0) + 0.5) / (len(case_weights) + 0.5 * len(names))
    return [dict(zip(names, row.tolist(), strict=True)) for row in posterior]


def gain(fits: Mapping[Hypothesis, HypothesisFit], name: str, other: str) -> float:
    """2 Δ ln L of the best form of hypothesis `name` over that of `other`."""
    one, two = (max(fit.height for h, fit in fits.items() if h.name == each) for each in (name, other))
    return float(2 * (one - two))


def challenge(fits: Mapping[Hypothesis, HypothesisFit]) -> float:
    """2 Δ ln L of the strongest rival over "no effect of figures", scaled so that `DECISIVE` beats it."""
    nothing = fits[NOTHING].height
    scale = {2: DECISIVE / DECISIVE_FOR_TWO}
    rivals = [
        (2 * (fit.height - nothing), len(h.of_figures)) for h, fit in fits.items() if h.name not in ("nothing", "flat")
    ]
    return float(max(gained * scale.get(more, 1.0) for gained, more in rivals))


def gain_over_shift_of_all(problem: PairProblem, fits: Mapping[Hypothesis, HypothesisFit]) -> float:
    """2 Δ ln L of a shift on figures over one shift on figures and controls alike.

    An observer that sees one target as more, or changes of one sign alone, does so without the figure too. The offset
    of a case, which controls and figures share, cannot stand for that, since its prior holds it near 0.
    """
    fit = fits[SHIFT]
    _, height = best_shared_fit(problem._replace(habits=fit.habits), SHIFT_OF_ALL, fit.theta)
    return float(2 * (fit.height - height.sum()))


def best_of(fits: Mapping[Hypothesis, HypothesisFit]) -> HypothesisFit:
    """The likeliest fit among hypotheses in which pictures are seen at all."""
    return max((fit for h, fit in fits.items() if h.effect != "flat"), key=lambda each: each.height)


def form(fits: Mapping[Hypothesis, HypothesisFit]) -> Hypothesis | None:
    """The form of loss that beats every other form decisively, or None."""
    ordered = sorted((each for each in fits if each.name == "loss"), key=lambda each: -fits[each].height)
    lead = 2 * (fits[ordered[0]].height - fits[ordered[1]].height)
    return ordered[0] if lead >= DECISIVE else None


def profile_range(problem: PairProblem, fit: HypothesisFit, place: int) -> Range:
    """A parameter of figures, shared by all problems, with its 95 % profile likelihood interval.

    The interval holds the values at which twice the profile log-likelihood is within the chi-square quantile of its
    maximum.
    """
    problem = problem._replace(habits=fit.habits)
    best = float(fit.theta[0, place])
    limit = float(scipy.special.chdtri(1, 0.05))
    reach = _width(problem, fit, place)
    low, high = max(best - reach, LOW[place]), min(best + reach, HIGH[place])
    grid = np.unique(np.concatenate([np.linspace(low, high, _STEPS), [best]]))
    many = problem._replace(counts=np.tile(problem.counts, (len(grid), 1, 1)), case=np.tile(problem.case, len(grid)))
    start = np.tile(fit.theta, (len(grid), 1))
    start[:, place] = np.repeat(grid, len(problem.case))
    others = tuple(each for each in fit.hypothesis.free if each != place)
    theta, _ = best_fit(many, fit.hypothesis, start, free=others, steps=8)
    heights = many.height(theta, np.arange(len(theta)), fit.hypothesis).reshape(len(grid), -1).sum(1)
    fall = 2 * (heights.max() - heights) - limit
    inside = np.flatnonzero(fall <= 0)
    return Range(best, _crossing(grid, fall, int(inside[0]), -1), _crossing(grid, fall, int(inside[-1]), 1))


def _crossing(grid: Floats, fall: Floats, place: int, way: int) -> float:
    """Where the fall crosses 0 beyond a grid point, by linear interpolation."""
    beyond = place + way
    if not 0 <= beyond < len(grid):
        return float(grid[place])
    share = fall[place] / (fall[place] - fall[beyond])
    return float(grid[place] + share * (grid[beyond] - grid[place]))


def _width(problem: PairProblem, fit: HypothesisFit, place: int) -> float:
    """How far to search for the ends of an interval, from a parabola through the likelihood."""
    step = 0.02
    here = problem.height(fit.theta, np.arange(len(fit.theta)), fit.hypothesis).sum()
    falls = []
    for way in (-step, step):
        moved = fit.theta.copy()
        moved[:, place] = np.clip(moved[:, place] + way, LOW[place], HIGH[place])
        others = tuple(each for each in fit.hypothesis.free if each != place)
        _, height = best_fit(problem, fit.hypothesis, moved, free=others, steps=6)
        apart = max(float(np.abs(moved[:, place] - fit.theta[:, place]).max()), 1e-9)
        falls.append(max(here - height.sum(), 1e-4) / apart**2)
    return float(np.clip(_REACH * np.sqrt(0.5 / max(falls)) * 1.5, 4 * step, 2.4))


def sigma(problem: PairProblem, fit: HypothesisFit) -> Range:
    """The noise of controls, with lapses and bias accounted for: the geometric mean over cases, with its 95 % interval.

    The standard error comes from the curvature at the best values. From four cases on, it is at least that of the
    spread over cases, with Student's t.
    """
    problem, theta = problem._replace(habits=fit.habits), fit.theta
    logs = theta[:, NOISE]
    own = _error(problem, fit)
    error = float(1 / np.sqrt((own**-2.0).sum()))
    half = float(scipy.special.ndtri(0.975)) * error
    if len(logs) >= _SEVERAL:
        among = float(logs.std(ddof=1)) / np.sqrt(len(logs))
        half = float(scipy.special.stdtrit(len(logs) - 1, 0.975)) * max(among, error)
    middle = float(logs.mean())
    return Range(*(float(np.exp(each)) for each in (middle, middle - half, middle + half)))


def _error(problem: PairProblem, fit: HypothesisFit) -> Floats:
    """The standard error of log σ of each case, with c at its best value."""
    step = 0.1
    everyone = np.arange(len(fit.theta))
    here = problem.height(fit.theta, everyone, fit.hypothesis)
    falls = []
    for way in (-step, step):
        moved = fit.theta.copy()
        moved[:, NOISE] += way
        others = tuple(each for each in fit.hypothesis.free if each != NOISE)
        _, height = best_fit(problem, fit.hypothesis, moved, free=others, steps=6)
        falls.append(np.maximum(here - height, 1e-3))
    curve = (falls[0] + falls[1]) / step**2
    return np.asarray(1 / np.sqrt(curve))
