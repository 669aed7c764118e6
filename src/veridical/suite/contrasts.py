"""Differences of two kinds of rows within units, with sign-flip tests; between runs; the smallest that a plan shows."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import POINTS, PROPORTION, Counts, Estimate, Json, Unit, canonical
from veridical.stats import Interval, Rates, holm, sign_flip_p
from veridical.suite.rates import CONTRAST_METHOD, NOTHING, Slice, cluster_rows, contrast, mean_rate, unit_sums

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
    data = cluster_rows(rows, (column,), rows["side_of"].to_numpy(), 2)
    value, bounds = contrast(data, (1.0, -1.0))
    share = (data.sums[..., 0] / data.rows.sum(0)) @ np.array([1.0, -1.0])
    return replace(piece.estimate(metric, POINTS, method, value, bounds), p=sign_flip_p(share))


def holm_corrected(estimates: list[Estimate]) -> list[Estimate]:
    """The same with Holm's p-values over all of them."""
    kind = ", ".join(next(iter(estimates)).slice) if estimates else ""
    adjusted = holm([each.p for each in estimates])
    note = f"; p by Holm over {len(estimates)}" + (f" of kind {kind}" if kind else "")
    return [replace(each, p=p, method=each.method + note) for each, p in zip(estimates, adjusted, strict=True)]


def holm_by(tested: Iterable[Estimate], keys: tuple[str, ...] = (), *, together: bool = False) -> list[Estimate]:
    """The estimates with Holm's p-values over those that agree in the slices `keys`: in order, or those `together`."""
    every = list(tested)
    groups: dict[tuple[Json, ...], list[int]] = {}
    for place, each in enumerate(every):
        groups.setdefault(tuple(each.slice.get(key) for key in keys), []).append(place)
    adjusted: dict[int, Estimate] = {}
    for places in groups.values():
        adjusted |= zip(places, holm_corrected([every[place] for place in places]), strict=True)
    return list(adjusted.values()) if together else [adjusted[place] for place in range(len(every))]


def holm_by_kind(tested: Iterable[Estimate]) -> list[Estimate]:
    """The estimates with Holm's p-values over those of one metric whose slices have the same keys, of several.

    Those of all categories are a family, and those of all variants are another.
    """
    every = list(tested)
    kinds: dict[tuple[str, ...], list[int]] = {}
    for place, each in enumerate(every):
        kinds.setdefault((each.metric, *each.slice), []).append(place)
    for places in kinds.values():
        if sum(every[place].p is not None for place in places) > 1:
            for place, adjusted in zip(places, holm_corrected([every[place] for place in places]), strict=True):
                every[place] = adjusted
    return every


SAME_ITEM = ("stimulus", "repeat")


def paired_difference(
    suite: str,
    rows: pl.DataFrame,
    metric: str,
    column: str,
    sides: Sides,
    where: Mapping[str, Json],
    note: str = "",
    *,
    pair_by: Collection[str] = SAME_ITEM,
    fractions: bool | None = None,
    lacking: str = "",
) -> Estimate:
    """The difference of both sides over the pairs that have both, in points; counts are those of all on either side.

    `pair_by` are the columns that make a pair. `fractions` says whether values lie between 0 and 1 (default: whether
    any does). `lacking` is the reason where no pair has both sides.
    """
    plus, minus, words = sides
    named = (*plus.meta.root_names(), *minus.meta.root_names())
    needed = dict.fromkeys(("unit", "family", "status", "attempt", column, *pair_by, *named))
    either = rows.select(*needed).filter(plus | minus)
    side = pl.when(plus).then(1).when(minus).then(0).alias("is_plus")
    both = either.filter(pl.col("status").is_not_null()).with_columns(side).drop_nulls(("is_plus", column))
    both = both.filter(pl.col("is_plus").n_unique().over(*pair_by) == 2)
    if fractions is None:
        fractions = not both[column].is_in([0.0, 1.0]).all()
    piece = Slice(suite, dict(where), doubled_rows(both) if fractions else both, Counts.of(either), note)
    found = difference(piece, metric, column, (pl.col("is_plus") == 1, pl.col("is_plus") == 0, words))
    return replace(found, reason=lacking) if found.value is None and lacking else found


BETWEEN_RUNS: Sides = (pl.col("run") == 1, pl.col("run") == 0, "B − A")


def rows_of_both(runs: Sequence[pl.DataFrame], value: str, columns: Collection[str] = ()) -> pl.DataFrame:
    """The rows of the trials and repeats that both runs have, with `run` (0 or 1), `value` and these columns."""
    kept = ("trial", "repeat", "unit", "family", "status", "attempt", *columns)
    chosen = [rows.select(*kept, pl.col(value).alias("value"), pl.lit(k).alias("run")) for k, rows in enumerate(runs)]
    both = pl.concat(chosen).filter(pl.col("status").is_not_null()).drop_nulls("value")
    return both.filter(pl.col("run").n_unique().over("trial", "repeat") == 2)


def run_difference(
    suite: str, both: pl.DataFrame, metric: str, where: Mapping[str, Json], *, fractions: bool
) -> Estimate:
    """The second run − the first, in points, of `rows_of_both`; `fractions` says that values lie between 0 and 1."""
    counts = [Counts.of(both.filter(pl.col("run") == run)) for run in (0, 1)]
    rows = doubled_rows(both) if fractions else both
    piece = Slice(suite, dict(where), rows, counts[1], "; on the trials that both have")
    return replace(difference(piece, metric, "value", BETWEEN_RUNS), counts_first=counts[0])


def pair(
    outcomes: pl.DataFrame, compared: str, levels: tuple[str, str], columns: Sequence[str], factors: Sequence[str] = ()
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
    every = ["stimulus", "stage", "repeat", "setting"]
    key = [name for name in every if name == "stimulus" or frame[name].n_unique() > 1]
    # Rows are joined by their places alone: a join of whole tables would hold every column several times.
    halves = [frame.select(*key, "_level").with_row_index(name).filter(_level=name).drop("_level") for name in levels]
    for half, name in zip(halves, levels, strict=True):
        twice = half.filter(pl.struct(key).is_duplicated())
        if len(twice):
            raise ValueError(f"{twice['stimulus'][0]} has more than one row with {compared} = {name}")
    joined = halves[0].join(halves[1], on=key, how="full", coalesce=True, maintain_order="left_right").select(levels)
    either = joined.select(pl.coalesce(levels)).to_series()
    paired = frame.select(*every, "unit", "family", "category", "variant", *factors)[either]
    compared_columns = (
        frame[column].gather(joined[name]).alias(f"{column}_{name}") for name in levels for column in columns
    )
    return paired.with_columns(compared_columns)


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
    return mean_rate(cluster_rows(every, (column,), np.zeros(len(every), np.int64), 1), 0, (1.0,))


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


_SHOWN, _FOUND = 1.96, 0.84
"""Standard errors at which a test at 5 % shows an effect, and how many more it takes to do so in four of five runs."""
_CHANGED = 0.3
"""The share of answers that change between two ways of asking, in either direction."""
_ALIKE = 0.1
"""The correlation of changes within a unit."""


def smallest_effect(units: int, questions: float) -> float:
    """The effect of another way of asking, in points, that a test at 5 % shows in four of five runs.

    Three of ten answers change in either direction; the changes of a unit's `questions` are correlated by 0.1.

    >>> round(smallest_effect(40, 5), 1), round(smallest_effect(600, 10), 1)
    (12.8, 2.7)
    """
    variance = _CHANGED * (1 + (questions - 1) * _ALIKE) / (units * questions)
    return smallest_mean(variance**0.5, 1)


def smallest_mean(spread: float, units: float) -> float:
    """The mean, in points, that shows in four of five runs, of values with this spread (of 1) in so many units.

    >>> round(smallest_mean(0.35, 60), 1), round(smallest_mean(0.35, 400), 1)
    (12.7, 4.9)
    """
    return float(100 * (_SHOWN + _FOUND) * spread / units**0.5)
