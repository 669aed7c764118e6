"""What fits are worth: weights of explanations, how sure their parameters are, and whether any explanation fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from veridical.suites.viprobe.verdicts.explain import Fit
from veridical.suites.viprobe.verdicts.fit import Problem, fitted
from veridical.suites.viprobe.verdicts.hypotheses import NOTHING
from veridical.suites.viprobe.verdicts.model import HIGH, LOW, NOISE, Hypothesis

Floats = NDArray[np.float64]

DECISIVE = 6.0
"""2 Δ ln L by which one explanation beats another, without a penalty for parameters."""

DECISIVE_FOR_TWO = 8.5
"""The same for a rival with two parameters more: as rare by chance as `DECISIVE` is with one."""

_STEPS = 21
_REACH = 4.5
_SEVERAL = 4
"""Cases, from which on their spread tells how sure their mean is."""


@dataclass(frozen=True)
class Range:
    """A parameter with its 95 % interval by profile likelihood."""

    value: float
    low: float
    high: float

    def said(self, digits: int = 2, scale: float = 1.0) -> str:
        """The number and its interval in words."""
        told = f"{scale * self.value:.{digits}f} [{scale * self.low:.{digits}f}, {scale * self.high:.{digits}f}]"
        return told.replace("-", "−")


def weights(fits: Mapping[Hypothesis, Fit], units: int) -> dict[str, float]:
    """The weight of each kind of explanation, its best form standing for it; they add up to 1.

    BIC with the number of base items as n (Schwarz 1978): each parameter beyond σ and c costs half of ln(units).
    """
    best: dict[str, float] = {}
    for hypothesis, fit in fits.items():
        worth = fit.height - len(hypothesis.of_figures) * np.log(max(units, 2)) / 2
        best[hypothesis.name] = max(best.get(hypothesis.name, -np.inf), worth)
    shares = special.softmax(np.array(list(best.values())))
    return {name: float(share) for name, share in zip(best, shares, strict=True)}


def pooled(told: Sequence[Mapping[str, float]], *, rounds: int = 50) -> list[dict[str, float]]:
    """The weights of each case, given how common each kind of explanation is among all cases.

    The shares of the kinds are estimated from the weights themselves, by expectation and maximization, with half a case
    added to each kind; so a case that is unlike all others needs more evidence, and one like them less.
    """
    names = list(told[0])
    table = np.array([[each[name] for name in names] for each in told])
    shares = np.full(len(names), 1 / len(names))
    found = table
    for _ in range(rounds):
        found = table * shares
        found = found / found.sum(1, keepdims=True)
        shares = (found.sum(0) + 0.5) / (len(told) + 0.5 * len(names))
    return [dict(zip(names, row.tolist(), strict=True)) for row in found]


def gain(fits: Mapping[Hypothesis, Fit], name: str, other: str) -> float:
    """2 Δ ln L of the best form of one explanation over that of another."""
    one, two = (max(fit.height for h, fit in fits.items() if h.name == each) for each in (name, other))
    return float(2 * (one - two))


def challenge(fits: Mapping[Hypothesis, Fit]) -> float:
    """How near the strongest rival comes to beating that figures do nothing: 2 Δ ln L, `DECISIVE` where it does."""
    nothing = fits[NOTHING].height
    scale = {2: DECISIVE / DECISIVE_FOR_TWO}
    rivals = [
        (2 * (fit.height - nothing), len(h.of_figures)) for h, fit in fits.items() if h.name not in ("nothing", "flat")
    ]
    return float(max(gained * scale.get(more, 1.0) for gained, more in rivals))


def best_of(fits: Mapping[Hypothesis, Fit]) -> Fit:
    """The likeliest of the explanations in which pictures are seen at all."""
    return max((fit for h, fit in fits.items() if h.effect != "flat"), key=lambda each: each.height)


def form(fits: Mapping[Hypothesis, Fit]) -> Hypothesis | None:
    """The form of a loss that beats each other form decisively, if one does."""
    ordered = sorted((each for each in fits if each.name == "loss"), key=lambda each: -fits[each].height)
    lead = 2 * (fits[ordered[0]].height - fits[ordered[1]].height)
    return ordered[0] if lead >= DECISIVE else None


def profiled(problem: Problem, fit: Fit, place: int) -> Range:
    """What figures do, one and the same in all problems, with the values that the replies leave open.

    Those at which twice the log-likelihood lies within the quantile of chi-square below its top, all else at its best.
    """
    problem = problem._replace(habits=fit.habits)
    best = float(fit.theta[0, place])
    limit = float(special.chdtri(1, 0.05))
    reach = _width(problem, fit, place)
    low, high = max(best - reach, LOW[place]), min(best + reach, HIGH[place])
    grid = np.unique(np.concatenate([np.linspace(low, high, _STEPS), [best]]))
    many = problem._replace(counts=np.tile(problem.counts, (len(grid), 1, 1)), case=np.tile(problem.case, len(grid)))
    start = np.tile(fit.theta, (len(grid), 1))
    start[:, place] = np.repeat(grid, len(problem.case))
    others = tuple(each for each in fit.hypothesis.free if each != place)
    theta, _ = fitted(many, fit.hypothesis, start, free=others, steps=8)
    heights = many.height(theta, np.arange(len(theta)), fit.hypothesis).reshape(len(grid), -1).sum(1)
    fall = 2 * (heights.max() - heights) - limit
    inside = np.flatnonzero(fall <= 0)
    return Range(best, _crossing(grid, fall, int(inside[0]), -1), _crossing(grid, fall, int(inside[-1]), 1))


def _crossing(grid: Floats, fall: Floats, place: int, way: int) -> float:
    """Where the fall crosses 0 beyond a place of the grid, on the line between it and the next."""
    beyond = place + way
    if not 0 <= beyond < len(grid):
        return float(grid[place])
    share = fall[place] / (fall[place] - fall[beyond])
    return float(grid[place] + share * (grid[beyond] - grid[place]))


def _width(problem: Problem, fit: Fit, place: int) -> float:
    """How far to look for the ends of an interval: where the likelihood, taken as a parabola, has long fallen."""
    step = 0.02
    here = problem.height(fit.theta, np.arange(len(fit.theta)), fit.hypothesis).sum()
    falls = []
    for way in (-step, step):
        moved = fit.theta.copy()
        moved[:, place] = np.clip(moved[:, place] + way, LOW[place], HIGH[place])
        others = tuple(each for each in fit.hypothesis.free if each != place)
        _, height = fitted(problem, fit.hypothesis, moved, free=others, steps=6)
        apart = max(float(np.abs(moved[:, place] - fit.theta[:, place]).max()), 1e-9)
        falls.append(max(here - height.sum(), 1e-4) / apart**2)
    return float(np.clip(_REACH * np.sqrt(0.5 / max(falls)) * 1.5, 4 * step, 2.4))


def sigma(problem: Problem, fit: Fit) -> Range:
    """The noise of controls, after lapses and bias: the middle of the cases', with its interval.

    From the curvature at the best values; from four cases on Student's from the spread over cases, if that is wider.
    """
    problem, theta = problem._replace(habits=fit.habits), fit.theta
    logs = theta[:, NOISE]
    own = _error(problem, fit)
    error = float(1 / np.sqrt((own**-2.0).sum()))
    half = float(special.ndtri(0.975)) * error
    if len(logs) >= _SEVERAL:
        among = float(logs.std(ddof=1)) / np.sqrt(len(logs))
        half = float(special.stdtrit(len(logs) - 1, 0.975)) * max(among, error)
    middle = float(logs.mean())
    return Range(*(float(np.exp(each)) for each in (middle, middle - half, middle + half)))


def _error(problem: Problem, fit: Fit) -> Floats:
    """The standard error of log σ of each case, c at its best."""
    step = 0.1
    everyone = np.arange(len(fit.theta))
    here = problem.height(fit.theta, everyone, fit.hypothesis)
    falls = []
    for way in (-step, step):
        moved = fit.theta.copy()
        moved[:, NOISE] += way
        others = tuple(each for each in fit.hypothesis.free if each != NOISE)
        _, height = fitted(problem, fit.hypothesis, moved, free=others, steps=6)
        falls.append(np.maximum(here - height, 1e-3))
    curve = (falls[0] + falls[1]) / step**2
    return np.asarray(1 / np.sqrt(curve))
