"""Corrections for families of tests, and rank correlation. A test without a p-value is `None` and is not counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def holm(p: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted to control the family-wise error rate (Holm 1979).

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    ordered, order = _ordered(p)
    return _placed(p, order, np.maximum.accumulate(ordered * np.arange(len(ordered), 0, -1)))


def benjamini_hochberg(p: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted to control the false discovery rate (Benjamini and Hochberg 1995).

    >>> benjamini_hochberg([0.01, 0.04, None, 0.03])
    [0.03, 0.04, None, 0.04]
    """
    ordered, order = _ordered(p)
    grown = ordered * len(ordered) / np.arange(1, len(ordered) + 1)
    return _placed(p, order, np.minimum.accumulate(grown[::-1])[::-1])


def kendall_tau(first: ArrayLike, second: ArrayLike) -> float | None:
    """Kendall's tau-b of two rankings of the same items, in [-1, 1]; `None` if all items of one ranking are tied.

    >>> round(kendall_tau([1, 2, 3, 3], [1, 3, 2, 4]), 4)
    0.5477
    """
    one, two = np.asarray(first, float), np.asarray(second, float)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(f"rankings of shapes {one.shape} and {two.shape}: two of the same length are needed")
    if len(np.unique(one)) < 2 or len(np.unique(two)) < 2:
        return None
    from scipy.stats import kendalltau  # takes longer to load than everything else together

    return float(kendalltau(one, two).statistic)


def _ordered(p: Sequence[float | None]) -> tuple[Floats, NDArray[np.int64]]:
    values = np.array([each for each in p if each is not None], float)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("p-values must lie in [0, 1]")
    order = np.argsort(values, kind="stable")
    return values[order], order


def _placed(p: Sequence[float | None], order: NDArray[np.int64], adjusted: Floats) -> list[float | None]:
    restored = np.empty(len(order))
    restored[order] = np.minimum(adjusted, 1.0)
    values = iter(restored.tolist())
    return [None if each is None else next(values) for each in p]
