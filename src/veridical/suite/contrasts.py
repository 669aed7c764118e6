"""Differences of two kinds of rows within units, with sign-flip tests; pairs of rows; means of clustered rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import POINTS, PROPORTION, Estimate, Unit, canonical
from veridical.stats import Interval, Rates, holm, sign_flip_p
from veridical.suite.rates import CONTRAST_METHOD, NOTHING, Slice, clustered, contrast, mean_rate, unit_sums

Sides = tuple[pl.Expr, pl.Expr, str]
"""The rows that count for a difference, those that count against it, and the two in words."""

_METHOD = f"pooled over pictures; {CONTRAST_METHOD}; sign-flip test by unit"

MEAN_METHOD = "Student's interval over units within families, one half-right unit added"


def difference(piece: Slice, metric: str, column: str, sides: Sides) -> Estimate:
    """The mean of a 0/1 column over the rows of one side less that over the other, in points, with the sign-flip p."""
    plus, minus, words = sides
    method = f"{words}; {_METHOD}"
    side = pl.when(plus).then(0).when(minus).then(1).alias("side_of")
    rows = piece.rows.select("unit", "family", column, side).drop_nulls("side_of")
    lacking = [name for name, k in (("first", 0), ("second", 1)) if not (rows["side_of"] == k).any()]
    if lacking:
        reason = f"nothing to compare: no pair of the {' or the '.join(lacking)} kind"
        return piece.estimate(metric, POINTS, method, None, NOTHING, reason)
    data = clustered(rows, (column,), rows["side_of"].to_numpy(), 2)
    value, bounds = contrast(data, (1.0, -1.0))
    share = (data.sums[..., 0] / data.rows.sum(0)) @ np.array([1.0, -1.0])
    return replace(piece.estimate(metric, POINTS, method, value, bounds), p=sign_flip_p(share))


def holm_corrected(estimates: list[Estimate]) -> list[Estimate]:
    """The same with Holm's p-values over all of them."""
    kind = ", ".join(next(iter(estimates)).slice) if estimates else ""
    adjusted = holm([each.p for each in estimates])
    note = f"; p by Holm over {len(estimates)} of kind {kind}"
    return [replace(each, p=p, method=each.method + note) for each, p in zip(estimates, adjusted, strict=True)]


def pair(
    outcomes: pl.DataFrame,
    compared: str,
    levels: tuple[str, str],
    columns: Sequence[str],
    factors: Sequence[str] = (),
) -> pl.DataFrame:
    """One row per stimulus, repeat and remaining settings, with `columns` of both levels of the setting `compared`.

    The columns of the levels carry the level as suffix (`answer_forward`, `answer_reversed`); a missing half is null.
    `setting` holds the remaining settings as canonical JSON; `factors` names the factors of the stimulus to keep.
    Raises ValueError if a half occurs twice.
    """
    settings = {text: json.loads(text) for text in outcomes["settings"].unique()}
    level = {text: value.get(compared) for text, value in settings.items()}
    rest = {
        text: canonical({key: v for key, v in value.items() if key != compared}) for text, value in settings.items()
    }
    frame = outcomes.with_columns(
        pl.col("settings").replace_strict(level, return_dtype=pl.String).alias("_level"),
        pl.col("settings").replace_strict(rest, return_dtype=pl.String).alias("setting"),
    )
    key = ["stimulus", "stage", "repeat", "setting"]
    shared = ["unit", "family", "category", "variant", *factors]
    halves = [
        frame.filter(pl.col("_level") == name).select(*key, *shared, *[pl.col(c).alias(f"{c}_{name}") for c in columns])
        for name in levels
    ]
    for half, name in zip(halves, levels, strict=True):
        twice = half.filter(pl.struct(key).is_duplicated())
        if len(twice):
            raise ValueError(f"{twice['stimulus'][0]} has more than one row with {compared} = {name}")
    joined = halves[0].join(halves[1], on=key, how="full", coalesce=True, maintain_order="left_right", suffix="_right")
    return joined.with_columns(pl.coalesce(name, f"{name}_right").alias(name) for name in shared).drop(
        [f"{name}_right" for name in shared]
    )


def doubled_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows, each twice: a mean over them has Student's interval over units, not that of single yes-no outcomes."""
    return pl.concat([rows, rows])


def mean_score(piece: Slice, metric: str, column: str, unit: Unit, method: str) -> Estimate:
    """The mean of a column of values from 0 to 1, pooled over rows; rows without a value are in the bounds alone.

    With such rows the interval reaches from the lower bound with all of them at 0 to the upper with all of them at 1.
    """
    method = f"{method}; {MEAN_METHOD}"
    valued = piece.rows.drop_nulls(column)
    if valued.is_empty():
        return piece.estimate(metric, unit, method, None, NOTHING, "nothing to count")
    value, bounds = _mean(valued, column)
    missing = len(piece.rows) - len(valued)
    if missing:
        ends = [_mean(piece.rows.with_columns(pl.col(column).fill_null(fill)), column)[1] for fill in (0.0, 1.0)]
        bounds = Interval(ends[0].low, ends[1].high)
        method = f"{method}; bounds with the {missing:,} without a verdict at 0 and at 1"
    return piece.estimate(metric, unit, method, value, bounds)


def _mean(rows: pl.DataFrame, column: str) -> tuple[float, Interval]:
    every = doubled_rows(rows)
    return mean_rate(clustered(every, (column,), np.zeros(len(every), np.int64), 1), 0, (1.0,))


def share_of_sums(piece: Slice, metric: str, above: str, below: str, method: str) -> Estimate:
    """The sum of one column as a share of the sum of another, such as steps that are right of those that are checked.

    In each row `above` is between 0 and `below`; rows in which either is null do not count. Each of what `below` counts
    is a yes-no outcome of the row's unit.
    """
    method = f"{method}; {MEAN_METHOD}"
    rows = piece.rows.drop_nulls((above, below))
    sums, _, strata = unit_sums(rows, (above, below), np.zeros(len(rows), np.int64), 1)
    hits, counts = sums[..., 0], sums[..., 1]
    used = counts[:, 0] > 0
    if not used.any():
        return piece.estimate(metric, PROPORTION, method, None, NOTHING, "nothing to count")
    value, low, high = (float(each) for each in Rates(hits[used], counts[used], strata[used]).mean([1.0]))
    return piece.estimate(metric, PROPORTION, method, value, Interval(low, high))
