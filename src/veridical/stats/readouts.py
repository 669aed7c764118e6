"""Linear read-outs by ridge regression, cross-validated by unit: how much of a target's variance states explain.

Pictures of one base item are alike, so a penalty that is chosen, or a fit that is judged, on siblings of its training
rows says nothing. Whole units are left out in both places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.stats.resample import (
    Codes,
    Floats,
    Statistic,
    jackknife_error,
    student_interval,
    undefined_statistic,
    unit_codes,
    unit_sums,
)

PENALTIES: Floats = np.logspace(-3, 6, 10)
"""The penalties that are tried, as multiples of the mean eigenvalue of the training rows' predictors."""

_FOLDS = 5
COMPARED = 8
"""The units that a difference of read-outs needs: from there on, its interval covers in simulations of equal ones."""
_TINY = 1e-12
_METHOD = "ridge, penalty and fit cross-validated by unit; jackknife over units"


@dataclass(frozen=True)
class ReadOut:
    """Squared errors of a read-out of `n` rows by unit, and those of the training rows' mean.

    Both have shape (units, 1 + shuffles): the target itself, then the target shuffled inside units. `units` are their
    names in order. One that could not be had has a `reason`.
    """

    errors: Floats
    spread: Floats
    n: int
    units: NDArray[Any]
    reason: str | None = None

    @property
    def shares(self) -> Floats:
        """The explained share of the variance, shape (1 + shuffles,): 1 is all of it, below 0 is worse than the mean.

        It is NaN where nothing varies.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(1 - self.errors.sum(0) / self.spread.sum(0))

    @property
    def chance(self) -> tuple[float, float] | None:
        """The share that 95 % of shuffled targets stay below, and the share of them (p) that reach the target's own.

        `None` without shuffles, and where they change nothing since each unit has one value.
        """
        own, *shuffled = self.shares
        if self.reason is not None or not shuffled or np.ptp(shuffled) < _TINY:
            return None
        return float(np.quantile(shuffled, 0.95)), float(1 + np.sum(shuffled >= own)) / (1 + len(shuffled))

    def explained(self, minus: ReadOut | None = None, *, level: float = 0.95) -> Statistic:
        """The explained share of the target's variance (R²), or its difference from that of another read-out.

        Units of the same name are paired; `n` is the smaller one's. The interval is Student's with the jackknife's
        standard error over units. That of one read-out holds the fits as they are, so it is that of new units, not of a
        new training. A difference is one of fits as well: its error is that of k folds, corrected for their common
        training rows by a factor of √(1 + k / (k − 1)) (Nadeau and Bengio 2003). There is no value, and the reason,
        where one of them has none, and for a difference over fewer than `COMPARED` units.
        """
        sides = [self] if minus is None else [self, minus]
        n, names = min(side.n for side in sides), np.unique(np.concatenate([side.units for side in sides]))
        for side in sides:
            if side.reason is not None:
                return undefined_statistic(n, len(names), _METHOD, side.reason)
        if minus is not None and min(len(side.units) for side in sides) < COMPARED:
            reason = f"a difference of read-outs needs at least {COMPARED} units"
            return undefined_statistic(n, len(names), _METHOD, reason)
        value, left = 0.0, np.zeros(len(names))
        for sign, side in zip((1, -1), sides, strict=False):
            error, spread = np.zeros((2, len(names)))
            place = np.searchsorted(names, side.units)
            error[place], spread[place] = side.errors[:, 0], side.spread[:, 0]
            value += sign * (1 - float(error.sum() / spread.sum()))
            left += sign * (1 - (error.sum() - error) / (spread.sum() - spread))
        wider = 1.0 if minus is None else np.sqrt(1 + _FOLDS / (_FOLDS - 1))
        low, high = student_interval(value, wider * jackknife_error(left), len(left) - 1, level)
        return Statistic(value=value, low=low, high=high, n=n, units=len(left), method=_METHOD)


def unread(units: ArrayLike, reason: str) -> ReadOut:
    """The read-out of rows of these units that cannot be had, for a reason."""
    return ReadOut(np.zeros((0, 1)), np.zeros((0, 1)), len(np.asarray(units)), np.unique(np.asarray(units)), reason)


def read_out(
    states: ArrayLike, target: ArrayLike, units: ArrayLike, *, within: bool = False, shuffles: int = 0, seed: int = 0
) -> ReadOut:
    """The read-out of a target, shape (rows, columns) or (rows,), from states, shape (rows, size).

    A target may take several columns, such as the indicators of a label's levels; they share a penalty. Columns of
    states are scaled to a standard deviation of 1, and whole units are dealt into five folds at random. For each fold,
    the penalty is the best one of `PENALTIES` on the other folds, each in turn left out. With `within`, the means of
    each unit are subtracted first from states and target. As a control, the rows of the target are shuffled inside
    units so many times. There is a reason instead if there are fewer than four units, a state is not finite, or the
    states or the target are constant. Raises ValueError for columns of unequal length.

    >>> rng = np.random.default_rng(0)
    >>> states, units = rng.normal(size=(120, 8)), np.repeat(np.arange(30), 4)
    >>> noise = rng.normal(size=120)
    >>> planted = read_out(states, states[:, 0] + 0.5 * noise, units).explained()
    >>> [round(each, 2) for each in (planted.value, planted.low, planted.high)]
    [0.77, 0.71, 0.82]
    >>> found = read_out(states, noise, units).explained()
    >>> [round(each, 2) for each in (found.value, found.low, found.high)]
    [-0.02, -0.05, 0.0]
    """
    x, y = np.asarray(states, float), np.asarray(target, float)
    y = y[:, None] if y.ndim == 1 else y
    codes = unit_codes(units, len(x))
    if x.ndim != 2 or y.ndim != 2 or len(x) != len(y):
        raise ValueError(f"states of shape {x.shape} and a target of shape {y.shape}: (rows, size), (rows, columns)")
    n, count = len(y), int(codes.max(initial=-1)) + 1
    whole = np.concatenate([y[..., None], shuffled_in_units(y, codes, shuffles, seed=seed)], 2)
    if within and n:
        x, whole = without_unit_means(x, codes), without_unit_means(whole, codes)
    scaled = z_scores(x) if n and np.isfinite(x).all() else None
    if count < _FOLDS - 1:
        reason = "a read-out needs at least four units"
    elif scaled is None:
        reason = f"{(~np.isfinite(x).all(1)).sum():,} states are not finite"
    elif not scaled.any():
        reason = "the states are constant"
    elif np.count_nonzero(unit_sums(np.abs(whole[..., 0] - whole[..., 0].mean(0)).sum(1), codes) > _TINY) < 2:
        reason = "the target takes one value" + " in each unit" * within
    else:
        predicted, mean = cross_validated(scaled, whole, unit_folds(codes, seed=seed))
        errors, spread = (unit_sums(((whole - guess) ** 2).sum(1), codes) for guess in (predicted, mean))
        return ReadOut(errors, spread, n, np.unique(np.asarray(units)))
    return unread(units, reason)


def read_out_work(rows: int, size: int, targets: int) -> int:
    """About how many multiplications `read_out` takes, shuffled targets among the `targets`; 0 without rows or states.

    It fits a state once for each fold, and checks each penalty on each of the other folds.
    """
    rank, fold = min(rows, size), -(-rows // _FOLDS)
    checks = (_FOLDS - 1) * len(PENALTIES)
    check = fold * rank * (fold + targets) + fold**2 * (fold + targets)
    fit = rows * size * rank + rank**3 + rows * rank * targets
    return _FOLDS * (fit + checks * check) if rank else 0


def without_unit_means(values: Floats, codes: Codes) -> Floats:
    """Values, shape (rows, ...), less the mean of their unit."""
    counts = np.bincount(codes).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(values - (unit_sums(values, codes) / counts)[codes])


def unit_folds(codes: Codes, *, folds: int = _FOLDS, seed: int = 0) -> Codes:
    """The fold of each row, from 0 up: whole units, dealt in turn in a random order; as many folds as units at most.

    >>> unit_folds(np.array([0, 0, 1, 2, 2]), folds=2).tolist()
    [1, 1, 0, 0, 0]
    """
    units = int(codes.max(initial=-1)) + 1
    dealt = np.empty(units, np.int64)
    dealt[np.random.default_rng(seed).permutation(units)] = np.arange(units) % min(folds, max(units, 1))
    return np.asarray(dealt[codes])


def shuffled_in_units(values: Floats, codes: Codes, count: int, *, seed: int = 0) -> Floats:
    """Values, shape (rows, columns), with their rows shuffled inside each unit, shape (rows, columns, count)."""
    rng, order = np.random.default_rng(seed), np.argsort(codes, kind="stable")
    shuffled = np.empty((*values.shape, count))
    for place in range(count):
        shuffled[order, :, place] = values[np.lexsort((rng.random(len(codes)), codes))]
    return shuffled


def z_scores(states: Floats) -> Floats:
    """Columns with mean 0 and standard deviation 1; constant ones are 0."""
    centered = states - states.mean(0)
    size = centered.std(0)
    constant = size <= _TINY * np.maximum(np.abs(states).max(0, initial=0), 1e-300)
    return np.asarray(np.where(constant, 0.0, centered / np.where(constant, 1.0, size)))


def cross_validated(states: Floats, targets: Floats, folds: Codes) -> tuple[Floats, Floats]:
    """Predictions for each fold by ridge regression on the others, and those rows' means, both shaped as `targets`.

    `states` has shape (rows, size) and `targets` (rows, columns, targets). The penalty of each target is chosen inside
    the training rows, fold by fold.
    """
    flat = targets.reshape(len(targets), -1)
    predicted, means = np.empty_like(flat), np.empty_like(flat)
    for fold in np.unique(folds):
        test = folds == fold
        path = RidgePath(states[~test], flat[~test])
        errors = path.left_out_errors(folds[~test]).reshape(len(PENALTIES), *targets.shape[1:]).sum(1)
        best = np.tile(errors.argmin(0), targets.shape[1])
        predicted[test], means[test] = path.predictions(states[test], best), path.mean
    return predicted.reshape(targets.shape), means.reshape(targets.shape)


class RidgePath:
    """Ridge regressions of targets, shape (rows, targets), on states, shape (rows, size), at each of `PENALTIES`.

    The intercept has no penalty. One decomposition serves all penalties, targets and inner folds.
    """

    def __init__(self, states: Floats, targets: Floats) -> None:
        self._center, self.mean = states.mean(0), targets.mean(0)
        x = states - self._center
        wide = x.shape[1] > x.shape[0]
        values, vectors = np.linalg.eigh(x @ x.T if wide else x.T @ x)
        kept = values > _TINY * max(float(values.max(initial=0)), _TINY)
        values, vectors = values[kept], vectors[:, kept]
        self._turn: Floats = x.T @ vectors / np.sqrt(values) if wide else vectors
        self._scores: Floats = x @ self._turn
        self._targets = targets - self.mean
        self._projected: Floats = self._scores.T @ self._targets
        self.penalties: Floats = PENALTIES * (values.mean() if len(values) else 1.0)
        self._shrinkage: Floats = 1 / (values + self.penalties[:, None])

    def predictions(self, states: Floats, penalties: Codes) -> Floats:
        """The targets of states, shape (rows, targets), each at the penalty of that place."""
        scores = (states - self._center) @ self._turn
        return np.asarray(self.mean + scores @ (self._shrinkage[penalties].T * self._projected))

    def left_out_errors(self, folds: Codes) -> Floats:
        """Squared errors of the rows of each fold when it is left out, shape (penalties, targets).

        They are those of new fits: a linear smoother's residuals without a fold are (I − H)⁻¹ times those with it,
        where H is the fold's block of the hat matrix.
        """
        errors = np.zeros((len(self.penalties), len(self.mean)))
        for fold in np.unique(folds):
            scores, targets = self._scores[folds == fold], self._targets[folds == fold]
            for place, shrinkage in enumerate(self._shrinkage):
                residual = targets - scores @ (shrinkage[:, None] * self._projected)
                rest = np.eye(len(scores)) - 1 / len(self._scores) - (scores * shrinkage) @ scores.T
                errors[place] += (np.linalg.solve(rest, residual) ** 2).sum(0)
        return errors
