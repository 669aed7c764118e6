"""Agreement of raters beyond chance, Cohen's kappa and Krippendorff's alpha, and noise added to a reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from veridical.stats.resample import (
    Codes,
    Floats,
    Statistic,
    disagreement_interval,
    undefined_statistic,
    unit_codes,
    unit_sums,
)

Weights = Literal["plain", "linear", "quadratic"]

_METHOD = "jackknife over units, one half-agreeing unit added"

Scale = Literal["nominal", "ordinal", "interval", "ratio"]

Pairs = Callable[[Floats, Floats], Floats]
"""Of counts by level and the totals by level of their scale, the summed squared distance of all ordered pairs."""


def cohen_kappa(
    first: ArrayLike,
    second: ArrayLike,
    *,
    weights: Weights = "plain",
    levels: Sequence[object] | None = None,
    units: ArrayLike | None = None,
    level: float = 0.95,
) -> Statistic:
    """Cohen's kappa of two raters, shape (rows,) each, with its interval; 1 is full agreement, 0 that of chance.

    Weights are "plain" (all disagreements are alike), "linear" or "quadratic" in the distance between `levels`, the
    possible ratings in their order (default: those that occur, sorted). No value if both raters give one and the same
    rating throughout, for then agreement by chance is full. Raises ValueError for raters of unequal length and for a
    rating that is none of the levels (Cohen 1960, 1968).

    >>> found = cohen_kappa([1, 1, 1, 0, 0, 0, 1, 0], [1, 1, 0, 0, 0, 0, 1, 1])
    >>> found.value, round(found.low, 3), round(found.high, 3)
    (0.5, -0.593, 1.0)
    >>> cohen_kappa([1, 1], [1, 1]).reason
    'both raters give one and the same rating'
    """
    one, two = np.asarray(first), np.asarray(second)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(f"ratings of shapes {one.shape} and {two.shape}: two of the same length are needed")
    codes = unit_codes(units, len(one))
    method = f"Cohen's kappa, {weights} weights; {_METHOD}" if weights != "plain" else f"Cohen's kappa; {_METHOD}"
    count = int(codes.max(initial=-1)) + 1
    if len(one) == 0:
        return undefined_statistic(0, 0, method, "nothing was rated by both")
    names = np.unique(np.concatenate([one, two])) if levels is None else np.asarray(levels)
    places = [_places(ratings, names) for ratings in (one, two)]
    rows = np.zeros((len(one), 2, len(names)))
    for rater, place in enumerate(places):
        rows[np.arange(len(one)), rater, place] = 1
    apart = _apart(len(names), weights)
    disagreed = unit_sums(apart[places[0], places[1]], codes)
    margins, sizes = unit_sums(rows, codes), np.bincount(codes).astype(float)
    value, expected = _kappa(disagreed.sum(), margins.sum(0), len(one), apart)
    if expected <= 0:
        return undefined_statistic(len(one), count, method, "both raters give one and the same rating")
    kappa = float(value)
    if count < 2:
        reason = "an interval needs at least two units"
        return Statistic(value=kappa, low=None, high=None, n=len(one), units=count, method=method, reason=reason)
    total = margins.sum(0)
    without, remaining = _kappa(disagreed.sum() - disagreed, total - margins, len(one) - sizes, apart)
    # Without its only deviating unit, both may give one rating: full agreement, as far as can be seen.
    without = np.where(remaining > 0, without, 1.0)
    unequal = _kappa(0.0, margins.sum(0), len(one), _apart(len(names), "plain"))[1]
    observed, typical = float(disagreed.sum() / len(one)), float(expected / unequal)
    low, high = disagreement_interval(observed / typical, float(expected) / typical, without, len(one) / count, level)
    return Statistic(value=kappa, low=low, high=high, n=len(one), units=count, method=method)


def _places(ratings: np.ndarray, names: np.ndarray) -> np.ndarray:
    """The place of each rating among the levels."""
    same = ratings[:, None] == names
    if not same.any(1).all():
        odd = ratings[~same.any(1)][0]
        raise ValueError(f"rating {odd}: {', '.join(map(str, names.tolist()))} are the levels")
    return np.asarray(same.argmax(1))


def _apart(levels: int, weights: Weights) -> Floats:
    """The disagreement of each pair of levels, as a share of the largest."""
    place = np.arange(levels)
    distance = np.abs(place[:, None] - place) / max(levels - 1, 1)
    return np.asarray({"plain": (distance > 0).astype(float), "linear": distance, "quadratic": distance**2}[weights])


def _kappa(disagreed: ArrayLike, margins: Floats, rows: ArrayLike, apart: Floats) -> tuple[Floats, Floats]:
    """Kappa and the disagreement by chance, of sums with any leading axes; kappa is NaN where chance has none."""
    size = np.asarray(rows, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = margins / size[..., None, None]
        expected = np.einsum("...i,ij,...j->...", shares[..., 0, :], apart, shares[..., 1, :])
        return np.asarray(1 - np.asarray(disagreed) / size / expected), np.asarray(expected)


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
        return undefined_statistic(n, count, method, "fewer than two items have two ratings")
    levels, counts = _counts(values[:, pairable], rated[:, pairable])
    if len(levels) < 2:
        return undefined_statistic(n, count, method, "all ratings are the same")
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
