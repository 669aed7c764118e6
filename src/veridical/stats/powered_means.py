"""Prediction-powered means: a judge's scores of all rows, corrected by people's labels of some.

After Angelopoulos et al. (2023), with the weight that makes the interval shortest (PPI++, Angelopoulos et al. 2024).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from veridical.stats.resample import Codes, Floats, Statistic, student_interval, undefined_statistic

_METHOD = "prediction-powered mean, power-tuned, linearized over units, one deviating row added"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredMean(Statistic):
    """A corrected mean of `n` labeled and `more` other rows, beside the judge's own mean and that of the labels.

    `weight`, in [0, 1], is how much of the judge's scores is used: 0 is the mean of the labels alone.
    """

    more: int = 0
    weight: float | None = None
    judged: float | None = None
    labeled: float | None = None


def powered_mean(
    labels: ArrayLike,
    scores: ArrayLike,
    more: ArrayLike,
    *,
    units: ArrayLike | None = None,
    more_units: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    bounds: tuple[float, float] | None = (0.0, 1.0),
    weight: float | None = None,
    level: float = 0.95,
) -> PoweredMean:
    """The mean of the labels over all rows, from labels and a judge's scores of some rows, and its scores of `more`.

    `labels` and `scores` have the shape (rows,) and are of the same rows; `more` are other rows of the same kind. The
    labeled rows are a random sample; where some were drawn more often than others, `weights` has for each how many rows
    it stands for, and `more` are all rows. Units that occur on both sides are taken together. `bounds` is the range of
    a label; without it, the interval is not cut. `weight` fixes how much of the scores is used; by default it is chosen
    to make the variance smallest. Without `more` it is 0. The interval is Student's on labeled units − 1 degrees of
    freedom. Raises ValueError for columns of unequal length, and for weights that are not above 0.

    >>> rng = np.random.default_rng(0)
    >>> truth = (rng.random(1000) < 0.6).astype(float)
    >>> judge = np.where(rng.random(1000) < 0.9, truth, 1 - truth)
    >>> found = powered_mean(truth[:100], judge[:100], judge[100:])
    >>> [round(each, 3) for each in (found.value, found.low, found.high, found.weight)]
    [0.563, 0.505, 0.621, 0.794]
    """
    y, f, g = (np.asarray(each, float) for each in (labels, scores, more))
    if y.shape != f.shape or y.ndim != 1 or g.ndim != 1:
        raise ValueError(f"labels and scores of shapes {y.shape} and {f.shape}: two of the same length are needed")
    n = len(y)
    codes = _codes(units, more_units, n, len(g))
    mine, others = codes[:n], codes[n:]
    count, whole = len(np.unique(mine)), weights is not None
    if n == 0:
        return _powered(undefined_statistic(0, 0, _METHOD, "nothing was labeled"), g)
    base = undefined_statistic(n, count, _METHOD, "an interval needs at least two labeled units")
    share = np.full(n, 1 / n) if weights is None else _normed(weights, n)
    label, even = _effect(y, share, mine, codes), np.full(len(g), 1 / max(len(g), 1))
    score = _effect(g, even, others, codes) - _effect(f, share, mine, codes) if len(g) else np.zeros_like(label)
    chosen = _weight(label, score) if weight is None else weight
    used = chosen if len(g) else 0.0
    value = float(share @ y + (used * (g.mean() - share @ f) if len(g) else 0.0))
    value = value if bounds is None else float(np.clip(value, *bounds))
    if count < 2:
        return _powered(base, g, y, f, used, value, None, share, whole=whole)
    span = float(np.ptp(y)) if bounds is None else bounds[1] - bounds[0]
    # One deviating row: without it, labels that all agree with the judge would be no less certain than all labels.
    variance = float(((label + used * score) ** 2).sum()) * count / (count - 1) + (span * share.max()) ** 2
    low, high = student_interval(value, float(np.sqrt(variance)), count - 1, level)
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return _powered(base, g, y, f, used, value, (low, high), share, whole=whole)


def _codes(units: ArrayLike | None, more_units: ArrayLike | None, n: int, more: int) -> Codes:
    """The unit of each row, labeled ones first; names are the same unit on both sides."""
    if (units is None) != (more_units is None) and more > 0:
        raise ValueError("units of one side alone: name those of both, or of neither")
    if units is None:
        return np.arange(n + more)
    mine, others = np.asarray(units), np.asarray([] if more_units is None else more_units)
    if mine.shape != (n,) or others.shape != (more,):
        raise ValueError(f"units of shapes {mine.shape} and {others.shape} for {n} and {more} rows")
    names = np.concatenate([mine, others.astype(mine.dtype) if not more else others])
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def _normed(weights: ArrayLike, n: int) -> Floats:
    """Weights that add up to 1."""
    values = np.asarray(weights, float)
    if values.shape != (n,) or not (values > 0).all():
        raise ValueError(f"weights of shape {values.shape} for {n} rows: one above 0 for each row is needed")
    return np.asarray(values / values.sum())


def _effect(values: Floats, share: Floats, own: Codes, codes: Codes) -> Floats:
    """What each unit of all contributes to a weighted mean beyond that mean; the sum is 0."""
    effects = np.zeros(int(codes.max()) + 1)
    np.add.at(effects, own, share * (values - share @ values))
    return effects


def _weight(label: Floats, score: Floats) -> float:
    """The weight of the scores that makes the variance smallest, within [0, 1]."""
    below = float((score**2).sum())
    return float(np.clip(-(label * score).sum() / below, 0, 1)) if below > 0 else 0.0


def _powered(
    base: Statistic,
    more: Floats,
    labels: Floats | None = None,
    scores: Floats | None = None,
    weight: float | None = None,
    value: float | None = None,
    bounds: tuple[float, float] | None = None,
    share: Floats | None = None,
    *,
    whole: bool = False,
) -> PoweredMean:
    judged = more if scores is None or whole else np.concatenate([scores, more])
    low, high = bounds or (None, None)
    return PoweredMean(
        value=value,
        low=low,
        high=high,
        n=base.n,
        units=base.units,
        method=base.method,
        reason=None if bounds else base.reason,
        more=len(more),
        weight=weight,
        judged=float(judged.mean()) if len(judged) else None,
        labeled=None if labels is None else float(labels.mean() if share is None else share @ labels),
    )
