"""The minimum detectable effect of a design, by simulation, before any request is sent."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

MOST_SIMULATED = 400
"""Larger designs are simulated with this many units, and the effect is scaled by the square root of their share."""

_FLIPS = 499
_STEPS = 9
_FINEST = 1000.0


def detectable(
    rows: ArrayLike,
    base: float,
    *,
    power: float = 0.8,
    level: float = 0.05,
    correlation: float = 0.2,
    draws: int = 400,
    seed: int = 0,
) -> float | None:
    """The minimum detectable effect: the smallest difference in proportions detected with `power`; `None` if none is.

    `rows`, shape (units, 2), holds the number of outcomes of each unit under the two conditions, each at least 1. One
    condition has the rate `base`, in (0, 1], the other a lower one. Outcomes are 0 or 1. Outcomes of a unit under one
    condition are correlated by `correlation`, in [0, 1) (beta-binomial); outcomes under different conditions are not.
    The differences of the units' two shares are tested by a two-sided sign-flip test at `level`. The result comes from
    bisection on simulated designs and is exact to a few percent of itself.

    >>> round(detectable(np.ones((200, 2)), 0.5, draws=200), 1)
    0.1
    """
    counts = np.asarray(rows, float)
    if counts.ndim != 2 or counts.shape[1] != 2 or (counts < 1).any():
        raise ValueError(f"rows of shape {counts.shape}: (units, 2) with at least 1 in each is needed")
    if not 0 < base <= 1 or not 0 <= correlation < 1:
        raise ValueError(f"base {base}, correlation {correlation}: (0, 1] and [0, 1) are allowed")
    units = len(counts)
    if units > MOST_SIMULATED:
        kept = counts[np.linspace(0, units - 1, MOST_SIMULATED).astype(int)]
        few = detectable(kept, base, power=power, level=level, correlation=correlation, draws=draws, seed=seed)
        return None if few is None else few * float(np.sqrt(MOST_SIMULATED / units))

    if units == 0:
        return None
    source = np.random.default_rng(seed)
    easier = _shares(source, counts[:, 0], base, correlation, draws)

    def detects(effect: float) -> bool:
        rng = deepcopy(source)
        harder = _shares(rng, counts[:, 1], base - effect, correlation, draws)
        return float((sign_flip_ps(easier - harder, rng) <= level).mean()) >= power

    if not detects(base):
        return None
    # Bisection on a log scale gives small and large effects the same relative precision.
    low, high = base / _FINEST, base
    for _ in range(_STEPS):
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if detects(middle) else (middle, high)
    return high


def sign_flip_ps(differences: Floats, rng: np.random.Generator) -> Floats:
    """The two-sided p of the sign-flip test for each column of `differences`, shape (units, designs).

    All columns share 499 random sign patterns. The observed pattern is counted too, so no p is below 0.002.
    """
    signs = 1.0 - 2.0 * rng.integers(0, 2, (_FLIPS, len(differences)))
    observed = np.abs(differences.sum(0)) * (1 - 1e-12)
    # As a matrix product it would take several threads, which mostly wait for each other at this size.
    sums = np.einsum("ij,jk->ik", signs, differences)
    hits: Floats = (np.abs(sums) >= observed).sum(0)
    return (1 + hits) / (1 + _FLIPS)


def _shares(rng: np.random.Generator, counts: Floats, rate: float, correlation: float, draws: int) -> Floats:
    """The share of ones in each unit of each simulated design, shape (units, draws)."""
    shape = (len(counts), draws)
    if correlation == 0 or rate <= 0 or rate >= 1:
        rates: Floats | float = min(max(rate, 0.0), 1.0)
    else:
        spread = (1 - correlation) / correlation
        rates = rng.beta(rate * spread, (1 - rate) * spread, shape)
    return np.asarray(rng.binomial(counts[:, None].astype(int), rates, shape) / counts[:, None])
