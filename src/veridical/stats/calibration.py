"""Whether probabilities mean what they say: of the answers held 70 % likely, 7 of 10 should come about."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from veridical.stats.resample import (
    Floats,
    Statistic,
    jackknife_error,
    student_interval,
    undefined_statistic,
    unit_codes,
    unit_sums,
)

BINS = 10
_METHOD = (
    f"mean |probability − share that came about| over {BINS} equal bins of probability, weighted by their answers; "
    "Student's interval from a jackknife of units"
)
_DRAWS = 200


class ProbabilityCalibration(NamedTuple):
    """The expected calibration error, and what sampling alone would make of it if the probabilities were right."""

    error: Statistic
    floor: float | None


def calibration(
    probability: ArrayLike, occurred: ArrayLike, units: ArrayLike | None = None, *, level: float = 0.95, seed: int = 0
) -> ProbabilityCalibration:
    """The expected calibration error (Naeini et al. 2015), in [0, 1], and its floor.

    `probability` in [0, 1] and `occurred`, 0 or 1, have the shape (answers,). The error is above 0 even where all
    probabilities are right, the more the fewer answers there are: the floor is its mean over answers drawn by the
    probabilities themselves. No interval with a single unit, no value without answers. Raises ValueError for
    probabilities outside [0, 1].

    >>> found = calibration([0.25] * 4 + [0.75] * 4, [0, 0, 0, 1, 1, 1, 1, 1])
    >>> found.error.value, round(found.floor, 3)
    (0.125, 0.154)
    """
    held, came = np.asarray(probability, float), np.asarray(occurred, float)
    if held.shape != came.shape or held.ndim != 1 or not ((held >= 0) & (held <= 1)).all():
        raise ValueError("probabilities in [0, 1] and what occurred, one of each for each answer, are needed")
    codes = unit_codes(units, len(held))
    count = int(codes.max(initial=-1)) + 1
    if not len(held):
        return ProbabilityCalibration(undefined_statistic(0, 0, _METHOD, "no answer has a probability"), None)
    bins = np.minimum((held * BINS).astype(int), BINS - 1)
    by_unit = unit_sums(_rows(held - came, bins), codes)
    total = by_unit.sum(0)
    value = _error(total[None])[0]
    low, high = None, None
    if count > 1:
        error = jackknife_error(_error(total - by_unit))
        least, most = student_interval(value, error, count - 1, level)
        low, high = max(least, 0.0), min(most, 1.0)
    rng = np.random.default_rng(seed)
    drawn = (rng.random((_DRAWS, len(held))) < held).astype(float)
    floor = np.mean([_error(_rows(held - each, bins).sum(0)[None])[0] for each in drawn])
    reason = None if count > 1 else "one unit sets no interval"
    found = Statistic(value=value, low=low, high=high, n=len(held), units=count, method=_METHOD, reason=reason)
    return ProbabilityCalibration(found, float(floor))


def _rows(differences: Floats, bins: Floats) -> Floats:
    """Each answer's difference and a 1 in the columns of its bin, shape (answers, 2, bins)."""
    rows = np.zeros((len(differences), 2, BINS))
    rows[np.arange(len(differences)), 0, bins] = differences
    rows[np.arange(len(differences)), 1, bins] = 1.0
    return rows


def _error(sums: Floats) -> list[float]:
    """The error of sums by bin, shape (samples, 2, bins)."""
    return [float(np.abs(each[0]).sum() / each[1].sum()) for each in sums]
