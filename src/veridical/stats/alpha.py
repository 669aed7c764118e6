"""Krippendorff's alpha: agreement beyond chance of any number of raters, on any scale, with missing ratings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from veridical.stats.jackknife import Codes, Floats, Statistic, disagreement_interval, undefined, unit_codes, unit_sums

Scale = Literal["nominal", "ordinal", "interval", "ratio"]

_METHOD = "jackknife over units, one half-agreeing unit added"
Pairs = Callable[[Floats, Floats], Floats]
"""Of counts by level and the totals by level of their scale, the summed squared distance of all ordered pairs."""


def krippendorff_alpha(
    ratings: ArrayLike, scale: Scale = "nominal", *, units: ArrayLike | None = None, level: float = 0.95
) -> Statistic:
    """Krippendorff's alpha of ratings, shape (raters, items), NaN where missing, with its interval.

    1 is full agreement, 0 that of chance. Only items with two ratings or more count: `n` is the number of their
    ratings. Items that share a unit (`units`, shape (items,)) are left out together. A ratio scale has no negative
    ratings (ValueError). No value if fewer than two items count, or if all their ratings are the same (Krippendorff
    2004, 2011).

    >>> ratings = [[1, 2, 3, 3, 2, 1, 4, 1], [1, 2, 3, 3, 2, 2, 4, 1], [np.nan, 3, 3, 3, 2, 3, 4, 2]]
    >>> round(krippendorff_alpha(ratings, "nominal").value, 3), round(krippendorff_alpha(ratings, "ordinal").value, 3)
    (0.597, 0.764)
    """
    values = np.asarray(ratings, float)
    if values.ndim != 2:
        raise ValueError(f"ratings of shape {values.shape}: raters by items are needed")
    if scale == "ratio" and (values < 0).any():
        raise ValueError("a ratio scale has no ratings below 0")
    method = f"Krippendorff's alpha, {scale}; {_METHOD}"
    rated = ~np.isnan(values)
    pairable = rated.sum(0) >= 2
    n = int(rated[:, pairable].sum())
    codes = unit_codes(None if units is None else np.asarray(units)[pairable], int(pairable.sum()))
    count = int(codes.max(initial=-1)) + 1
    if pairable.sum() < 2:
        return undefined(n, count, method, "fewer than two items have two ratings")
    levels, counts = _counts(values[:, pairable], rated[:, pairable])
    if len(levels) < 2:
        return undefined(n, count, method, "all ratings are the same")
    pairs = _pairs(scale, levels)
    value, observed, expected = _whole(counts, pairs)
    if count < 2:
        reason = "an interval needs at least two units"
        return Statistic(value=value, low=None, high=None, n=n, units=count, method=method, reason=reason)
    without = _left_out(counts, codes, pairs, scale)
    # The distance of two different ratings on average.
    typical = expected / _whole(counts, _pairs("nominal", levels))[2]
    low, high = disagreement_interval(
        observed / typical, expected / typical, without, float(pairable.sum()) / count, level
    )
    return Statistic(value=value, low=low, high=high, n=n, units=count, method=method)


def _counts(values: Floats, rated: np.ndarray) -> tuple[Floats, Floats]:
    """The levels that occur, in order, and how often each item has each, shape (items, levels)."""
    levels, place = np.unique(values[rated], return_inverse=True)
    counts = np.zeros((values.shape[1], len(levels)))
    np.add.at(counts, (np.nonzero(rated)[1], place), 1)
    return levels, counts


def _pairs(scale: Scale, levels: Floats) -> Pairs:
    """What sums the squared distances of all ordered pairs on a scale, for counts with any leading axes."""
    if scale == "nominal":
        return lambda counts, _: np.asarray(counts.sum(-1) ** 2 - (counts**2).sum(-1))
    if scale == "ratio":
        with np.errstate(invalid="ignore"):
            share = np.nan_to_num((levels[:, None] - levels) / (levels[:, None] + levels)) ** 2
        return lambda counts, _: np.asarray(((counts @ share) * counts).sum(-1))
    if scale == "interval":
        return lambda counts, _: _squares(counts, levels - levels.mean())
    return lambda counts, totals: _squares(counts, _middle_ranks(totals))


def _squares(counts: Floats, at: Floats) -> Floats:
    """The summed squared distance of all ordered pairs of counts that lie at these places."""
    middle = ((counts * at).sum(-1) / counts.sum(-1))[..., None]
    return np.asarray(2 * counts.sum(-1) * (counts * (at - middle) ** 2).sum(-1))


def _middle_ranks(totals: Floats) -> Floats:
    """The ranks of levels: the distance of two on an ordinal scale is that of the middles of their ranks."""
    return np.asarray(totals.cumsum(-1) - totals / 2)


def _whole(counts: Floats, pairs: Pairs) -> tuple[float, float, float]:
    """Alpha, and the observed and the expected disagreement."""
    totals, size = counts.sum(0), counts.sum(1)
    observed = float((pairs(counts, totals) / (size - 1)).sum() / totals.sum())
    expected = float(pairs(totals, totals) / (totals.sum() * (totals.sum() - 1)))
    return 1 - observed / expected, observed, expected


def _left_out(counts: Floats, codes: Codes, pairs: Pairs, scale: Scale) -> Floats:
    """Alpha without each unit; 1 where all that remains is the same."""
    totals = counts.sum(0)
    less = totals - unit_sums(counts, codes)
    if scale == "ordinal":  # the scale itself depends on which ratings remain
        observed = np.array([(pairs(counts[codes != unit], each) / (counts[codes != unit].sum(1) - 1)).sum()
                             for unit, each in enumerate(less)])  # fmt: skip
    else:
        own = unit_sums(pairs(counts, totals) / (counts.sum(1) - 1), codes)
        observed = own.sum() - own
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = pairs(less, less) / (less.sum(1) - 1)
        return np.where(expected > 0, 1 - observed / expected, 1.0)
