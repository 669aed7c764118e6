"""Sums of rows by unit and cell, and rates of clustered rows with their intervals, slice by slice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from veridical.records import PROPORTION, STATUSES, Counts, Estimate, Json, Unit
from veridical.stats import Cells, Interval, Statistic

NOTHING = Interval(None, None)
KAPPA = Unit(name="kappa", digits=2, low=-1.0, high=1.0, neutral=0.0)
"""The unit of agreement beyond chance."""
RATE_METHOD = "Student's interval over units within cases, one half-right unit added; mid-P where each has one outcome"
_FEW = 1000
"""Names below which Python codes them faster than a table does."""
CONTRAST_METHOD = "variance recovery from the rates, correlated within units"


@dataclass(frozen=True)
class Slice:
    """The rows of one slice that count, and the counts of all its trials, planned ones included.

    `suite` is that of its estimates; `note` ends the method of each.
    """

    suite: str
    where: dict[str, Json]
    rows: pl.DataFrame
    counts: Counts
    note: str = ""

    def estimate(
        self, metric: str, unit: Unit, method: str, value: float | None, bounds: Interval, reason: str | None = None
    ) -> Estimate:
        return Estimate(
            suite=self.suite,
            metric=metric,
            slice=self.where,
            value=value,
            low=bounds.low,
            high=bounds.high,
            unit=unit,
            n_units=self._units,
            counts=self.counts,
            method=method + self.note,
            reason=reason,
        )

    @cached_property
    def _units(self) -> int:
        units = self.rows["unit"]
        if units.dtype.is_integer():
            return int(np.count_nonzero(np.bincount(units.to_numpy())))
        return units.n_unique()

    def valued(self, *columns: str) -> Slice:
        """The same with the rows alone that have a value in all of these columns."""
        return replace(self, rows=self.rows.drop_nulls(columns))

    def computed(self, metric: str, unit: Unit, method: str, value: float | None, lacking: str = "") -> Estimate:
        """A number without sampling error, such as that of chance; `lacking` says why there is none."""
        return self.estimate(metric, unit, method, value, Interval(value, value), lacking or None)

    def stated(self, metric: str, unit: Unit, statistic: Statistic) -> Estimate:
        """A statistic, such as Cohen's kappa, with its own interval, method and reason."""
        return self.estimate(metric, unit, statistic.method, statistic.value, statistic.interval, statistic.reason)

    def rate(self, metric: str, column: str, method: str) -> Estimate:
        """The mean of a 0/1 column, pooled over the rows."""
        method = f"{method}; {RATE_METHOD}"
        if self.rows.is_empty():
            return self.estimate(metric, PROPORTION, method, None, NOTHING, "nothing to count")
        value, bounds = mean_rate(cluster_rows(self.rows, (column,), np.zeros(len(self.rows), np.int64), 1), 0, (1.0,))
        return self.estimate(metric, PROPORTION, method, value, bounds)


def slices(
    suite: str, trials: pl.DataFrame, rows: pl.DataFrame, keys: tuple[str, ...], where: dict[str, Json], note: str = ""
) -> Iterator[Slice]:
    """One slice for each combination of the columns `keys` in the trials, none of them null, inside `where`."""
    if not keys:
        yield Slice(suite, where, rows, Counts.of(trials), note)
        return
    pieces = rows.partition_by(keys, as_dict=True)
    nothing = rows.clear()
    for row in _counted(trials, keys).iter_rows():
        values: tuple[Json, ...] = row[:-1]
        inside = {**where, **dict(zip(keys, values, strict=True))}
        yield Slice(suite, inside, pieces.get(values, nothing), Counts(**row[-1]), note)


def _counted(trials: pl.DataFrame, keys: tuple[str, ...]) -> pl.DataFrame:
    """For each combination of the columns `keys`, none of them null and as they come, what `Counts.of` counts."""
    status = pl.col("status")
    counts: dict[str, pl.Expr] = {
        "planned": pl.len(),
        "asked": status.is_not_null().sum(),
        "asked_again": (pl.col("attempt") > 1).sum(),
        **{name: (status == name).sum() for name in STATUSES},
    }
    rows = trials.drop_nulls(keys).group_by(keys, maintain_order=True).agg(**counts)
    return rows.select(*keys, pl.struct(list(counts)).alias("counts"))


def mean_rate(data: Cells, metric: int, weights: tuple[float, ...]) -> tuple[float, Interval]:
    """A weighted mean of cell rates with its interval in [0, 1], as `Rates.mean`; weights add up to 1."""
    weight = np.zeros(data.sums.shape[1:])
    weight[:, metric] = weights
    value, low, high = map(float, data.measured.mean(weight.ravel()))
    return value, Interval(low, high)


def contrast(data: Cells, weights: ArrayLike) -> tuple[float, Interval]:
    """A weighted sum of rates in percentage points with its interval, as `Rates.contrast`.

    `weights` has the shape (cells, metrics), or (cells,) where there is one metric; a cell of weight 0 may be empty.
    """
    value, low, high = (100 * float(each) for each in data.measured.contrast(np.asarray(weights, float).ravel()))
    return value, Interval(low, high)


def cluster_rows(rows: pl.DataFrame, columns: tuple[str, ...], cell: NDArray[np.int64], count: int) -> Cells:
    """Rows as clustered cells; `cell`, shape (rows,), is the index of each row's cell, below `count`."""
    return Cells(*unit_sums(rows, columns, cell, count))


def unit_sums(
    rows: pl.DataFrame, columns: tuple[str, ...], cell: NDArray[np.int64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Sums of columns (units, count, columns) and counts (units, count) by unit and cell, and each unit's stratum.

    Units are in the order of their names; the stratum is the family, as a number.
    """
    names, cases = _codes(rows["unit"]), _codes(rows["family"])
    strata = np.full(names.max(initial=-1) + 1, -1)
    strata[names] = cases
    occurs = strata >= 0
    units = int(occurs.sum())
    place = (np.cumsum(occurs) - 1)[names] * count + cell
    counts = np.bincount(place, minlength=units * count).astype(float).reshape(units, count)
    sums = [np.bincount(place, rows[name].to_numpy(), units * count).astype(float) for name in columns]
    return np.stack(sums, -1).reshape(units, count, len(columns)), counts, strata[occurs]


def _codes(names: pl.Series) -> NDArray[np.int64]:
    """Codes of names, from 0 up in sorted order; integers are returned unchanged."""
    if names.dtype.is_integer():
        return names.cast(pl.Int64).to_numpy()
    if not isinstance(names.dtype, pl.Enum):
        if len(names) < _FEW:
            listed = names.to_list()
            codes = {name: code for code, name in enumerate(sorted(set(listed)))}
            return np.array([codes[name] for name in listed], np.int64)
        names = names.cast(pl.Enum(names.unique().sort()))
    return names.to_physical().cast(pl.Int64).to_numpy()
