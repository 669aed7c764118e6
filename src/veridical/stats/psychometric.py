"""The psychometric function of same/different replies: the point of subjective equality and the noise around it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import product

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from veridical.stats.fit import Fit, fit_curve, replies
from veridical.stats.likelihood import NOTHING, Curve, Fitted, Floats, normal_density

_STARTS = np.array(
    [
        (mu, np.log(sigma), lapse, criterion)
        for mu, sigma, lapse, criterion in product(
            np.linspace(-1.2, 1.2, 9), (0.02, 0.08, 0.3, 1.0), (0.02, 0.2), (0.05, 0.15, 0.4, 1.0)
        )
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SameDifferentFit(Fit):
    """The fit of same/different replies, with the criterion: the largest difference that is still called the same."""

    criterion: Fitted = NOTHING


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
