"""Signal detection: sensitivity to a difference, separate from the bias toward one reply.

The signal is a picture that truly differs. The reply "different" to it is a hit; "different" to a picture without a
difference is a false alarm. So d' > 0 means that differences are detected, and a criterion above 0 is a bias toward
"same".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from veridical.stats.intervals import Interval, student, wilson
from veridical.stats.likelihood import NOTHING, FittedNumber, Floats, normal_density
from veridical.stats.resample import Cells, sign_flip_p

_OF_Z = np.array([[1.0, -1.0], [-0.5, -0.5]])
"""Weights that give d' and the criterion from z of the hit rate and z of the false-alarm rate."""


class Sensitivity(NamedTuple):
    """d' and the criterion c, both in standard deviations of the noise."""

    d_prime: NDArray[np.float64]
    criterion: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """d' and criterion with intervals over units, or no values and the reason."""

    d_prime: FittedNumber
    criterion: FittedNumber
    units: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Detection):
    """The differences of d' and criterion between two conditions, and the sign-flip p of each over units."""

    d_prime_p: float | None = None
    criterion_p: float | None = None


class SignalCounts(NamedTuple):
    """Counts by unit, each of shape (units,): hits and signal trials, false alarms and noise trials."""

    hits: ArrayLike
    signal: ArrayLike
    false_alarms: ArrayLike
    noise: ArrayLike


def sensitivity(hits: ArrayLike, signal: ArrayLike, false_alarms: ArrayLike, noise: ArrayLike) -> Sensitivity:
    """d' = z(H) − z(F) and c = −(z(H) + z(F)) / 2 from counts; arguments broadcast.

    The log-linear correction (Hautus 1995) adds 0.5 to hits and false alarms and 1 to each total, always, so rates of
    0 and 1 have finite values. A kind without trials has a rate of 0.5. Raises ValueError for impossible counts.

    >>> [round(float(part), 4) for part in sensitivity(18, 20, 4, 20)]
    [1.9714, -0.1941]
    """
    above, signals, false, noises = (np.asarray(part, float) for part in (hits, signal, false_alarms, noise))
    if not (((above >= 0) & (above <= signals)).all() and ((false >= 0) & (false <= noises)).all()):
        raise ValueError("hits and false alarms must lie between 0 and the trials of their kind")
    hit, alarm = scipy.special.ndtri((above + 0.5) / (signals + 1)), scipy.special.ndtri((false + 0.5) / (noises + 1))
    return Sensitivity(np.asarray(hit - alarm), np.asarray(-(hit + alarm) / 2))


def detection(
    table: SignalCounts, strata: ArrayLike | None = None, *, level: float = 0.95, draws: int = 1000, seed: int = 0
) -> Detection:
    """d' and criterion of all replies together, with Student's intervals from a bootstrap of units.

    If resampling does not show the spread of a rate, as at a rate of 0 or 1, the intervals are made from Wilson's
    intervals of the rates, where each unit counts once; a rate of 0 or 1 sets no bound on its far side. There is no
    value without trials of both kinds, or with a single unit.

    >>> seen = detection(SignalCounts([4, 3, 4, 2], [4, 4, 4, 4], [1, 0, 1, 2], [4, 4, 4, 4]))
    >>> round(seen.d_prime.value, 3), seen.d_prime.low < seen.d_prime.value < seen.d_prime.high
    (1.45, True)
    """
    return _estimate([_counts(table)], strata, level, draws, seed)


def detection_change(
    before: SignalCounts,
    after: SignalCounts,
    strata: ArrayLike | None = None,
    *,
    level: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> Change:
    """`after` − `before` of d' and of the criterion, on the same units in the same order.

    Intervals are Student's from a bootstrap of units, which keeps each unit's two conditions together. p comes from the
    sign-flip test on the units' shares of the change, with the change linearized in the rates. The test of d' stays
    valid if the criterion changes, and vice versa.

    >>> rows = [4] * 8
    >>> before, after = SignalCounts([4] * 8, rows, [0, 1] * 4, rows), SignalCounts([2, 3] * 4, rows, [1, 2] * 4, rows)
    >>> change = detection_change(before, after)
    >>> round(change.d_prime.value, 2), change.d_prime_p
    (-2.65, 0.0078125)
    """
    counts = [_counts(after), _counts(before)]
    both = _estimate(counts, strata, level, draws, seed)
    if both.reason is not None:
        return Change(d_prime=both.d_prime, criterion=both.criterion, units=both.units, reason=both.reason)
    answered = np.concatenate(counts, 2)[1].any(1)
    one, two = (_shares(part[:, answered]) for part in counts)
    p = [
        sign_flip_p(value / both.units + share, seed=seed)
        for value, share in zip((both.d_prime.value or 0.0, both.criterion.value or 0.0), (one - two).T, strict=True)
    ]
    return Change(d_prime=both.d_prime, criterion=both.criterion, units=both.units, d_prime_p=p[0], criterion_p=p[1])


def yes_bias(
    forward_yes: ArrayLike,
    reversed_yes: ArrayLike,
    forward: ArrayLike | None = None,
    reverse: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    *,
    level: float = 0.95,
) -> FittedNumber:
    """P(yes | forward) + P(yes | reversed) − 1 in [−1, 1]: 0 for consistent replies, 1 for yes to all, −1 for no.

    `forward_yes` and `reversed_yes`, shape (units,), count each unit's "yes", of `forward` and `reverse` questions (1
    each by default). The interval combines those of both rates (`Rates.contrast`). There is no interval with a single
    unit, and no value without questions of both kinds.

    >>> round(yes_bias([1, 1, 0, 1], [1, 0, 1, 0]).value, 2)
    0.25
    """
    yes = [np.asarray(part, float) for part in (forward_yes, reversed_yes)]
    questions = [
        np.ones_like(y) if n is None else np.asarray(n, float) for y, n in zip(yes, (forward, reverse), strict=True)
    ]
    cells = _cells(_checked(np.stack([np.stack(yes, 1), np.stack(questions, 1)])), strata, level)
    if not cells.rows.any(0).all():
        return NOTHING
    value, low, high = (float(each) - 1 for each in cells.measured.contrast([1, 1]))
    return FittedNumber(value, low, high) if cells.units > 1 else FittedNumber(value, None, None)


def _counts(table: SignalCounts) -> Floats:
    """Numbers of "different" replies and of trials, shape (2, units, kinds): signal first, then noise."""
    hits, signal, false, noise = (np.asarray(part, float) for part in table)
    return _checked(np.stack([np.stack([hits, false], 1), np.stack([signal, noise], 1)]))


def _checked(counts: Floats) -> Floats:
    if not ((counts[0] >= 0) & (counts[0] <= counts[1])).all():
        raise ValueError("counts must lie between 0 and the trials of their kind")
    return counts


def _cells(counts: Floats, strata: ArrayLike | None, level: float, draws: int = 1000, seed: int = 0) -> Cells:
    replies, rows = counts
    names = np.zeros(len(rows), int) if strata is None else np.unique(np.asarray(strata), return_inverse=True)[1]
    used = rows.any(1)
    return Cells(replies[used][..., None], rows[used], names[used], level=level, draws=draws, seed=seed)


def _estimate(counts: list[Floats], strata: ArrayLike | None, level: float, draws: int, seed: int) -> Detection:
    """d' and criterion of the first condition, minus those of the second if there is one."""
    cells = _cells(np.concatenate(counts, 2), strata, level, draws, seed)
    total = cells.rows.sum(0)
    if (total == 0).any() or cells.df < 1:
        reason = (
            "trials with and without a difference are needed" if (total == 0).any() else "at least 2 units are needed"
        )
        return Detection(d_prime=NOTHING, criterion=NOTHING, units=cells.units, reason=reason)

    weights = np.concatenate([sign * _OF_Z for sign in (1.0, -1.0)[: len(counts)]], 1)

    def z(rates: Floats) -> Floats:
        return np.asarray(scipy.special.ndtri((rates * total + 0.5) / (total + 1)))

    best = z(cells.rates[:, 0])
    if _spread_is_seen(cells):
        drawn = weights @ z(cells.replicates[..., 0]).T
        bounds = [student(float(each[0]), each[1], cells.df, level) for each in zip(weights @ best, drawn, strict=True)]
    else:
        bounds = [_recovered(cells, best, each, level) for each in weights]
    fitted = [FittedNumber(float(value), *bound) for value, bound in zip(weights @ best, bounds, strict=True)]
    return Detection(d_prime=fitted[0], criterion=fitted[1], units=cells.units)


def _spread_is_seen(cells: Cells) -> bool:
    """Whether resampling shows the spread of every rate; it does not if a rate is 0 or 1, or the same in all units."""
    return bool((np.ptp(cells.replicates[..., 0], axis=0) > 1e-12).all())


def _recovered(cells: Cells, z: Floats, weights: Floats, level: float) -> Interval:
    """The interval of a weighted sum of z, by variance recovery; there is no bound beyond a rate of 0 or 1."""
    units = (cells.rows > 0).sum(0)
    bounds = [wilson(float(rate), int(n), level) for rate, n in zip(cells.rates[:, 0], units, strict=True)]
    ends = scipy.special.ndtri(np.array(bounds, float))
    below, above = np.minimum(ends[:, 0] - z, 0), np.maximum(ends[:, 1] - z, 0)
    down = np.sqrt(((weights * np.where(weights > 0, below, above)) ** 2).sum())
    up = np.sqrt(((weights * np.where(weights > 0, above, below)) ** 2).sum())
    value = float(weights @ z)
    return Interval(*(float(end) if np.isfinite(end) else None for end in (value - down, value + up)))


def _shares(counts: Floats) -> Floats:
    """The first-order effect of each unit on d' and criterion, shape (units, 2); the sum over units is 0."""
    replies, rows = counts
    total = rows.sum(0)
    fixed = (replies.sum(0) + 0.5) / (total + 1)
    pull = (replies - rows * replies.sum(0) / total) / (total + 1) / normal_density(scipy.special.ndtri(fixed))
    return np.stack([pull[:, 0] - pull[:, 1], -pull.sum(1) / 2], 1)
