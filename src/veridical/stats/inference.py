"""Inference on each parameter of a curve from clustered replies: profile likelihood, scaled by a design effect."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from veridical.stats.likelihood import (
    WORTH,
    Curve,
    FittedNumber,
    Floats,
    LikelihoodProblem,
    SearchBox,
    crossings,
    evaluate,
    information,
    log_likelihood,
    maximize,
    profile,
)

_TINY = 1e-8
_STARTS = 12
_POLISHED = 4
_LEVEL_GROUND = 0.02
"""Twice a fall of the log-likelihood that is too small to distinguish two values: a seventh of a standard error."""

_WIDE = 0.3
"""If the likelihood is level over more than this share of an interval, no value in it is singled out."""


class Data(NamedTuple):
    """Counts by unit and level, both of shape (units, levels), and the stratum of each unit."""

    same: Floats
    rows: Floats
    strata: NDArray[np.int64]

    @property
    def total(self) -> tuple[Floats, Floats]:
        return self.same.sum(0), self.rows.sum(0)

    @property
    def df(self) -> int:
        return len(self.strata) - len(np.unique(self.strata))


class Inference(NamedTuple):
    """The best parameters (k,), their log-likelihood, the estimate of each, and the best without each unit."""

    theta: Floats
    height: float
    fitted: list[FittedNumber]
    left_out: Floats


def differs_by_level(data: Data, level: float) -> bool:
    """Whether rates differ more between levels than between units at one level: an F test of the cells."""
    same, rows = data.total
    p = same / rows
    pooled = same.sum() / rows.sum()
    cells = data.rows > 0
    within = float(((data.same - data.rows * p) ** 2 / np.where(cells, data.rows, 1)).sum())
    between = float((rows * (p - pooled) ** 2).sum())
    df, spare = len(p) - 1, int(cells.sum()) - len(p)
    if within <= 0 or between <= 0 or spare < 1:
        return between > 0
    return bool(scipy.special.fdtr(df, spare, between / df / (within / spare)) > level)


def infer(
    curve: Curve, starts: Floats, data: Data, box: SearchBox, shown: SearchBox, closed: tuple[bool, ...], level: float
) -> Inference:
    """The fit, with an interval for each parameter.

    The interval comes from the profile likelihood, with units as clusters: twice the fall is divided by the design
    effect of the parameter and compared with the square of Student's t. The design effect, at least 1, is the jackknife
    variance over units, divided by the variance for the same number of independent replies. If no variance can be
    computed, each unit counts as one reply per level. Bounds are reported inside `shown`, which lies so far inside
    `box` that the end of one parameter does not bound another. `closed` says which parameters may lie on an end.
    """
    same, rows = data.total
    problem = LikelihoodProblem(curve, same, rows, box)
    start = np.clip(starts, box.low, box.high)
    start = start[np.argsort(-log_likelihood(evaluate(curve, start)[0], same, rows))[:_STARTS]]
    tried = maximize(curve, start[:_POLISHED], same, rows, box)
    for _ in range(_POLISHED):
        best = int(np.argmax(tried.height))
        theta, height = tried.theta[best], float(tried.height[best])
        left, effect, along = _units_left_out(curve, theta, data, box)
        fall = profile(problem, theta, height, np.concatenate([start, tried.theta]), shown, along)
        if fall.falls.min() > -2 * WORTH:
            break
        higher = fall.places.reshape(-1, len(theta))[[int(np.argmin(fall.falls))]]
        tried = maximize(curve, higher, same, rows, box)
    limit = float(scipy.special.stdtrit(data.df, 0.5 + level / 2)) ** 2
    reached = crossings(problem, fall, height, limit * effect)
    ground = crossings(problem, fall, height, _LEVEL_GROUND * effect)
    ends = fall.falls[..., -1].min(1) / effect
    fitted = [
        _bounded(
            theta[j], reached[j], ground[j], bool(ends[j] < _LEVEL_GROUND), (shown.low[j], shown.high[j]), closed[j]
        )
        for j in range(len(theta))
    ]
    return Inference(theta, height, fitted, left)


def _units_left_out(curve: Curve, theta: Floats, data: Data, box: SearchBox) -> tuple[Floats, Floats, Floats]:
    """The fit without each unit (units, k), the design effects (k,), the slopes of all parameters in each (k, k).

    The fit without a unit is one scoring step from the fit with all units; parameters on an end of the box stay there.
    """
    p, slopes = (part[0] for part in evaluate(curve, theta[None]))
    inside = (theta > box.low) & (theta < box.high)
    scores = ((data.same - data.rows * p) / (p * (1 - p))) @ slopes * inside
    ridge = np.diag(~inside + _TINY)
    own = np.stack([information(p, slopes, rows) for rows in (*data.rows, data.rows.sum(0))]) * np.outer(inside, inside)
    left = theta - np.linalg.solve(own[-1] - own[:-1] + ridge, scores[..., None])[..., 0]
    spread = np.linalg.inv(own[-1] + ridge)
    clustered = np.zeros(len(theta))
    for stratum in np.unique(data.strata):
        members = left[data.strata == stratum]
        clustered += (len(members) - 1) / len(members) * ((members - members.mean(0)) ** 2).sum(0)
    usable = inside & (np.sqrt(np.diag(spread)) < (box.high - box.low) / 6) & (clustered > 0)
    effect = np.where(usable, np.maximum(clustered / np.diag(spread), 1), data.rows.max())
    return left, effect, (spread / np.diag(spread)).T


def _bounded(
    best: float, reached: Floats, ground: Floats, flat: bool, ends: tuple[float, float], closed: bool
) -> FittedNumber:
    """The parameter with its bounds, from the offsets of the limit and of the level ground from its best value."""
    low, high = (None if np.isnan(step) else float(best + step) for step in reached)
    if closed:
        return FittedNumber(float(best), ends[0] if low is None else low, ends[1] if high is None else high)
    wide = ground[1] - ground[0] > _WIDE * (reached[1] - reached[0])
    return FittedNumber(None if flat or wide else float(best), low, high)
