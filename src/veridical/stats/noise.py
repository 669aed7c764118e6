"""Noise added to a reference, to see what of an agreement rests on its exactness."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from veridical.stats.jackknife import Floats


def noisy(reference: ArrayLike, amount: float, *, bounds: tuple[float, float], seed: int = 0) -> Floats:
    """A reference with normal noise of `amount` of its own standard deviations, cut at the bounds.

    The same seed gives the same noise times its amount. Raises ValueError for an amount below 0.

    >>> noisy([0.0, 5.0, 10.0], 0.5, bounds=(0.0, 10.0), seed=1).round(2).tolist()
    [0.71, 6.68, 10.0]
    """
    if amount < 0:
        raise ValueError(f"amount {amount}: 0 or more is needed")
    values = np.asarray(reference, float)
    spread = float(values.std()) if len(values) else 0.0
    noise = np.random.default_rng(seed).normal(size=len(values))
    return np.clip(values + amount * spread * noise, *bounds)
