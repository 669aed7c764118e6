"""Maximum likelihood for a curve over levels.

Many problems are solved at once, one per row: starts, samples without a unit, parameters held at a value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Curve = Callable[[Floats], tuple[Floats, Floats]]
"""From parameters (problems, k) to probabilities (problems, levels) and their slopes (problems, levels, k)."""

_SURE = 1e-10
_LONGEST = 1.0

WORTH = 0.01
"""The gain of log-likelihood that is worth continuing the search."""

_NEAREST = 0.003
_POINTS = 14
_RATIO = _NEAREST ** (-1 / (_POINTS - 1))
_CLOSE = 2e-4
_BETWEEN = 5


class FittedNumber(NamedTuple):
    """A fitted number with its interval.

    `value` is `None` if the data single out no value; a bound is `None` if the data set none on that side. Bounds
    without a value are valid: the number lies between them.
    """

    value: float | None
    low: float | None
    high: float | None

    @property
    def identified(self) -> bool:
        """Whether there is a value, bounded on both sides."""
        return None not in self


NOTHING = FittedNumber(None, None, None)


class SearchBox(NamedTuple):
    """The search range of each parameter; both ends of shape (k,)."""

    low: Floats
    high: Floats


class Maximum(NamedTuple):
    """Best parameters (problems, k), and the log-likelihood there (problems,)."""

    theta: Floats
    height: Floats


def normal_density(z: Floats) -> Floats:
    """The density of the standard normal distribution.

    >>> round(float(normal_density(np.array(0.0))), 4)
    0.3989
    """
    return np.asarray(np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi))


def log_likelihood(p: Floats, same: Floats, rows: Floats) -> Floats:
    """The binomial log-likelihood, without its constant, of `same` out of `rows` at each level; shape (problems,)."""
    return np.asarray((same * np.log(p) + (rows - same) * np.log1p(-p)).sum(-1))


def information(p: Floats, slopes: Floats, rows: Floats) -> Floats:
    """The expected Fisher information, shape (problems, k, k)."""
    scaled = slopes * np.sqrt(rows / (p * (1 - p)))[..., None]
    return scaled.swapaxes(-1, -2) @ scaled


def evaluate(curve: Curve, theta: Floats) -> tuple[Floats, Floats]:
    """The curve, kept far enough from 0 and 1 that its logarithm is finite."""
    p, slopes = curve(theta)
    return np.clip(p, _SURE, 1 - _SURE), slopes


def maximize(
    curve: Curve,
    start: Floats,
    same: Floats,
    rows: Floats,
    box: SearchBox,
    *,
    free: Flags | None = None,
    close: float = 1e-6,
    steps: int = 60,
) -> Maximum:
    """The best parameters within the box, uphill from each start, by damped Fisher scoring.

    `start` has shape (problems, k), `same` and `rows` (problems, levels) or (levels,). A parameter stays fixed where
    `free`, shape (problems, k), is false. A problem ends when a step gains less than `close`, never lower than it
    started; it may end on a local maximum.
    """
    theta = np.clip(start, box.low, box.high)
    free = np.ones(theta.shape, bool) if free is None else free
    same, rows = (
        np.broadcast_to(same, (len(theta), same.shape[-1])),
        np.broadcast_to(rows, (len(theta), rows.shape[-1])),
    )
    p, slopes = evaluate(curve, theta)
    height = log_likelihood(p, same, rows)
    damping, open_ = np.full(len(theta), 1e-3), np.arange(len(theta))
    for _ in range(steps):
        step = _step(p[open_], slopes[open_], same[open_], rows[open_], theta[open_], free[open_], damping[open_], box)
        tried = np.clip(theta[open_] + step, box.low, box.high)
        new_p, new_slopes = evaluate(curve, tried)
        gain = log_likelihood(new_p, same[open_], rows[open_]) - height[open_]
        better = gain >= 0
        damping[open_] = np.clip(damping[open_] * np.where(better, 0.1, 10), 1e-9, 1e9)
        won = open_[better]
        theta[won], p[won], slopes[won] = tried[better], new_p[better], new_slopes[better]
        height[won] += gain[better]
        moved = np.abs(tried - theta[open_]).max(1) > 0
        open_ = open_[~((better & (gain < close)) | (~better & (damping[open_] >= 1e6)) | ~(better | moved))]
        if len(open_) == 0:
            break
    return Maximum(theta, height)


def _step(
    p: Floats, slopes: Floats, same: Floats, rows: Floats, theta: Floats, free: Flags, damping: Floats, box: SearchBox
) -> Floats:
    uphill = np.einsum("bl,blk->bk", (same - rows * p) / (p * (1 - p)), slopes)
    moving = free & ~((theta <= box.low) & (uphill < 0)) & ~((theta >= box.high) & (uphill > 0))
    matrix = information(p, slopes, rows) * (moving[:, :, None] & moving[:, None, :])
    k = np.arange(theta.shape[1])
    matrix[:, k, k] += damping[:, None] * (matrix[:, k, k] + 1e-6) + ~moving + 1e-9
    step = np.linalg.solve(matrix, np.where(moving, uphill, 0.0)[..., None])[..., 0]
    return np.asarray(np.clip(step, -_LONGEST, _LONGEST))


class LikelihoodProblem(NamedTuple):
    """A curve, the counts at its levels, each of shape (levels,), and the search box of the parameters."""

    curve: Curve
    same: Floats
    rows: Floats
    box: SearchBox

    def heights(self, theta: Floats) -> Floats:
        """The log-likelihood of parameters (..., k), of shape (...)."""
        p = evaluate(self.curve, theta.reshape(-1, theta.shape[-1]))[0]
        return log_likelihood(p, self.same, self.rows).reshape(theta.shape[:-1])

    def climb(self, theta: Floats, free: Flags, steps: int) -> Maximum:
        """The best values of the free parameters from each start (problems, k)."""
        return maximize(self.curve, theta, self.same, self.rows, self.box, free=free, close=_CLOSE, steps=steps)


class LikelihoodProfile(NamedTuple):
    """The profile of each parameter below (0) and above (1) its best value, in points that move outwards.

    `offsets` (k, 2, points) from the best value, the best parameters (`places`) there (k, 2, points, k), and twice the
    falls of the log-likelihood (`falls`, (k, 2, points)).
    """

    offsets: Floats
    places: Floats
    falls: Floats


def profile(
    problem: LikelihoodProblem, theta: Floats, height: float, others: Floats, shown: SearchBox, along: Floats
) -> LikelihoodProfile:
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
    return LikelihoodProfile(
        np.concatenate([np.zeros((k, 2, 1)), offsets], 2),
        np.concatenate([np.broadcast_to(theta, (k, 2, 1, k)), peaks.theta.reshape(free.shape)], 2),
        np.concatenate([np.zeros((k, 2, 1)), falls], 2),
    )


def crossings(problem: LikelihoodProblem, profiled: LikelihoodProfile, height: float, limits: Floats) -> Floats:
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


def _highest(problem: LikelihoodProblem, places: Floats) -> Floats:
    """The highest of several places (problems, places, k) of each problem."""
    best = problem.heights(places).argmax(1)
    return np.asarray(places[np.arange(len(places)), best])


def _free(k: int, points: int) -> Flags:
    """Which parameters are free while each in turn is held, shape (k, 2, points, k)."""
    return np.broadcast_to(~np.eye(k, dtype=bool)[:, None, None, :], (k, 2, points, k))


def _inwards(grid: Floats, theta: Floats) -> Floats:
    """The place of each point's next point inwards."""
    return np.concatenate([np.broadcast_to(theta, grid[:, :, :1].shape), grid[:, :, :-1]], 2)
