"""Rows as sums by unit and cell, which resampling over units works on."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.stats import Cells


def clustered(rows: pl.DataFrame, columns: tuple[str, ...], cell: NDArray[np.int64], count: int) -> Cells:
    """Rows as clustered cells: `cell`, shape (rows,), says to which of `count` cells each row belongs."""
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
    there = strata >= 0
    units = int(there.sum())
    place = (np.cumsum(there) - 1)[names] * count + cell
    counts = np.bincount(place, minlength=units * count).astype(float).reshape(units, count)
    sums = [np.bincount(place, rows[name].to_numpy(), units * count).astype(float) for name in columns]
    return np.stack(sums, -1).reshape(units, count, len(columns)), counts, strata[there]


def _codes(names: pl.Series) -> NDArray[np.int64]:
    """Numbers of names, from 0 up and in their order; what is a number already stays one."""
    if names.dtype.is_integer():
        return names.cast(pl.Int64).to_numpy()
    known = names if isinstance(names.dtype, pl.Enum) else names.cast(pl.Enum(names.unique().sort()))
    return known.to_physical().cast(pl.Int64).to_numpy()
