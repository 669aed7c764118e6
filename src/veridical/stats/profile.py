"""The profile likelihood: how far the likelihood falls if one parameter is held and the others are maximized."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veridical.stats.likelihood import Box, Curve, Flags, Floats, Maximum, evaluate, log_likelihood, maximize

WORTH = 0.01
"""The gain of log-likelihood that is worth continuing the search."""

_NEAREST = 0.003
_POINTS = 14
_RATIO = _NEAREST ** (-1 / (_POINTS - 1))
_CLOSE = 2e-4
_BETWEEN = 5


class Problem(NamedTuple):
    """A curve, the counts at its levels, each of shape (levels,), and the search box of the parameters."""

    curve: Curve
    same: Floats
    rows: Floats
    box: Box

    def heights(self, theta: Floats) -> Floats:
        """The log-likelihood of parameters (..., k), of shape (...)."""
        p = evaluate(self.curve, theta.reshape(-1, theta.shape[-1]))[0]
        return log_likelihood(p, self.same, self.rows).reshape(theta.shape[:-1])

    def climb(self, theta: Floats, free: Flags, steps: int) -> Maximum:
        """The best values of the free parameters from each start (problems, k)."""
        return maximize(self.curve, theta, self.same, self.rows, self.box, free=free, close=_CLOSE, steps=steps)


class Profile(NamedTuple):
    """The profile of each parameter below (0) and above (1) its best value, in points that move outwards.

    `offsets` (k, 2, points) from the best value, the best parameters (`places`) there (k, 2, points, k), and twice the
    falls of the log-likelihood (`falls`, (k, 2, points)).
    """

    offsets: Floats
    places: Floats
    falls: Floats


def profile(problem: Problem, theta: Floats, height: float, others: Floats, shown: Box, along: Floats) -> Profile:
    """The profile out to the ends of `shown`, in steps that grow by a constant ratio.

    Each point starts where the other parameters follow the held one (`along`, shape (k, k): the slopes of all
    parameters in each), or at one of the `others` (places, k) if that is higher. The search continues from the places
    of neighboring points while that gains at least `WORTH`.
    """
    k, box = len(theta), problem.box
    reach = np.stack([np.minimum(shown.low - theta, 0), np.maximum(shown.high - theta, 0)], 1)
    offsets = reach[..., None] * np.geomspace(_NEAREST, 1, _POINTS)
    free = _free(k, _POINTS)
    held = free.reshape(-1, k)
    at = np.clip(theta + offsets[..., None] * along[:, None, None, :], box.low, box.high).reshape(-1, k)
    elsewhere = np.where(held[:, None], np.concatenate([theta[None], others]), at[:, None])
    peaks = problem.climb(_highest(problem, np.concatenate([at[:, None], elsewhere], 1)), held, 30)
    for _ in range(_POINTS):
        grid = peaks.theta.reshape(free.shape)
        near = _inwards(grid, theta)
        line = near + (near - _inwards(near, theta)) * _RATIO
        outer = np.concatenate([grid[:, :, 1:], grid[:, :, -1:]], 2)
        tried = np.stack([np.where(free, place, grid).reshape(-1, k) for place in (near, line, outer)], 1)
        best = _highest(problem, np.clip(tried, box.low, box.high))
        won = problem.heights(best) > peaks.height + WORTH
        if not won.any():
            break
        peaks.theta[won], peaks.height[won] = problem.climb(best[won], held[won], 10)
    falls = 2 * (height - peaks.height.reshape(offsets.shape))
    return Profile(
        np.concatenate([np.zeros((k, 2, 1)), offsets], 2),
        np.concatenate([np.broadcast_to(theta, (k, 2, 1, k)), peaks.theta.reshape(free.shape)], 2),
        np.concatenate([np.zeros((k, 2, 1)), falls], 2),
    )


def crossings(problem: Problem, profiled: Profile, height: float, limits: Floats) -> Floats:
    """Offsets (k, 2) beyond which twice the fall stays above the limit (k,) of its parameter; NaN if there is none."""
    k, points = len(limits), profiled.falls.shape[-1]
    last = points - 1 - np.argmax((profiled.falls <= limits[:, None, None])[..., ::-1], -1)
    side, below = np.ogrid[:k, :2], np.minimum(last + 1, points - 1)
    ends = [(profiled.offsets[*side, i], profiled.places[*side, i]) for i in (last, below)]
    share = np.linspace(0, 1, _BETWEEN + 2)[1:-1]
    (x0, inner), (x1, outer) = ends
    between = inner[:, :, None] + (outer - inner)[:, :, None] * share[:, None]
    free = _free(k, _BETWEEN)
    tried = [np.where(free, place, between).reshape(-1, k) for place in (between, inner[:, :, None], outer[:, :, None])]
    peaks = problem.climb(_highest(problem, np.stack(tried, 1)), free.reshape(-1, k), 15)
    x = np.concatenate([x0[..., None], x0[..., None] + (x1 - x0)[..., None] * share, x1[..., None]], -1)
    middle = 2 * (height - peaks.height.reshape(k, 2, -1))
    falls = np.concatenate(
        [profiled.falls[*side, last][..., None], middle, profiled.falls[*side, below][..., None]], -1
    )
    step = x.shape[-1] - 2 - np.argmax((falls[..., :-1] <= limits[:, None, None])[..., ::-1], -1)
    root = np.sqrt(np.maximum(falls, 0))
    rise = np.maximum(root[*side, step + 1] - root[*side, step], 1e-12)
    part = np.clip((np.sqrt(limits)[:, None] - root[*side, step]) / rise, 0, 1)
    offset = x[*side, step] + (x[*side, step + 1] - x[*side, step]) * part
    return np.where(last == points - 1, np.nan, offset)


def _highest(problem: Problem, places: Floats) -> Floats:
    """The highest of several places (problems, places, k) of each problem."""
    best = problem.heights(places).argmax(1)
    return np.asarray(places[np.arange(len(places)), best])


def _free(k: int, points: int) -> Flags:
    """Which parameters are free while each in turn is held, shape (k, 2, points, k)."""
    return np.broadcast_to(~np.eye(k, dtype=bool)[:, None, None, :], (k, 2, points, k))


def _inwards(grid: Floats, theta: Floats) -> Floats:
    """The place of each point's next point inwards."""
    return np.concatenate([np.broadcast_to(theta, grid[:, :, :1].shape), grid[:, :, :-1]], 2)
