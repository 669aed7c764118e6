"""VI-Probe's figures: consistency (paper, section 3.3 and Fig. 4) and isolation (Table 2), each with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from veridical.records import Counts, Estimate, Json
from veridical.stats import Cells, Interval, linear, percentile, proportion, ratio, wilson
from veridical.suites.viprobe.pairs import PARTS, TYPES, cells, pairs

EPSILON = 0.001
AVERAGES = {"illusion_average": (0.5, 0.5, 0.0, 0.0), "control_average": (0.0, 0.0, 0.5, 0.5)}
CONTRASTS = {
    "delta_original": (1.0, 0.0, -1.0, 0.0),
    "delta_perturbed": (0.0, 1.0, 0.0, -1.0),
    "delta_average": (-0.5, -0.5, 0.5, 0.5),
    "I": (1.0, -1.0, -1.0, 1.0),
}
"""Weights of the accuracies of O, P, OC, PC; `delta_average` is control less illusion, as in the paper's Table 2."""

_MEANS: tuple[tuple[str, ...], ...] = ((), ("category",), ("case",))
_POOLED: tuple[tuple[str, ...], ...] = (("variant",), ("case", "variant"), ("case", "variant", "alpha"))
_RATES = ("PFC", *PARTS)
_EVEN = (0.25, 0.25, 0.25, 0.25)
_OVER_TYPES = "plain mean over O, P, OC, PC (P and PC pooled over strengths)"
_OVER_PICTURES = "pooled over pictures"


@dataclass(frozen=True)
class Slice:
    """The pairs of one slice, and the counts of all its trials, planned ones included."""

    where: dict[str, Json]
    rows: pl.DataFrame
    counts: Counts

    def estimate(
        self, metric: str, unit: str, method: str, value: float | None, bounds: Interval, reason: str | None = None
    ) -> Estimate:
        return Estimate(
            suite="viprobe",
            metric=metric,
            slice=self.where,
            value=value,
            low=bounds.low,
            high=bounds.high,
            unit=unit,
            n_units=self.rows["unit"].n_unique(),
            counts=self.counts,
            method=method,
            reason=reason,
        )


def estimates(outcomes: pl.DataFrame) -> list[Estimate]:
    """All estimates of a run: overall, per category and per case as plain means over picture types, with the isolation
    figures; per variant, per case x variant, and per case x variant x strength, pooled over pictures.

    Accuracy is PFA. A pair with a missing half stays in every denominator as `no_pair`; `PFA_of_answered` leaves
    such pairs out and says so. A figure that cannot be had is `None` with its reason.
    """
    named = outcomes.rename({"family": "case"})
    known = named.filter(pl.col("variant").is_in(TYPES))
    rows = pairs(known.rename({"case": "family"})).with_columns(
        (pl.col("PFA") + pl.col("CbW")).alias("PFC"), pl.col("family").alias("case")
    )
    found: list[Estimate] = []
    for keys in _MEANS:
        for piece in _slices(known, rows, keys):
            found += _consistency(piece, pooled=False) + _isolation(piece)
    for keys in _POOLED:
        for piece in _slices(known, rows, keys):
            found += _consistency(piece, pooled=True)
    return found


def _slices(outcomes: pl.DataFrame, rows: pl.DataFrame, keys: tuple[str, ...]) -> Iterator[Slice]:
    if not keys:
        yield Slice({}, rows, Counts.of(outcomes))
        return
    pieces = rows.partition_by(keys, as_dict=True)
    for values, piece in outcomes.partition_by(keys, as_dict=True, maintain_order=True).items():
        yield Slice(dict(zip(keys, values, strict=True)), pieces.get(values, rows.clear()), Counts.of(piece))


def _consistency(piece: Slice, *, pooled: bool) -> list[Estimate]:
    found = _rates(piece, piece.rows, _RATES, _RATES, pooled=pooled)
    answered = piece.rows.filter(pl.col("answered") == 1)
    return found + _rates(piece, answered, ("PFA",), ("PFA_of_answered",), pooled=pooled)


def _rates(
    piece: Slice, rows: pl.DataFrame, columns: tuple[str, ...], metrics: tuple[str, ...], *, pooled: bool
) -> list[Estimate]:
    over = _OVER_PICTURES if pooled else _OVER_TYPES
    method = f"{over}; Wilson at the effective n, by resampling units within cases"
    data = cells(rows, columns, pooled=pooled)
    lacking = _lacking(data, pooled=pooled)
    if lacking:
        return [piece.estimate(name, "proportion", method, None, Interval(None, None), lacking) for name in metrics]
    weights = (1.0,) if pooled else _EVEN
    found = []
    for k, name in enumerate(metrics):
        value, bounds = mean_rate(data, k, weights)
        found.append(piece.estimate(name, "proportion", method, value, bounds))
    return found


def mean_rate(data: Cells, metric: int, weights: tuple[float, ...]) -> tuple[float, Interval]:
    """A weighted mean of cell rates with its interval in [0, 1]; weights add up to 1."""
    rates = data.rates[:, metric]
    used = np.flatnonzero(weights)
    value = min(max(float(np.array(weights)[used] @ rates[used]), 0.0), 1.0)
    variance = float((data.replicates[:, used, metric] @ np.array(weights)[used]).var(ddof=1))
    if variance < 1e-18 and 0 < value < 1 and len(used) > 1:
        bounds = linear(np.array(weights)[used], rates[used], [wilson(float(p), data.units) for p in rates[used]])
        return value, Interval(max(bounds.low or 0.0, 0.0), min(bounds.high or 1.0, 1.0))
    rows = int(data.rows[:, used].sum())
    return value, proportion(value, variance, rows, data.units, data.df)


def _lacking(data: Cells, *, pooled: bool) -> str | None:
    if not data.units:
        return "no pair to count"
    if pooled:
        return None
    missing = [name for name, count in zip(TYPES, data.rows.sum(0), strict=True) if count == 0]
    return f"no pair of type {', '.join(missing)}" if missing else None


def _isolation(piece: Slice) -> list[Estimate]:
    data = cells(piece.rows, ("PFA",))
    method = "accuracy = PFA; cluster bootstrap of units within cases, percentile interval"
    lacking = _lacking(data, pooled=False)
    if lacking:
        names = dict.fromkeys(AVERAGES, "proportion") | dict.fromkeys(CONTRASTS, "points") | {"R": "ratio"}
        return [piece.estimate(n, unit, method, None, Interval(None, None), lacking) for n, unit in names.items()]
    found = []
    for name, weights in AVERAGES.items():
        value, bounds = mean_rate(data, 0, weights)
        found.append(
            piece.estimate(name, "proportion", "mean of two picture types; Wilson at the effective n", value, bounds)
        )
    for name, weights in CONTRASTS.items():
        value, bounds = contrast(data, weights)
        found.append(piece.estimate(name, "points", method, value, bounds))
    return [*found, _multiplier(piece, data)]


def contrast(data: Cells, weights: ArrayLike) -> tuple[float, Interval]:
    """A weighted sum of rates in percentage points with its interval; never a point, even without any spread.

    `weights` has the shape (cells, metrics), or (cells,) where there is one metric; a cell of weight 0 may be empty.
    """
    weight = np.asarray(weights, float).reshape(data.rates.shape)
    used = weight != 0
    value = 100 * float(weight[used] @ data.rates[used])
    replicates = 100 * (data.replicates[:, used] @ weight[used])
    if np.ptp(replicates) > 1e-9:
        return value, percentile(replicates)
    rates = data.rates[used]
    bounds = linear(weight[used], rates, [wilson(float(rate), data.units) for rate in rates])
    return value, Interval(100 * (bounds.low or 0.0), 100 * (bounds.high or 0.0))


def _multiplier(piece: Slice, data: Cells) -> Estimate:
    """R, the illusion multiplier (paper, equation 1), from accuracies in percent."""
    method = "|O - P| / (|OC - PC| + 0.001), in percent; cluster bootstrap of units within cases, percentile interval"
    illusion, illusion_bounds = contrast(data, (1, -1, 0, 0))
    control, control_bounds = contrast(data, (0, 0, 1, -1))
    if abs(control) < 1e-9:
        reason = "the controls do not move: OC and PC have the same accuracy"
        return piece.estimate("R", "ratio", method, None, Interval(None, None), reason)
    value = abs(illusion) / (abs(control) + EPSILON)
    o, p, oc, pc = 100 * np.moveaxis(data.replicates[..., 0], 1, 0)
    bounds = percentile(np.abs(o - p) / (np.abs(oc - pc) + EPSILON))
    if np.ptp(o - p) < 1e-9 and np.ptp(oc - pc) < 1e-9:
        bounds = ratio(abs(illusion), abs(control), _sizes(illusion_bounds), _sizes(control_bounds))
    if (control_bounds.low or 0.0) <= 0 <= (control_bounds.high or 0.0):
        reason = "no upper bound: the interval of OC - PC reaches 0"
        return piece.estimate("R", "ratio", method, value, Interval(bounds.low, None), reason)
    return piece.estimate("R", "ratio", method, value, bounds)


def _sizes(bounds: Interval) -> Interval:
    """The bounds of the absolute value."""
    low, high = bounds.low or 0.0, bounds.high or 0.0
    return Interval(0.0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))
