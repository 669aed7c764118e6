"""Accuracy as a function of focus: are answers right more often where the right boxes are mentioned?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import POINTS, Counts, Estimate, Json
from veridical.stats import Interval, sign_flip_p
from veridical.stats.resample import jackknife_error, student_interval, unit_codes, unit_sums
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, Slice
from veridical.suites.magic.analysis.accuracy import OF_ALL, marked
from veridical.suites.magic.analysis.rows import plain, sent
from veridical.suites.magic.asking.trials import BLIND
from veridical.suites.magic.stimuli import NAME

BINS = {
    "0": (-1.0, 0.0),
    "up to 0.5": (0.0, 0.5),
    "up to 0.75": (0.5, 0.75),
    "below 1": (0.75, 1 - 1e-9),
    "1": (1 - 1e-9, 1.0),
}
"""Bins of the F1 of a reply: above the first bound, up to the second."""
_SLOPE = (
    "least squares within question types, points of accuracy for 10 points of F1; jackknife over units; sign-flip test "
    "of the units' contributions"
)
_STEP = 0.1


def by_focus(evidence: Evidence) -> Iterator[Estimate]:
    """`accuracy by focus` in each bin of F1, and `focus slope`, over all and by question type, by who marks."""
    for by, rows in marked(evidence):
        chosen, note = plain(rows)
        counted = sent(chosen).filter(pl.col("view") != BLIND).drop_nulls(("f1", "right"))
        for name, (above, up_to) in BINS.items():
            own = counted.filter((pl.col("f1") > above) & (pl.col("f1") <= up_to))
            piece = Slice(NAME, {"focus": name, **by}, own, Counts.of(own), note)
            yield piece.rate("accuracy by focus", "right", OF_ALL)
        yield slope(Slice(NAME, by, counted, Counts.of(counted), note))
        for (category,), own in counted.group_by("category", maintain_order=True):
            where: dict[str, Json] = {**by, "category": str(category)}
            yield slope(Slice(NAME, where, own, Counts.of(own), note))


def slope(piece: Slice) -> Estimate:
    """The slope of right answers on F1 within question types, with p by flipping the signs of whole units."""
    rows = piece.rows
    if rows["unit"].n_unique() < 2 or rows["f1"].n_unique() < 2:
        return piece.estimate("focus slope", POINTS, _SLOPE, None, NOTHING, "focus does not vary")
    types, codes = unit_codes(rows["category"].to_numpy(), len(rows)), unit_codes(rows["unit"].to_numpy(), len(rows))
    moments = _moments(rows["f1"].to_numpy(), rows["right"].to_numpy(), codes, types)
    value = float(_of_moments(moments.sum(0)))
    if not np.isfinite(value):
        reason = "focus does not vary within question types"
        return piece.estimate("focus slope", POINTS, _SLOPE, None, NOTHING, reason)
    left_out = _of_moments(moments.sum(0) - moments)
    left_out = np.where(np.isfinite(left_out), left_out, value)
    bounds = student_interval(value, jackknife_error(left_out), len(moments) - 1)
    scale = 100 * _STEP
    low, high = (None if each is None else scale * each for each in bounds)
    estimate = piece.estimate("focus slope", POINTS, _SLOPE, scale * value, Interval(low, high))
    return replace(estimate, p=sign_flip_p(_contributions(rows, codes, types)))


def _moments(x: np.ndarray, y: np.ndarray, codes: np.ndarray, types: np.ndarray) -> np.ndarray:
    """Sums of 1, x, y, xx and xy by unit and question type, shape (units, types, 5)."""
    terms = np.stack([np.ones(len(x)), x, y, x * x, x * y], -1)
    apart = np.zeros((len(x), int(types.max()) + 1, 5))
    apart[np.arange(len(x)), types] = terms
    return unit_sums(apart, codes)


def _of_moments(moments: np.ndarray) -> np.ndarray:
    """The slope from moments, shape (..., types, 5); NaN where x does not vary within any type."""
    n, x, y, xx, xy = np.moveaxis(moments, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(n > 0.5, xx - x * x / np.maximum(n, 1), 0.0).sum(-1)
        shared = np.where(n > 0.5, xy - x * y / np.maximum(n, 1), 0.0).sum(-1)
        return np.asarray(np.where(spread > 1e-9, shared / spread, np.nan))


def _contributions(rows: pl.DataFrame, codes: np.ndarray, types: np.ndarray) -> np.ndarray:
    """What each unit adds to the covariance of focus and right answers within question types, shape (units,)."""
    x, y = (_centered(rows[name].to_numpy(), types) for name in ("f1", "right"))
    return np.bincount(codes, x * y)


def _centered(values: np.ndarray, types: np.ndarray) -> np.ndarray:
    return np.asarray(values - (np.bincount(types, values) / np.bincount(types))[types])
