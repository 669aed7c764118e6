"""Signal detection: how well a difference is told from none, and the leaning towards one reply, apart.

The signal is a picture that truly differs, and the reply "different" to it a hit; "different" where nothing differs is
a false alarm. So d' > 0 where differences are told, and a criterion above 0 leans towards "same".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from veridical.stats.intervals import Interval, student, wilson
from veridical.stats.likelihood import NOTHING, Fitted, Floats, normal_density
from veridical.stats.resample import Cells, sign_flip_p

_OF_Z = np.array([[1.0, -1.0], [-0.5, -0.5]])
"""d' and the criterion from z of the hits and z of the false alarms."""


class Sensitivity(NamedTuple):
    """d' and the criterion c, both in standard deviations of the noise."""

    d_prime: NDArray[np.float64]
    criterion: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """d' and criterion with intervals over units, or no values and the reason."""

    d_prime: Fitted
    criterion: Fitted
    units: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Detection):
    """By how much d' and criterion differ between two conditions, and the sign-flip p of each over units."""

    d_prime_p: float | None = None
    criterion_p: float | None = None


class Table(NamedTuple):
    """Replies by unit, each of shape (units,): hits of as many signals, false alarms of as many noise trials."""

    hits: ArrayLike
    signal: ArrayLike
    false_alarms: ArrayLike
    noise: ArrayLike


def sensitivity(hits: ArrayLike, signal: ArrayLike, false_alarms: ArrayLike, noise: ArrayLike) -> Sensitivity:
    """d' = z(H) − z(F) and c = −(z(H) + z(F)) / 2 from counts; arguments broadcast.

    Half a reply is added to hits and false alarms and a whole one to each total, always, so that rates of 0 and 1 have
    a finite value (log-linear correction, Hautus 1995). With no trials of a kind its rate is a half; raises ValueError
    where counts cannot be.

    >>> [round(float(part), 4) for part in sensitivity(18, 20, 4, 20)]
    [1.9714, -0.1941]
    """
    above, signals, false, noises = (np.asarray(part, float) for part in (hits, signal, false_alarms, noise))
    if not (((above >= 0) & (above <= signals)).all() and ((false >= 0) & (false <= noises)).all()):
        raise ValueError("hits and false alarms must lie between 0 and the trials of their kind")
    hit, alarm = special.ndtri((above + 0.5) / (signals + 1)), special.ndtri((false + 0.5) / (noises + 1))
    return Sensitivity(np.asarray(hit - alarm), np.asarray(-(hit + alarm) / 2))


def detection(
    table: Table, strata: ArrayLike | None = None, *, level: float = 0.95, draws: int = 1000, seed: int = 0
) -> Detection:
    """d' and criterion of all replies together, with Student's intervals from a bootstrap of units.

    Where resampling does not show the spread of a rate, as with a rate of 0 or 1, they are made of Wilson's intervals
    of the rates, each unit counting once; a rate of 0 or 1 sets no bound on its far side. There is no value without
    trials of both kinds, or with a single unit.

    >>> seen = detection(Table([4, 3, 4, 2], [4, 4, 4, 4], [1, 0, 1, 2], [4, 4, 4, 4]))
    >>> round(seen.d_prime.value, 3), seen.d_prime.low < seen.d_prime.value < seen.d_prime.high
    (1.45, True)
    """
    return _estimate([_counts(table)], strata, level, draws, seed)


def detection_change(
    before: Table,
    after: Table,
    strata: ArrayLike | None = None,
    *,
    level: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> Change:
    """d' and criterion of `after` less those of `before`, on the same units in the same order.

    Intervals are Student's from a bootstrap of units, which keeps each unit's two conditions together. p is that of the
    sign-flip test on the units' shares of the change, the change being taken as linear in the rates; the test of d'
    holds while the criterion moves, and the other way round.

    >>> rows = [4] * 8
    >>> change = detection_change(Table([4] * 8, rows, [0, 1] * 4, rows), Table([2, 3] * 4, rows, [1, 2] * 4, rows))
    >>> round(change.d_prime.value, 2), change.d_prime_p
    (-2.65, 0.0078125)
    """
    counts = [_counts(after), _counts(before)]
    both = _estimate(counts, strata, level, draws, seed)
    if both.reason is not None:
        return Change(d_prime=both.d_prime, criterion=both.criterion, units=both.units, reason=both.reason)
    asked = np.concatenate(counts, 2)[1].any(1)
    one, two = (_shares(part[:, asked]) for part in counts)
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
) -> Fitted:
    """P(yes | forward) + P(yes | reversed) − 1 in [−1, 1]: 0 for consistent replies, 1 for yes to all, −1 for no.

    `forward_yes` and `reversed_yes`, shape (units,), count each unit's "yes", of `forward` and `reverse` questions (1
    each by default). The interval is made of those of both rates (`Rates.contrast`); there is none with a single unit,
    and no value without questions of both kinds.

    >>> round(yes_bias([1, 1, 0, 1], [1, 0, 1, 0]).value, 2)
    0.25
    """
    yes = [np.asarray(part, float) for part in (forward_yes, reversed_yes)]
    asked = [
        np.ones_like(y) if n is None else np.asarray(n, float) for y, n in zip(yes, (forward, reverse), strict=True)
    ]
    cells = _cells(_checked(np.stack([np.stack(yes, 1), np.stack(asked, 1)])), strata, level)
    if not cells.rows.any(0).all():
        return NOTHING
    value, low, high = (float(each) - 1 for each in cells.measured.contrast([1, 1]))
    return Fitted(value, low, high) if cells.units > 1 else Fitted(value, None, None)


def _counts(table: Table) -> Floats:
    """Replies "different" and trials, shape (2, units, kinds): signal first, then noise."""
    hits, signal, false, noise = (np.asarray(part, float) for part in table)
    return _checked(np.stack([np.stack([hits, false], 1), np.stack([signal, noise], 1)]))


def _checked(counts: Floats) -> Floats:
    if not ((counts[0] >= 0) & (counts[0] <= counts[1])).all():
        raise ValueError("counts must lie between 0 and the trials of their kind")
    return counts


def _cells(counts: Floats, strata: ArrayLike | None, level: float, draws: int = 1000, seed: int = 0) -> Cells:
    replies, rows = counts
    names = np.zeros(len(rows), int) if strata is None else np.unique(np.asarray(strata), return_inverse=True)[1]
    asked = rows.any(1)
    return Cells(replies[asked][..., None], rows[asked], names[asked], level=level, draws=draws, seed=seed)


def _estimate(counts: list[Floats], strata: ArrayLike | None, level: float, draws: int, seed: int) -> Detection:
    """d' and criterion of the first condition, less those of the second where there is one."""
    cells = _cells(np.concatenate(counts, 2), strata, level, draws, seed)
    total = cells.rows.sum(0)
    if (total == 0).any() or cells.df < 1:
        reason = (
            "trials with and without a difference are needed" if (total == 0).any() else "at least 2 units are needed"
        )
        return Detection(d_prime=NOTHING, criterion=NOTHING, units=cells.units, reason=reason)

    weights = np.concatenate([sign * _OF_Z for sign in (1.0, -1.0)[: len(counts)]], 1)

    def z(rates: Floats) -> Floats:
        return np.asarray(special.ndtri((rates * total + 0.5) / (total + 1)))

    best = z(cells.rates[:, 0])
    if _spread_is_seen(cells):
        drawn = weights @ z(cells.replicates[..., 0]).T
        bounds = [student(float(each[0]), each[1], cells.df, level) for each in zip(weights @ best, drawn, strict=True)]
    else:
        bounds = [_recovered(cells, best, each, level) for each in weights]
    fitted = [Fitted(float(value), *bound) for value, bound in zip(weights @ best, bounds, strict=True)]
    return Detection(d_prime=fitted[0], criterion=fitted[1], units=cells.units)


def _spread_is_seen(cells: Cells) -> bool:
    """Whether resampling tells the spread of every rate: not where it is 0 or 1, or alike in all units."""
    return bool((np.ptp(cells.replicates[..., 0], axis=0) > 1e-12).all())


def _recovered(cells: Cells, z: Floats, weights: Floats, level: float) -> Interval:
    """The interval of a weighted sum of z, by recovering the variance of each; no bound beyond a rate of 0 or 1."""
    units = (cells.rows > 0).sum(0)
    bounds = [wilson(float(rate), int(n), level) for rate, n in zip(cells.rates[:, 0], units, strict=True)]
    ends = special.ndtri(np.array(bounds, float))
    below, above = np.minimum(ends[:, 0] - z, 0), np.maximum(ends[:, 1] - z, 0)
    down = np.sqrt(((weights * np.where(weights > 0, below, above)) ** 2).sum())
    up = np.sqrt(((weights * np.where(weights > 0, above, below)) ** 2).sum())
    value = float(weights @ z)
    return Interval(*(float(end) if np.isfinite(end) else None for end in (value - down, value + up)))


def _shares(counts: Floats) -> Floats:
    """How each unit moves d' and criterion, to first order, shape (units, 2); the sum over units is 0."""
    replies, rows = counts
    total = rows.sum(0)
    fixed = (replies.sum(0) + 0.5) / (total + 1)
    pull = (replies - rows * replies.sum(0) / total) / (total + 1) / normal_density(special.ndtri(fixed))
    return np.stack([pull[:, 0] - pull[:, 1], -pull.sum(1) / 2], 1)
