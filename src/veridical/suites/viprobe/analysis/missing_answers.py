"""What missing answers could have made of differences: their bounds, over every way to fill in what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from veridical.suites.viprobe.analysis.estimates import CONTRASTS, EPSILON
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.analysis.pooled import asked_pairs

DIFFERENCES: Mapping[str, tuple[float, ...]] = {**CONTRASTS, "gap": (0.0, -1.0, 0.0, 1.0)}
"""Weights of the accuracies of O, P, OC, PC."""


class Filled(NamedTuple):
    """A figure as it is, and the least and most that it could be, had the missing answers been given."""

    value: float
    least: float
    most: float


def filled(outcomes: pl.DataFrame) -> dict[str, Filled]:
    """I, R, the gap and the other differences of accuracy, with what missing answers could have made of them.

    In points, R as it is; accuracy is PFA, of all. An answer that is missing could have been right or wrong, so that
    a pair could have been right unless an answered half is wrong. Nothing where no answer is missing, or where one of
    O, P, OC and PC was not asked.
    """
    _, rows, _ = asked_pairs(outcomes)
    by_type = rows.group_by("variant").agg(
        (100 * pl.col("PFA").mean()).alias("least"),
        (100 * pl.col("possible").mean()).alias("most"),
        (pl.col("no_pair") > 0).any().alias("lack"),
    )
    bounds = by_type.select("variant", "least", "most").iter_rows()
    rates = {str(name): (float(least), float(most)) for name, least, most in bounds}
    if not set(TYPES) <= set(rates) or not by_type["lack"].any():
        return {}
    least, most = ([rates[name][place] for name in TYPES] for place in (0, 1))
    ranges = {name: _weighed(weights, least, most) for name, weights in DIFFERENCES.items()}
    return {**ranges, "R": _quotient(_size(least, most, 0, 1), _size(least, most, 2, 3))}


def _weighed(weights: tuple[float, ...], least: list[float], most: list[float]) -> Filled:
    pairs = list(zip(weights, least, most, strict=True))
    return Filled(
        sum(w * low for w, low, _ in pairs),
        sum(w * (low if w > 0 else high) for w, low, high in pairs),
        sum(w * (high if w > 0 else low) for w, low, high in pairs),
    )


def _size(least: list[float], most: list[float], one: int, two: int) -> Filled:
    """The absolute difference of two accuracies."""
    low, high = least[one] - most[two], most[one] - least[two]
    return Filled(abs(least[one] - least[two]), max(low, -high, 0.0), max(abs(low), abs(high)))


def _quotient(above: Filled, below: Filled) -> Filled:
    return Filled(
        above.value / (below.value + EPSILON),
        above.least / (below.most + EPSILON),
        above.most / (below.least + EPSILON),
    )
