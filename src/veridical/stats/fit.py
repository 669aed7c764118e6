"""Fitting psychometric functions to clustered replies: the parts that all kinds of functions share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.stats.inference import Data, differs_by_level, infer
from veridical.stats.likelihood import NOTHING, Curve, FittedNumber, Floats, SearchBox, log_likelihood

JND_PER_SIGMA = NormalDist().inv_cdf(0.75)
"""The difference that is seen three times in four, in standard deviations of the noise."""

FEWEST_LEVELS = 3
_FURTHEST = 3.0
_WIDEST = 30.0
_STEEPEST = 50.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A psychometric function fitted to clustered replies.

    `mu`, the point of subjective equality, and `sigma` are in the unit of the levels; `lapse` lies in [0, 0.5].
    `reason` is `None` if mu and sigma both have a value bounded on both sides; otherwise it says what is missing, and
    the bounds in `mu` and `sigma` are still valid. `n` counts replies, `units` the units with replies. `deviance` is
    twice the gain in log-likelihood of a model with a separate rate for each level. `left_out`, shape (all units,), is
    mu fitted without each unit, NaN for a unit without replies.
    """

    n: int
    units: int
    left_out: NDArray[np.float64]
    mu: FittedNumber = NOTHING
    sigma: FittedNumber = NOTHING
    lapse: FittedNumber = NOTHING
    log_likelihood: float | None = None
    deviance: float | None = None
    reason: str | None = None

    @property
    def identified(self) -> bool:
        """Whether mu and sigma both have a value and bounds on both sides."""
        return self.reason is None

    @property
    def jnd(self) -> FittedNumber:
        """The just-noticeable difference, 0.6745 sigma."""
        return _map(lambda part: JND_PER_SIGMA * part, self.sigma)


class Replies(NamedTuple):
    """The levels and units that have replies: the levels, the counts by unit and level, and which units were kept."""

    levels: Floats
    data: Data
    kept: NDArray[np.bool_]

    def nothing(self, *, yes: str, no: str, level: float) -> str | None:
        """Why no curve can be fitted to these replies, or `None` if one can."""
        hits, rows = self.data.total
        if rows.sum() == 0:
            return "no replies"
        if self.data.df < 1:
            return f"{len(self.data.rows)} unit: at least 2 with replies are needed"
        if len(self.levels) < FEWEST_LEVELS:
            return f"{len(self.levels)} levels: at least {FEWEST_LEVELS} with replies are needed"
        if hits.sum() in (0, rows.sum()):
            return f"all replies are {yes if hits.sum() else no}"
        if not differs_by_level(self.data, level):
            return "flat: the replies do not depend on the level"
        return None


def replies(alpha: ArrayLike, hits: ArrayLike, rows: ArrayLike, strata: ArrayLike | None) -> Replies:
    """The counts as arrays, without units and levels that have no rows; strata of a single unit are merged.

    Raises ValueError if shapes disagree or counts are impossible.
    """
    levels, above, below = (np.asarray(part, float) for part in (alpha, hits, rows))
    if above.ndim != 2 or above.shape != below.shape or levels.shape != above.shape[1:]:
        raise ValueError(f"levels {levels.shape}, counts {above.shape} and {below.shape}: (L,), (U, L), (U, L) needed")
    if not np.isfinite(levels).all() or len(np.unique(levels)) < len(levels):
        raise ValueError("levels must be finite numbers, each once")
    if not ((above >= 0) & (above <= below)).all():
        raise ValueError("counts must lie between 0 and the rows of their cell")
    names = np.zeros(len(above), int) if strata is None else np.asarray(strata)
    if names.shape != (len(above),):
        raise ValueError(f"strata {names.shape} for {len(above)} units")
    units, used = below.sum(1) > 0, below.sum(0) > 0
    _, place, size = np.unique(names[units], return_inverse=True, return_counts=True)
    joined = np.where(size[place] < 2, len(size), place)
    return Replies(levels[used], Data(above[units][:, used], below[units][:, used], joined), units)


def fit_curve(
    curve: Callable[[Floats], Curve], starts: Floats, observed: Replies, reason: str | None, level: float
) -> tuple[Fit, FittedNumber]:
    """The fit of a curve over mu, log sigma, the lapse and optionally a criterion, and that criterion.

    `curve` and `starts` are in units of the largest level. Bounds of mu and the criterion are reported up to 3 of these
    units. Bounds of sigma are reported up to 30 units and down to a twelfth of the smallest distance between two
    levels, below which the curve is practically a step. With a `reason` not to fit, the fit is empty.
    """
    units, left = len(observed.data.rows), np.full(len(observed.kept), np.nan)
    n = int(observed.data.rows.sum())
    if reason is not None:
        return Fit(n=n, units=units, left_out=left, reason=reason), NOTHING
    scale = float(np.abs(observed.levels).max())
    levels, k = observed.levels / scale, starts.shape[1]
    gap = float(np.diff(np.sort(levels)).min())
    box, shown = (
        SearchBox(np.array([-far, np.log(gap / steep), 0.0, 0.0][:k]), np.array([far, np.log(_WIDEST), 0.5, far][:k]))
        for far, steep in ((2 * _FURTHEST, _STEEPEST), (_FURTHEST, _STEEPEST / 4))
    )
    inference = infer(curve(levels), starts, observed.data, box, shown, (False, False, True, False)[:k], level)
    left[observed.kept] = inference.left_out[:, 0] * scale
    mu, spread, lapse, *criterion = inference.fitted
    near = 0.0 if spread.low is not None else 2 * gap / _STEEPEST
    mu, *criterion = (_in_levels(part, scale, near) for part in (mu, *criterion))
    sigma = _map(lambda part: float(np.exp(part)) * scale, spread)
    hits, rows = observed.data.total
    rates = np.clip(hits / rows, 1e-300, 1 - 1e-16)
    fit = Fit(
        n=n,
        units=units,
        left_out=left,
        mu=mu,
        sigma=sigma,
        lapse=lapse,
        log_likelihood=inference.height,
        deviance=max(2 * (float(log_likelihood(rates, hits, rows)) - inference.height), 0.0),
        reason=_shortfall(mu, sigma),
    )
    if not criterion:
        return fit, NOTHING
    value, low, high = criterion[0]
    return fit, FittedNumber(value, low if low is None or low > 0 else None, high)


def _in_levels(fitted: FittedNumber, scale: float, near: float) -> FittedNumber:
    """The estimate in the unit of the levels; a step may lie `near` closer to a level than the search goes."""
    value, low, high = fitted
    return _map(
        lambda part: part * scale,
        FittedNumber(value, None if low is None else low - near, None if high is None else high + near),
    )


def _map(change: Callable[[float], float], fitted: FittedNumber) -> FittedNumber:
    return FittedNumber(*(None if part is None else change(part) for part in fitted))


def _shortfall(mu: FittedNumber, sigma: FittedNumber) -> str | None:
    """What is missing for mu and sigma, or `None` if both are identified."""
    parts = [f"{name} {_open(each)}" for name, each in (("mu", mu), ("sigma", sigma)) if not each.identified]
    return "; ".join(parts) or None


def _open(fitted: FittedNumber) -> str:
    if fitted.low is None and fitted.high is None:
        return "has no bound"
    if fitted.low is None:
        return "has no lower bound"
    if fitted.high is None:
        return "has no upper bound"
    return "has bounds but no single value"
