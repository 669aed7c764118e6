"""Families of tests, and the agreement of two rankings; a test that could not be made is `None` and counts for none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def holm(p: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted so that the chance of any false finding in the family stays at the level (Holm 1979).

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    known, order = _ordered(p)
    return _placed(p, order, np.maximum.accumulate(known * np.arange(len(known), 0, -1)))


def benjamini_hochberg(p: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted so that the expected share of false findings among all stays at the level (1995).

    >>> benjamini_hochberg([0.01, 0.04, None, 0.03])
    [0.03, 0.04, None, 0.04]
    """
    known, order = _ordered(p)
    grown = known * len(known) / np.arange(1, len(known) + 1)
    return _placed(p, order, np.minimum.accumulate(grown[::-1])[::-1])


def kendall_tau(first: ArrayLike, second: ArrayLike) -> float | None:
    """Kendall's tau-b of two rankings of the same things, in [-1, 1]; `None` where one of them ranks nothing.

    >>> round(kendall_tau([1, 2, 3, 3], [1, 3, 2, 4]), 4)
    0.5477
    """
    one, two = np.asarray(first, float), np.asarray(second, float)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(f"rankings of shapes {one.shape} and {two.shape}: one of each thing is needed")
    if len(np.unique(one)) < 2 or len(np.unique(two)) < 2:
        return None
    from scipy.stats import kendalltau  # takes longer to load than all else together

    return float(kendalltau(one, two).statistic)


def _ordered(p: Sequence[float | None]) -> tuple[Floats, NDArray[np.int64]]:
    known = np.array([each for each in p if each is not None], float)
    if not ((known >= 0) & (known <= 1)).all():
        raise ValueError("p-values must lie in [0, 1]")
    order = np.argsort(known, kind="stable")
    return known[order], order


def _placed(p: Sequence[float | None], order: NDArray[np.int64], adjusted: Floats) -> list[float | None]:
    known = np.empty(len(order))
    known[order] = np.minimum(adjusted, 1.0)
    values = iter(known.tolist())
    return [None if each is None else next(values) for each in p]
