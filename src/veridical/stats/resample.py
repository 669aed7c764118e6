"""Resampling whole units: the pictures of one base item stand or fall together."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Cells:
    """Rates in cells (picture types) of clustered rows, with bootstrap replicates of them over units.

    `sums`, shape (units, cells, metrics), and `rows`, shape (units, cells), hold what each unit adds; `strata`, shape
    (units,), names the stratum of each unit. A stratum of a single unit has no spread of its own: such strata are
    resampled together. The bootstrap draws one unit fewer than a stratum holds and scales the weights up to match,
    which makes the variance unbiased for few units as well (Rao and Wu 1988).
    """

    def __init__(
        self, sums: Floats, rows: Floats, strata: NDArray[np.int64], *, draws: int = 1000, seed: int = 0
    ) -> None:
        self.sums, self.rows, self._draws, self._seed = sums, rows, draws, seed
        names, place, size = np.unique(strata, return_inverse=True, return_counts=True)
        lonely = size[place] < 2
        # Relabelled from 0, so that slices of like design share their draws.
        self._strata = np.unique(np.where(lonely, len(names), place), return_inverse=True)[1]
        self.units = len(strata)
        self.df = self.units - len(np.unique(self._strata))

    @cached_property
    def rates(self) -> Floats:
        """The rate in each cell, shape (cells, metrics); NaN in a cell without rows."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.sums.sum(0) / self.rows.sum(0)[:, None])

    @cached_property
    def replicates(self) -> Floats:
        """Bootstrap replicates of the rates, shape (draws, cells, metrics).

        A cell that a draw leaves empty takes its rate over all units.
        """
        weights = _weights(self._strata.astype(np.int64).tobytes(), self._draws, self._seed)
        above = np.einsum("du,ucm->dcm", weights, self.sums, optimize=True)
        below = (weights @ self.rows)[..., None]
        return np.where(below > 0, above / np.where(below > 0, below, 1), self.rates)


@lru_cache(maxsize=4)
def _weights(strata: bytes, draws: int, seed: int) -> Floats:
    """How often each draw takes each unit, shape (draws, units), for units in these strata (int64 as bytes)."""
    places = np.frombuffer(strata, np.int64)
    rng = np.random.default_rng(seed)
    weights = np.ones((draws, len(places)))
    for stratum in np.unique(places):
        members = np.flatnonzero(places == stratum)
        size = len(members)
        if size > 1:
            drawn = rng.multinomial(size - 1, np.full(size, 1 / size), draws)
            weights[:, members] = drawn * size / (size - 1)
    weights.setflags(write=False)
    return weights


def sign_flip_p(differences: ArrayLike, *, draws: int = 9999, seed: int = 0) -> float:
    """The two-sided p of the hypothesis that each unit's difference could as well have the other sign.

    `differences`, shape (units,), are each unit's share of the statistic, which is their sum. With at most 13 units all
    sign patterns are counted, else `draws` random ones with the observed one among them.

    >>> sign_flip_p([1, 2, 3, 4])
    0.125
    """
    share = np.asarray(differences, float)
    share = share[share != 0]
    if len(share) == 0:
        return 1.0
    observed = abs(share.sum()) * (1 - 1e-12)
    if len(share) <= 13:
        signs = 1 - 2 * ((np.arange(2 ** len(share))[:, None] >> np.arange(len(share))) & 1)
        return float((np.abs(signs @ share) >= observed).mean())
    rng = np.random.default_rng(seed)
    hits = 0
    for start in range(0, draws, 1000):
        signs = 1 - 2 * rng.integers(0, 2, (min(1000, draws - start), len(share)))
        hits += int((np.abs(signs @ share) >= observed).sum())
    return (1 + hits) / (1 + draws)
