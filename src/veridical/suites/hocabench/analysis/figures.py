"""Numbers that are no shares of right replies: F1, the gap of two layers, and the smallest gap that a plan shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.records import POINTS, PROPORTION, Estimate, Trial, Unit
from veridical.stats import Interval
from veridical.suite.contrasts import MEAN_METHOD, doubled_rows, smallest_mean
from veridical.suite.rates import CONTRAST_METHOD, NOTHING, Slice, cluster_rows, contrast, mean_rate
from veridical.suite.rows import OF_ALL
from veridical.suites.hocabench.asking.readers import DESCRIPTION, DOMAIN, EXPLAINED
from veridical.suites.hocabench.stimuli import PLAUSIBLE, VIOLATING

SCORE = Unit(name="score", digits=1, scale=100.0, low=0.0, high=1.0)
"""A share of the full marks, shown as a score of 100."""
INDEX = Unit(name="index", digits=1, scale=100.0, low=0.0, high=1.0)
LACKING = "violating and plausible clips are needed"
F1_METHOD = (
    f"implausible is positive; {OF_ALL}: a miss, or a false alarm; variance recovery from both rates, each with "
    "Student's interval over units within families"
)
F1_OF_ANSWERED = (
    "implausible is positive; of answered: what lacks an answer is neither a miss nor a false alarm; variance recovery "
    "from both rates, each with Student's interval over units within families"
)
LAYERS = ("ontological", "causal")
_DRAWS = 1999
_SPREAD = 0.25
"""The variance of a right or wrong answer at an accuracy of one half, where it is largest."""


def f1(hits: float, passed: float, balance: float) -> float:
    """F1 with implausible as the positive class; 0 where nothing is called implausible.

    `hits` is the share of violating clips that are called implausible, `passed` that of plausible clips called
    plausible, `balance` the number of plausible clips for each violating one.

    >>> round(f1(1.0, 0.0, 1.0), 3), f1(0.0, 1.0, 1.0), f1(1.0, 1.0, 2.0)
    (0.667, 0.0, 1.0)
    """
    return 2 * hits / (1 + hits + balance * (1 - passed))


def f1_slopes(hits: float, passed: float, balance: float) -> tuple[float, float]:
    """How fast F1 rises with either share.

    >>> [round(slope, 2) for slope in f1_slopes(1.0, 1.0, 1.0)]
    [0.5, 0.5]
    """
    below = (1 + hits + balance * (1 - passed)) ** 2
    return 2 * (1 + balance * (1 - passed)) / below, 2 * hits * balance / below


def sides(rows: pl.DataFrame) -> NDArray[np.int64]:
    """0 for the rows of violating clips, 1 for all others."""
    return rows.select((pl.col("variant") != VIOLATING).cast(pl.Int64))["variant"].to_numpy()


def has_both(rows: pl.DataFrame) -> bool:
    """Whether there are rows of violating and of plausible clips."""
    return {VIOLATING, PLAUSIBLE} <= set(rows["variant"].unique())


def f1_estimate(piece: Slice) -> Estimate:
    """F1 of Task I with its interval."""
    if not has_both(piece.rows):
        return piece.estimate("f1", PROPORTION, F1_METHOD, None, NOTHING, LACKING)
    data = cluster_rows(piece.rows, ("right",), sides(piece.rows), 2)
    counts = data.rows.sum(0)
    balance = float(counts[1] / counts[0])
    (hits, passed), low, high = ([float(each) for each in part] for part in data.measured.cells)
    value = f1(hits, passed, balance)
    ends = []
    for bound in (low, high):
        steps = (f1(bound[0], passed, balance) - value, f1(hits, bound[1], balance) - value)
        ends.append(float(np.hypot(*steps)))
    bounds = Interval(max(value - ends[0], 0.0), min(value + ends[1], 1.0))
    return piece.estimate("f1", PROPORTION, F1_METHOD, value, bounds)


def balanced_accuracy(piece: Slice) -> Estimate:
    """The mean of the accuracy on violating and on plausible clips."""
    method = f"mean of both kinds of clips; {OF_ALL}; {MEAN_METHOD}"
    if not has_both(piece.rows):
        return piece.estimate("balanced accuracy", PROPORTION, method, None, NOTHING, LACKING)
    value, bounds = mean_rate(cluster_rows(piece.rows, ("right",), sides(piece.rows), 2), 0, (0.5, 0.5))
    return piece.estimate("balanced accuracy", PROPORTION, method, value, bounds)


def layer_gap(piece: Slice, metric: str, column: str) -> Estimate:
    """Ontological − causal, in points, with p by permutation of the units' layers.

    A unit has one layer, so that no unit can be paired with itself: under the hypothesis of no gap, layers are labels
    that could stand at any unit.
    """
    method = f"ontological − causal; {CONTRAST_METHOD}; permutation of the layers of units"
    rows = piece.rows.drop_nulls(("layer", column))
    lacking = [name for name in LAYERS if not (rows["layer"] == name).any()]
    if lacking:
        return piece.estimate(metric, POINTS, method, None, NOTHING, f"no {' and no '.join(lacking)} clips")
    every = doubled_rows(rows) if not rows[column].is_in([0.0, 1.0]).all() else rows
    layer = every.select(pl.when(pl.col("layer") == LAYERS[0]).then(0).otherwise(1).alias("at"))["at"].to_numpy()
    data = cluster_rows(every, (column,), layer, 2)
    value, bounds = contrast(data, (1.0, -1.0))
    return replace(piece.estimate(metric, POINTS, method, value, bounds), p=permuted_p(data.sums[..., 0], data.rows))


def permuted_p(sums: NDArray[np.float64], counts: NDArray[np.float64], *, seed: int = 0) -> float:
    """The two-sided p of a difference of rates between two groups of units, by permutation of the units' groups.

    `sums` and `counts`, both of shape (units, 2), have each unit's outcomes in the column of its group.

    >>> sums, counts = np.zeros((20, 2)), np.zeros((20, 2))
    >>> sums[:10, 0], counts[:10, 0], counts[10:, 1] = 1, 1, 1
    >>> permuted_p(sums, counts)
    0.0015
    """
    total, rows, first = sums.sum(1), counts.sum(1), counts[:, 0] > 0
    drawn = _permutations(first.tobytes(), seed)

    def gaps(labels: NDArray[np.float64]) -> NDArray[np.float64]:
        above, below = labels @ total, labels @ rows
        return np.asarray(above / below - (total.sum() - above) / (rows.sum() - below))

    observed = abs(float(gaps(first[None].astype(float))[0]))
    return float((1 + (np.abs(gaps(drawn)) >= observed - 1e-12).sum()) / (1 + _DRAWS))


@lru_cache(maxsize=2)
def _permutations(first: bytes, seed: int) -> NDArray[np.float64]:
    """`_DRAWS` permutations of which units are in the first group, shape (draws, units).

    The figures and verdicts of a run permute the same units.
    """
    drawn = np.random.default_rng(seed).permuted(np.tile(np.frombuffer(first, np.bool_), (_DRAWS, 1)), axis=1)
    return drawn.astype(float)


def smallest_gap(ontological: int, causal: int) -> float:
    """The gap of two layers, in points, that a test at 5 % shows in four of five runs, from the units of each.

    It is that at accuracies around one half; repeats of a unit do not count.

    >>> round(smallest_gap(254, 376), 1), round(smallest_gap(12, 24), 1)
    (11.4, 49.5)
    """
    return smallest_mean((_SPREAD * (1 / ontological + 1 / causal)) ** 0.5, 1)


def resolution(pieces: Iterable[tuple[Sequence[Trial], int]]) -> Iterator[str]:
    """Lines for a plan: the smallest gap of the layers in Tasks II to IV; nothing where one of the layers lacks."""
    units: Counter[tuple[str, str]] = Counter()
    for trials, times in pieces:
        different = {(trial.settings.get("task"), trial.factors.get("layer"), trial.unit) for trial in trials}
        for task, layer, _ in different:
            units[str(task), str(layer)] += times
    for task in (DOMAIN, DESCRIPTION, EXPLAINED):
        own = [units[task, layer] for layer in LAYERS]
        if all(own):
            yield (
                f"{task}: a gap of {smallest_gap(*own):.0f} points or more between the layers shows in four of five "
                f"runs ({own[0]:,} ontological and {own[1]:,} causal clips)"
            )
