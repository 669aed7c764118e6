"""Psychometric functions of same/different and of comparison replies: points of subjective equality, noise, shifts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import product

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from veridical.stats.fit import Fit, fit_curve, replies
from veridical.stats.likelihood import NOTHING, Curve, FittedNumber, Floats, normal_density

_STARTS = np.array(
    [
        (mu, np.log(sigma), lapse, criterion)
        for mu, sigma, lapse, criterion in product(
            np.linspace(-1.2, 1.2, 9), (0.02, 0.08, 0.3, 1.0), (0.02, 0.2), (0.05, 0.15, 0.4, 1.0)
        )
    ]
)

_SIGMOID_STARTS = np.array(
    [
        (mu, np.log(sigma), lapse)
        for mu, sigma, lapse in product(np.linspace(-1.2, 1.2, 13), (0.02, 0.08, 0.3, 1.0, 4.0), (0.02, 0.2))
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SameDifferentFit(Fit):
    """The fit of same/different replies, with the criterion: the largest difference that is still called the same."""

    criterion: FittedNumber = NOTHING


def same_probability(
    alpha: ArrayLike, mu: ArrayLike, sigma: ArrayLike, criterion: ArrayLike, lapse: ArrayLike
) -> NDArray[np.float64]:
    """The probability of the reply "same" at a difference `alpha`; arguments broadcast.

    The observer sees alpha − mu with normal noise of standard deviation `sigma` > 0 and replies "same" if that lies
    within `criterion` >= 0 of zero. With probability `lapse`, in [0, 1], the reply is a coin toss.

    >>> round(float(same_probability(0.2, 0.0, 0.1, 0.2, 0.0)), 4)
    0.5
    """
    seen, spread, edge = np.subtract(alpha, mu), np.asarray(sigma, float), np.asarray(criterion, float)
    guess = np.asarray(lapse, float)
    inside = scipy.special.ndtr((edge - seen) / spread) - scipy.special.ndtr((-edge - seen) / spread)
    return np.asarray(guess / 2 + (1 - guess) * inside)


def fit_same_different(
    alpha: ArrayLike, same: ArrayLike, rows: ArrayLike, strata: ArrayLike | None = None, *, level: float = 0.95
) -> SameDifferentFit:
    """The maximum-likelihood fit of `same_probability` to clustered replies, with an interval for each parameter.

    `alpha`, shape (levels,), are the signed differences, 0 for none. `same` and `rows`, shape (units, levels), are the
    number of "same" replies and of all replies of each unit. `strata`, shape (units,), is the stratum of each unit. The
    observer's noise and the spread of mu between units make up one sigma: both flatten the curve of all units. The fit
    has a reason and no values if there are fewer than 3 levels or 2 units, or if all replies are alike or do not depend
    on the level. If every change of reply falls between two levels, sigma has only an upper bound. Raises ValueError if
    shapes disagree or counts are impossible.

    >>> fit = fit_same_different([-0.4, -0.2, 0, 0.2, 0.4], [[0, 1, 2, 2, 0], [0, 0, 2, 1, 1]] * 4, np.full((8, 5), 2))
    >>> round(fit.mu.value, 3), fit.identified
    (0.074, True)
    """
    observed = replies(alpha, same, rows, strata)
    reason = observed.nothing(yes='"same"', no='"different"', level=level)
    fit, criterion = fit_curve(_curve, _STARTS, observed, reason, level)
    return SameDifferentFit(criterion=criterion, **{part.name: getattr(fit, part.name) for part in fields(fit)})


def _curve(levels: Floats) -> Curve:
    def at(theta: Floats) -> tuple[Floats, Floats]:
        mu, spread, lapse, criterion = (theta[:, [j]] for j in range(4))
        sigma = np.exp(spread)
        above, below = (criterion - levels + mu) / sigma, (-criterion - levels + mu) / sigma
        inside = scipy.special.ndtr(above) - scipy.special.ndtr(below)
        at_above, at_below = normal_density(above), normal_density(below)
        seen = 1 - lapse
        slopes = np.stack(
            [
                seen * (at_above - at_below) / sigma,
                seen * (below * at_below - above * at_above),
                0.5 - inside,
                seen * (at_above + at_below) / sigma,
            ],
            -1,
        )
        return lapse / 2 + seen * inside, slopes

    return at


def first_probability(alpha: ArrayLike, mu: ArrayLike, sigma: ArrayLike, lapse: ArrayLike) -> NDArray[np.float64]:
    """The probability of the reply "first" if the first is larger by `alpha`; arguments broadcast.

    The observer sees alpha − mu with normal noise of standard deviation `sigma` > 0 and replies "first" if that is
    above zero. With probability `lapse`, in [0, 1], the reply is a coin toss.

    >>> round(float(first_probability(0.1, 0.0, 0.1, 0.04)), 4)
    0.8277
    """
    guess = np.asarray(lapse, float)
    seen = scipy.special.ndtr(np.subtract(alpha, mu) / np.asarray(sigma, float))
    return np.asarray(guess / 2 + (1 - guess) * seen)


def fit_sigmoid(
    alpha: ArrayLike, first: ArrayLike, rows: ArrayLike, strata: ArrayLike | None = None, *, level: float = 0.95
) -> Fit:
    """The maximum-likelihood fit of `first_probability` to clustered replies, with an interval for each parameter.

    `alpha`, shape (levels,), is by how much the first is larger. `first` and `rows`, shape (units, levels), are the
    number of "first" replies and of all replies of each unit. `strata`, shape (units,), is the stratum of each unit.
    `mu` is the difference at which both look equal. Raises ValueError if shapes disagree or counts are impossible.

    >>> fit = fit_sigmoid([-0.4, -0.2, 0, 0.2, 0.4], [[0, 0, 1, 2, 2], [0, 1, 1, 1, 2]] * 4, np.full((8, 5), 2))
    >>> abs(round(fit.mu.value, 3)), fit.identified
    (0.0, True)
    """
    observed = replies(alpha, first, rows, strata)
    return fit_curve(
        _sigmoid_curve, _SIGMOID_STARTS, observed, observed.nothing(yes='"first"', no='"second"', level=level), level
    )[0]


def shift(figure: Fit, control: Fit, *, paired: bool = False) -> FittedNumber:
    """The point of subjective equality of the figure minus that of its control, in units of the levels.

    The interval recovers the variance of the difference from those of both fits (Zou 2007). With `paired`, both fits
    must come from the same units in the same order, and the interval uses their correlation. If a fit has bounds but no
    value, the shift has the widest bounds that theirs allow.

    >>> rows, even, late = np.full((8, 4), 2), [[0, 0, 2, 2], [0, 1, 1, 2]] * 4, [[0, 0, 0, 2], [0, 0, 1, 1]] * 4
    >>> moved = shift(*(fit_sigmoid([-0.3, -0.1, 0.1, 0.3], first, rows) for first in (late, even)))
    >>> round(moved.value, 2), moved.identified
    (0.2, True)
    """
    one, two = figure.mu, control.mu
    if one.value is None or two.value is None:
        return FittedNumber(
            None,
            None if one.low is None or two.high is None else one.low - two.high,
            None if one.high is None or two.low is None else one.high - two.low,
        )
    shared = _correlation(figure.left_out, control.left_out) if paired else 0.0
    value = one.value - two.value
    low = high = None
    if one.low is not None and two.high is not None:
        low = value - _recovered(one.value - one.low, two.high - two.value, shared)
    if one.high is not None and two.low is not None:
        high = value + _recovered(one.high - one.value, two.value - two.low, shared)
    return FittedNumber(value, low, high)


def _recovered(a: float, b: float, shared: float) -> float:
    return float(np.sqrt(max(a * a + b * b - 2 * shared * a * b, 0.0)))


def _correlation(one: Floats, two: Floats) -> float:
    """The jackknife correlation of two fits over the units that both have."""
    if one.shape != two.shape:
        raise ValueError(f"paired fits of {len(one)} and {len(two)} units: the same units are needed")
    both = ~(np.isnan(one) | np.isnan(two))
    x, y = one[both] - np.nanmean(one), two[both] - np.nanmean(two)
    spread = np.sqrt(np.nansum((one - np.nanmean(one)) ** 2) * np.nansum((two - np.nanmean(two)) ** 2))
    return float((x * y).sum() / spread) if both.sum() > 2 and spread > 0 else 0.0


def _sigmoid_curve(levels: Floats) -> Curve:
    def at(theta: Floats) -> tuple[Floats, Floats]:
        mu, spread, lapse = (theta[:, [j]] for j in range(3))
        sigma = np.exp(spread)
        z = (levels - mu) / sigma
        seen, density = scipy.special.ndtr(z), (1 - lapse) * normal_density(z)
        return lapse / 2 + (1 - lapse) * seen, np.stack([-density / sigma, -density * z, 0.5 - seen], -1)

    return at
