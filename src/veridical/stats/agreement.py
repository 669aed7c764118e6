"""Agreement of two raters beyond chance: Cohen's kappa, plain and weighted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from veridical.stats.jackknife import Floats, Statistic, disagreement_interval, undefined, unit_codes, unit_sums

Weights = Literal["plain", "linear", "quadratic"]

_METHOD = "jackknife over units, one half-agreeing unit added"


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
        return undefined(0, 0, method, "nothing was rated by both")
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
        return undefined(len(one), count, method, "both raters give one and the same rating")
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
