"""Forward and reversed answers to one picture, and what the two say together (paper, section 3.3)."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.stats import Cells
from veridical.suites.pairing import pair

TYPES = ("O", "P", "OC", "PC")
"""The picture types whose plain mean the paper's Fig. 4 reports; P and PC are pooled over strengths."""

HINTED = ("OH", "PH")
"""Original and perturbed figures with a hint: figures of their own, in no mean."""

PARTS = ("PFA", "CbW", "TFI", "no_pair")
"""Both right; complementary and wrong; the same answer twice; at least one half without an answer. They add up to 1."""


def pairs(outcomes: pl.DataFrame) -> pl.DataFrame:
    """One row per picture (and repeat) of which a half was asked, with 0/1 columns for `PARTS` and `answered`."""
    both = pair(outcomes, "polarity", ("forward", "reversed"), ["status", "answer", "gold"])
    asked = both.filter(pl.col("status_forward").is_not_null() | pl.col("status_reversed").is_not_null())
    answered = ((pl.col("status_forward") == "answered") & (pl.col("status_reversed") == "answered")).fill_null(False)
    same = pl.col("answer_forward") == pl.col("answer_reversed")
    right = (pl.col("answer_forward") == pl.col("gold_forward")) & (
        pl.col("answer_reversed") == pl.col("gold_reversed")
    )
    parts = {
        "PFA": answered & right,
        "CbW": answered & ~same & ~right,
        "TFI": answered & same,
        "no_pair": ~answered,
        "answered": answered,
    }
    return asked.with_columns(
        expression.fill_null(False).cast(pl.Float64).alias(name) for name, expression in parts.items()
    )


def cells(rows: pl.DataFrame, columns: tuple[str, ...], *, pooled: bool = False) -> Cells:
    """The pairs as clustered cells: one cell per picture type in the order of `TYPES`, or a single one if pooled."""
    if pooled:
        return clustered(rows, columns, np.zeros(len(rows), np.int64), 1)
    places = {name: i for i, name in enumerate(TYPES)}
    return clustered(
        rows, columns, rows["variant"].replace_strict(places, return_dtype=pl.Int64).to_numpy(), len(TYPES)
    )


def clustered(rows: pl.DataFrame, columns: tuple[str, ...], cell: NDArray[np.int64], count: int) -> Cells:
    """Rows as clustered cells: `cell`, shape (rows,), says to which of `count` cells each row belongs."""
    return Cells(*unit_sums(rows, columns, cell, count))


def unit_sums(
    rows: pl.DataFrame, columns: tuple[str, ...], cell: NDArray[np.int64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Sums of columns (units, count, columns) and counts (units, count) by unit and cell, and each unit's stratum.

    Units are in the order of their names; the stratum is the case, as a number.
    """
    units, unit = np.unique(rows["unit"].to_numpy(), return_inverse=True)
    strata = np.zeros(len(units), np.int64)
    strata[unit] = np.unique(rows["family"].to_numpy(), return_inverse=True)[1]
    place = unit * count + cell
    counts = np.bincount(place, minlength=len(units) * count).astype(float).reshape(len(units), count)
    values = rows.select(columns).to_numpy()
    sums = [np.bincount(place, values[:, k], len(units) * count).astype(float) for k in range(len(columns))]
    return np.stack(sums, -1).reshape(len(units), count, len(columns)), counts, strata
