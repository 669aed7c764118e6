"""Sums of rows by unit and cell, the input of resampling over units."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.stats import Cells


def clustered(rows: pl.DataFrame, columns: tuple[str, ...], cell: NDArray[np.int64], count: int) -> Cells:
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
    encoded = names if isinstance(names.dtype, pl.Enum) else names.cast(pl.Enum(names.unique().sort()))
    return encoded.to_physical().cast(pl.Int64).to_numpy()
