"""How much better one model does on a question than another, paired over what both were asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from veridical.stats import Cells, sign_flip_p
from veridical.suite.contrasts import doubled_rows
from veridical.suite.rates import cluster_rows, contrast

Better = Literal["higher", "lower", "zero"]
"""Which effects are good: high ones, low ones, or those near 0."""

NOTHING_COMMON = "both were asked nothing alike"


class QuestionScores(NamedTuple):
    """The scores that an effect is made of: the weighted sum of their means in some cells.

    `rows` has `unit`, `family`, `cell` and `score` (0 to 1; null: none), and further columns that tell the replies of a
    cell apart, such as trial and repeat. `weights` are those of the cells. Where effects near 0 are good, the sum has
    to be the effect itself; elsewhere a constant may be left out.
    """

    rows: pl.DataFrame
    weights: Mapping[str, float]

    @classmethod
    def of(
        cls,
        rows: pl.DataFrame,
        score: str,
        cells: Mapping[str, tuple[pl.Expr, float]],
        key: Sequence[str] = ("trial", "repeat"),
    ) -> QuestionScores:
        """The scores in a column of asked rows, in cells that expressions choose, with their weights.

        `key` are the columns that tell the replies of a cell apart.
        """
        name = pl.coalesce(*(pl.when(chosen).then(pl.lit(cell)) for cell, (chosen, _) in cells.items()))
        named = rows.select("unit", "family", *key, name.alias("cell"), pl.col(score).alias("score"))
        return cls(named.drop_nulls("cell"), {cell: weight for cell, (_, weight) in cells.items()})


ALL = pl.lit(value=True)
"""A cell that has all rows."""


@dataclass(frozen=True, kw_only=True)
class ScoreGain:
    """How much better the first of two models does: points with interval and p; `None` and a reason where undefined.

    `first` and `second` are the effects over the common rows, less constants, and `items` how many rows these are, of
    `units` units.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    first: float | None = None
    second: float | None = None
    units: int = 0
    items: int = 0
    reason: str = ""


class _Contrast(NamedTuple):
    """A sum of effects in points with its interval, and the p of its sign-flip test."""

    value: float
    low: float
    high: float
    p: float


def paired_gain(first: QuestionScores, second: QuestionScores, better: Better) -> ScoreGain:
    """By how many points the first model's effect is better than the second's, over the rows that both have.

    A higher effect is better, or a lower one. Where effects near 0 are, the gain is how much nearer to 0 the first one
    is: |B| − |A|. That is above 0 if, and only if, A − B and A + B have different signs, so p is the greater one of the
    tests of both (an intersection-union test, which needs no correction), and the interval is all that |B| − |A| can be
    with both inside their intervals: it excludes 0 if both exclude it. Intervals are by variance recovery from the
    rates, correlated within units; p-values by flipping the signs of whole units, which exchanges the models.
    """
    both = _common(first.rows, second.rows)
    if set(both["cell"].unique()) != set(first.weights):
        return ScoreGain(reason=NOTHING_COMMON)
    data, weights = _cells(both, first.weights)
    sides = np.array([weights, -weights]).T.ravel()
    apart = _contrast(data, sides)
    value, low, high, p = apart if better != "zero" else _nearer(apart, _contrast(data, np.repeat(weights, 2)))
    if better == "lower":
        value, low, high = -value, -high, -low
    means = data.sums[..., 0].sum(0) / data.rows.sum(0)
    return ScoreGain(
        value=value + 0.0,
        low=low + 0.0,
        high=high + 0.0,
        p=p,
        first=100 * float(means[::2] @ weights),
        second=100 * float(means[1::2] @ weights),
        units=both["unit"].n_unique(),
        items=len(both),
    )


def _common(first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
    """The rows that both have a score in, with `score` of the first and `other` of the second.

    Raises ValueError where a row cannot be told from another.
    """
    key = [name for name in first.columns if name not in ("score", "family")]
    rows = [each.drop_nulls("score") for each in (first, second)]
    for each in rows:
        if each.select(key).is_duplicated().any():
            raise ValueError(f"rows are the same in {', '.join(key)}")
    theirs = rows[1].select(*key, pl.col("score").alias("other"))
    return rows[0].join(theirs, on=key, how="inner", nulls_equal=True, maintain_order="left")


def _cells(both: pl.DataFrame, weights: Mapping[str, float]) -> tuple[Cells, np.ndarray]:
    """The rows as clustered cells, the first model's and the second's of each cell in turn, and the cells' weights."""
    places = {name: 2 * place for place, name in enumerate(weights)}
    own = pl.col("cell").replace_strict(places, return_dtype=pl.Int64)
    parts = [
        both.select("unit", "family", pl.col(column).alias("score"), (own + model).alias("place"))
        for model, column in enumerate(("score", "other"))
    ]
    rows = pl.concat(parts)
    rows = rows if rows["score"].is_in([0.0, 1.0]).all() else doubled_rows(rows)
    data = cluster_rows(rows, ("score",), rows["place"].to_numpy(), 2 * len(weights))
    return data, np.array([*weights.values()])


def _contrast(data: Cells, weights: np.ndarray) -> _Contrast:
    value, bounds = contrast(data, weights)
    share = (data.sums[..., 0] / data.rows.sum(0)) @ weights
    low, high = (value if each is None else each for each in bounds)
    return _Contrast(value, low, high, sign_flip_p(share))


def _nearer(apart: _Contrast, together: _Contrast) -> _Contrast:
    """How much nearer to 0 the first of two effects is, from their difference and their sum.

    >>> _nearer(_Contrast(-45, -50, -40, 0.01), _Contrast(35, 30, 41, 0.02))[:3]
    (35.0, 30.0, 41.0)
    """
    ends = [_nearness(a, b) for a in (apart.low, apart.high) for b in (together.low, together.high)]
    p = max(apart.p, together.p)
    return _Contrast(_nearness(apart.value, together.value), min(ends), max(ends), p)


def _nearness(apart: float, together: float) -> float:
    """|B| − |A| of two numbers, from A − B and A + B."""
    return (abs(together - apart) - abs(together + apart)) / 2
