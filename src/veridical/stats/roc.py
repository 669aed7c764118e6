"""Sensitivity without a criterion: how graded answers order signal and noise, beside what is said of the same trials.

A graded answer is a number that is higher the likelier the signal seems, such as the probability of the answer that
reports it. Only its order is used. The area under the receiver operating characteristic is the share of pairs of a
signal and a noise trial in which the signal's answer is higher (Green and Swets 1966); a bias toward either answer
moves all numbers alike and changes no order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from veridical.stats.likelihood import NOTHING, FittedNumber, Floats
from veridical.stats.resample import student_interval, unit_codes, unit_weights

_AT_ONCE = 1_000_000
_SURE = 1e-9
_PERFECT = 5.0
"""A d' that only perfect order, or hardly any error in thousands of pairs, comes to."""
D_PRIME_OF_THRESHOLD = 1.0
LEAST_UNITS = 2


class GradedTrials(NamedTuple):
    """Trials with graded answers, each of shape (trials,).

    `grade` is higher the likelier the signal seems, `signal` says whether it is there, `said` whether the reply reports
    it. Trials of one `panel` are compared among themselves, such as those with the same question; results are means
    over panels. `unit` names what is resampled, `stratum` the kind of each unit.
    """

    grade: ArrayLike
    signal: ArrayLike
    said: ArrayLike
    unit: ArrayLike
    panel: ArrayLike | None = None
    stratum: ArrayLike | None = None


class _Resampled(NamedTuple):
    """Numbers of the trials as they are, in the first place, and of each draw of units, each of shape (1 + draws,)."""

    area: Floats
    neutral: Floats
    response: Floats
    spoken: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedSensitivity:
    """What graded answers tell apart, or nothing and the reason.

    `area` under the curve, in [0, 1], chance is .5; `d_prime` = √2 z(area), that of an observer with normal noise and
    this area. `neutral` is the grade at which misses are as frequent as false alarms: an observer that reports the
    signal above it has no bias. `response` is hits − false alarms at this grade, `spoken` that of what is said, and
    `gap` = spoken − response: below 0, more is known than is said.
    """

    area: FittedNumber
    d_prime: FittedNumber
    neutral: FittedNumber
    response: FittedNumber
    spoken: FittedNumber
    gap: FittedNumber
    units: int
    reason: str | None = None


def graded_sensitivity(
    trials: GradedTrials, *, level: float = 0.95, draws: int = 1000, seed: int = 0
) -> GradedSensitivity:
    """Area, d', neutral grade and responses, with intervals from a bootstrap of units within strata.

    Intervals are Student's, widened by one unit that is half wrong, so that perfect order has no point for an interval;
    that of the neutral grade is Woodruff's (1952), of a quantile of both kinds of trials with equal weight. There is
    nothing without trials of both kinds in each panel, or with fewer than 2 units. Raises ValueError for grades that
    are not finite, or arrays of different shapes.

    >>> grades, signal = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0, 0, 1, 0, 1, 1]
    >>> found = graded_sensitivity(GradedTrials(grades, signal, [0] * 6, [0, 1, 2, 0, 1, 2]))
    >>> round(found.area.value, 3), found.spoken.value, round(found.gap.value, 3)
    (0.889, 0.0, -0.333)
    """
    grade, signal, said, codes, panel = _arrays(trials)
    units = int(codes.max(initial=-1)) + 1
    kinds = {(kind, bool(is_signal)) for kind, is_signal in zip(panel.tolist(), signal.tolist(), strict=True)}
    if len(kinds) < 2 * max(len({kind for kind, _ in kinds}), 1):
        return _nothing(units, "trials with and without a difference are needed")
    strata = _strata(trials.stratum, codes, units)
    weights, df = unit_weights(strata, draws=draws, seed=seed)
    if units < LEAST_UNITS or df < 1:
        return _nothing(units, f"at least {LEAST_UNITS} units are needed")
    found = _measured(grade, signal, said, panel, codes, weights)
    added = float(np.sqrt(0.25 + 1.4 / max(len(grade) / (2 * units), 1.0) ** 2)) / (units + 1)
    interval = partial(_interval, df=df, level=level, units=units)
    area = interval(found.area, 0.0, 1.0, added)
    of_rates = (-1.0, 1.0, np.sqrt(2) * added)
    half = float(scipy.special.stdtrit(df, 0.5 + level / 2))
    ends = [_near_neutral(grade[own], signal[own], weights[:, codes[own]], half, added) for own in _each(panel)]
    return GradedSensitivity(
        area=area,
        d_prime=FittedNumber(*(_d_prime(each) for each in area)),
        neutral=FittedNumber(float(found.neutral[0]), *map(float, np.mean(ends, 0))),
        response=interval(found.response, *of_rates),
        spoken=interval(found.spoken, *of_rates),
        gap=interval(found.spoken - found.response, *of_rates, shrinks=False),
        units=units,
    )


def rank_threshold(
    trials: GradedTrials,
    magnitude: ArrayLike,
    *,
    d_prime: float = D_PRIME_OF_THRESHOLD,
    level: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> FittedNumber:
    """The magnitude at which graded answers tell signal from noise with a d' of 1, wherever the criterion lies.

    `magnitude`, shape (trials,), is that of each signal; of noise it is not read. d' of each magnitude against all
    noise is made to rise with it (isotonic regression), with 0 at 0, and read off between two magnitudes. There is no
    value, but bounds, where the order is perfect from the next magnitude on; there is none of it where the strongest
    signals stay below, and no upper bound where a quantile of the bootstrap of units does. The bounds are percentiles,
    expanded for few units (Hesterberg 2015).

    >>> rng = np.random.default_rng(1)
    >>> size = np.tile([0.0, 0.2, 0.4, 0.8], 300)
    >>> trials = GradedTrials(rng.normal(5 * size), size > 0, size > 9, np.repeat(np.arange(300), 4))
    >>> bool(abs(rank_threshold(trials, size).value - 0.2) < 0.05)
    True
    """
    grade, signal, said, codes, panel = _arrays(trials)
    sizes = np.where(signal, np.asarray(magnitude, float), 0.0)
    steps = np.unique(sizes[signal])
    units = int(codes.max(initial=-1)) + 1
    if not len(steps) or signal.all() or units < LEAST_UNITS:
        return NOTHING
    weights, df = unit_weights(_strata(trials.stratum, codes, units), draws=draws, seed=seed)
    columns, counts = [], []
    for step in steps:
        near = ~signal | (sizes == step)
        if {*panel[near & signal].tolist()} != {*panel[~signal].tolist()}:
            return NOTHING
        columns.append(_measured(grade[near], signal[near], said[near], panel[near], codes[near], weights).area)
        counts.append((near & signal).sum())
    height = np.sqrt(2) * scipy.special.ndtri(np.clip(np.array(columns).T, _SURE, 1 - _SURE))
    ends = np.array([_crossing(steps, row, counts, d_prime) for row in height])
    # Percentiles of few units are too narrow: these reach as far as Student's quantiles beyond normal ones.
    most = float(scipy.special.ndtr(np.sqrt(units / max(df, 1)) * scipy.special.stdtrit(max(df, 1), 0.5 + level / 2)))
    low = float(np.quantile(ends[1:, 0], 1 - most, method="closest_observation"))
    high = float(np.quantile(ends[1:, 1], most, method="closest_observation"))
    value = float(ends[0, 0]) if ends[0, 0] == ends[0, 1] else float("inf")
    return FittedNumber(*(each if np.isfinite(each) else None for each in (value, low, high)))


def _crossing(steps: Floats, heights: Floats, counts: list[int], wanted: float) -> tuple[float, float]:
    """Between which numbers heights that are made to rise with the steps reach what is wanted; infinite if not at all.

    They are the same but where the height jumps to that of perfect order, which has no measure.
    """
    risen = scipy.optimize.isotonic_regression(heights, weights=np.asarray(counts, float)).x
    if risen[-1] < wanted:
        return float("inf"), float("inf")
    known, reached = np.array([0.0, *steps]), np.array([0.0, *np.maximum(risen, 0.0)])
    place = int(np.argmax(reached >= wanted))
    below, above = float(known[place - 1]), float(known[place])
    if reached[place] > _PERFECT:
        return below, above
    found = below + (above - below) * float((wanted - reached[place - 1]) / (reached[place] - reached[place - 1]))
    return found, found


def _arrays(
    trials: GradedTrials,
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    grade = np.asarray(trials.grade, float)
    signal, said = (np.asarray(each, bool) for each in (trials.signal, trials.said))
    if grade.ndim != 1 or signal.shape != grade.shape or said.shape != grade.shape or not np.isfinite(grade).all():
        raise ValueError(f"grades of shape {grade.shape}, one finite number for each trial are needed")
    return grade, signal, said, unit_codes(trials.unit, len(grade)), _panels(trials.panel, len(grade))


def _panels(names: ArrayLike | None, rows: int) -> NDArray[np.int64]:
    return np.zeros(rows, np.int64) if names is None else unit_codes(names, rows)


def _strata(names: ArrayLike | None, codes: NDArray[np.int64], units: int) -> NDArray[np.int64]:
    """The stratum of each unit, as a number."""
    strata = np.zeros(units, np.int64)
    strata[codes] = _panels(names, len(codes))
    return strata


def _measured(
    grade: Floats,
    signal: NDArray[np.bool_],
    said: NDArray[np.bool_],
    panel: NDArray[np.int64],
    codes: NDArray[np.int64],
    weights: Floats,
) -> _Resampled:
    """What trials come to as they are, and under each draw of units; means over panels."""
    rows = np.concatenate([np.ones((1, weights.shape[1])), weights])
    parts = []
    for own in _each(panel):
        step = max(_AT_ONCE // int(own.sum()), 1)
        taken = (rows[start : start + step, codes[own]] for start in range(0, len(rows), step))
        parts.append(np.concatenate([_panel(grade[own], signal[own], said[own], each) for each in taken]))
    every = np.mean(parts, 0)
    every = np.where(np.isfinite(every), every, every[0])  # a draw without one kind of trials takes the value of all
    return _Resampled(*every.T)


def _each(panel: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    """Which trials each panel has."""
    return [panel == name for name in np.unique(panel)]


def _near_neutral(
    grade: Floats, signal: NDArray[np.bool_], weights: Floats, half: float, added: float
) -> tuple[float, float]:
    """The grades that may be neutral: where the share of trials below, of both kinds alike, is near one half."""
    order = np.argsort(grade, kind="stable")
    share = np.where(signal, 0.5 / signal.sum(), 0.5 / (~signal).sum())
    below = np.cumsum(share[order])
    middle = float(_panel(grade, signal, signal, np.ones((1, len(grade))))[0, 1])
    under = (grade < middle) + 0.5 * (grade == middle)
    with np.errstate(invalid="ignore"):
        sides = [
            (weights * (side & (under > 0)) * under).sum(1) / (weights * side).sum(1) for side in (signal, ~signal)
        ]
    drawn = np.mean(sides, 0)
    width = half * float(np.sqrt(np.nanvar(drawn, ddof=1) + added**2))
    places = np.searchsorted(below, [0.5 - width, 0.5 + width])
    low, high = (float(grade[order[min(place, len(order) - 1)]]) for place in places)
    return min(low, middle), max(high, middle)


def _panel(grade: Floats, signal: NDArray[np.bool_], said: NDArray[np.bool_], weights: Floats) -> Floats:
    """What the trials of a panel come to under each row of weights, shape (rows, fields of `_Resampled`)."""
    values, place = np.unique(grade, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(values)))
    sides = [np.add.reduceat(weights[:, order] * side[order], starts, axis=1) for side in (signal, ~signal)]
    with np.errstate(invalid="ignore", divide="ignore"):
        hits, alarms = (side / side.sum(1, keepdims=True) for side in sides)
        spoken = [(weights * (side & said)).sum(1) / (weights * side).sum(1) for side in (signal, ~signal)]
        missed, rejected = np.cumsum(hits, 1), np.cumsum(alarms, 1)
        area = (hits * (rejected - alarms / 2)).sum(1)
        # Misses rise with the grade and false alarms fall; within equal grades both are shared out evenly.
        both, step = missed + rejected, hits + alarms
        cut = np.argmax(both >= 1 - 1e-9, axis=1)
        row = np.arange(len(weights))
        share = np.clip((1 - (both - step)[row, cut]) / step[row, cut], 0.0, 1.0)
        response = (rejected - missed - (1 - share)[:, None] * (alarms - hits))[row, cut]
    after = np.minimum(cut + 1, len(values) - 1)
    neutral = np.where(share > 1 - 1e-9, (values[cut] + values[after]) / 2, values[cut])
    return np.stack([area, neutral, response, spoken[0] - spoken[1]], 1)


def _interval(
    found: Floats, low: float, high: float, added: float, *, df: int, level: float, units: int, shrinks: bool = True
) -> FittedNumber:
    """Student's interval, within a range, with the error that one unit more adds which is half wrong.

    A share that is 0 or 1 in all units has no spread of its own; the unit also draws it toward the middle.
    """
    value = float(found[0])
    error = float(np.sqrt(np.var(found[1:], ddof=1) + added**2))
    middle = value - (value - (low + high) / 2) / (units + 1) if shrinks else value
    least, most = student_interval(middle, error, df, level)
    return FittedNumber(value, min(max(least, low), value), max(min(most, high), value))


def _d_prime(area: float | None) -> float | None:
    """√2 z(area); `None` where that is not finite."""
    if area is None or not _SURE < area < 1 - _SURE:
        return None
    return float(np.sqrt(2) * scipy.special.ndtri(area))


def _nothing(units: int, reason: str) -> GradedSensitivity:
    names = ("area", "d_prime", "neutral", "response", "spoken", "gap")
    return GradedSensitivity(**dict.fromkeys(names, NOTHING), units=units, reason=reason)
