"""Differences between two kinds of rows within units, with a sign-flip test by unit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import POINTS, Estimate
from veridical.stats import holm, sign_flip_p
from veridical.suite.clusters import clustered
from veridical.suite.rates import CONTRAST_METHOD, NOTHING, Slice, contrast

Sides = tuple[pl.Expr, pl.Expr, str]
"""The rows that count for a difference, those that count against it, and the two in words."""

_METHOD = f"pooled over pictures; {CONTRAST_METHOD}; sign-flip test by unit"


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


def corrected(estimates: list[Estimate]) -> list[Estimate]:
    """The same with Holm's p-values over all of them."""
    kind = ", ".join(next(iter(estimates)).slice) if estimates else ""
    adjusted = holm([each.p for each in estimates])
    note = f"; p by Holm over {len(estimates)} of kind {kind}"
    return [replace(each, p=p, method=each.method + note) for each, p in zip(estimates, adjusted, strict=True)]
