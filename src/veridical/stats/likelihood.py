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


class Fitted(NamedTuple):
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


NOTHING = Fitted(None, None, None)


class Box(NamedTuple):
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
    box: Box,
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
    p: Floats, slopes: Floats, same: Floats, rows: Floats, theta: Floats, free: Flags, damping: Floats, box: Box
) -> Floats:
    uphill = np.einsum("bl,blk->bk", (same - rows * p) / (p * (1 - p)), slopes)
    moving = free & ~((theta <= box.low) & (uphill < 0)) & ~((theta >= box.high) & (uphill > 0))
    matrix = information(p, slopes, rows) * (moving[:, :, None] & moving[:, None, :])
    k = np.arange(theta.shape[1])
    matrix[:, k, k] += damping[:, None] * (matrix[:, k, k] + 1e-6) + ~moving + 1e-9
    step = np.linalg.solve(matrix, np.where(moving, uphill, 0.0)[..., None])[..., 0]
    return np.asarray(np.clip(step, -_LONGEST, _LONGEST))
