"""Yes-no replies of both polarities as what they say of the picture: unchanged ("same") or changed."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CONTEXTS = {"figure": ("O", "P"), "control": ("OC", "PC"), "hint": ("OH", "PH")}
"""The original and the perturbed picture type of each context."""


def in_contexts(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The trials on pictures with targets: `context`, `magnitude` = |α|, whether the impression is `directed`."""
    contexts = {name: context for context, pair in CONTEXTS.items() for name in pair}
    originals = [original for original, _ in CONTEXTS.values()]
    return outcomes.filter(pl.col("variant").is_in(list(contexts))).with_columns(
        pl.col("variant").replace_strict(contexts, return_dtype=pl.String).alias("context"),
        pl.when(pl.col("variant").is_in(originals)).then(0.0).otherwise(pl.col("alpha")).alias("alpha"),
        pl.col("alpha").abs().alias("magnitude"),
        pl.col("congruent").is_not_null().any().over("family").alias("directed"),
    )


def replies(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The answered yes-no trials of `in_contexts`, with 0/1 columns `same` and `yes`.

    A reply says "same" where it is right of an original or wrong of a perturbed picture; the polarity drops out.
    """
    originals = pl.col("variant").is_in([original for original, _ in CONTEXTS.values()])
    right = pl.col("answer") == pl.col("gold")
    answered = in_contexts(outcomes).filter((pl.col("status") == "answered") & pl.col("gold").is_not_null())
    return answered.with_columns(
        (right == originals).cast(pl.Float64).alias("same"), (pl.col("answer") == "1").cast(pl.Float64).alias("yes")
    )


def by_unit_and_level(rows: pl.DataFrame, column: str) -> tuple[Floats, Floats, Floats, NDArray[np.int64]]:
    """Levels of α (levels,); sums of a 0/1 column and counts, (units, levels); and each unit's case as a number."""
    rows = rows.drop_nulls("alpha")
    levels, level = np.unique(rows["alpha"].to_numpy(), return_inverse=True)
    units, unit = np.unique(rows["unit"].to_numpy(), return_inverse=True)
    strata = np.zeros(len(units), np.int64)
    strata[unit] = np.unique(rows["family"].to_numpy(), return_inverse=True)[1]
    place, shape = unit * len(levels) + level, (len(units), len(levels))
    counts = np.bincount(place, minlength=shape[0] * shape[1]).astype(float)
    sums = np.bincount(place, rows[column].to_numpy(), shape[0] * shape[1])
    return levels, sums.astype(float).reshape(shape), counts.reshape(shape), strata
