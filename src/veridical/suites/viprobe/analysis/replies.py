"""Yes-no replies of both polarities as what they say of the picture: unchanged ("same") or changed."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.suite.rates import unit_sums

Floats = NDArray[np.float64]

CONTEXTS = {"figure": ("O", "P"), "control": ("OC", "PC"), "clutter": ("OS", "PS"), "hint": ("OH", "PH")}
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
    answered = in_contexts(outcomes).filter((pl.col("status") == "answered") & pl.col("gold").is_not_null())
    return answered.with_columns(
        (pl.col("correct") == originals).cast(pl.Float64).alias("same"),
        (pl.col("answer") == "1").cast(pl.Float64).alias("yes"),
    )


def favoured(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The answered comparisons of `in_contexts` on cases whose impression has a direction, with what the fits need.

    `favoured` is 1 where the target was chosen that looks like more, as the impression has it; `value` is the factor's
    value in `factor_unit`. Which target that is follows from the sign of the value at a strength of known sign.
    """
    factors = pl.col("factors").str
    rows = in_contexts(outcomes).with_columns(
        factors.json_path_match("$.value").cast(pl.Float64, strict=False).alias("value"),
        factors.json_path_match("$.value_unit").alias("factor_unit"),
        pl.col("expects").str.json_path_match("$.options[0]").alias("first"),
    )
    sign = (pl.col("value") * pl.col("alpha")).sign()
    rows = rows.with_columns(sign.filter(sign != 0).first().over("unit").alias("orientation"))
    chosen = (pl.col("answer") == pl.col("first")) == (pl.col("orientation") > 0)
    measured = pl.col("directed") & pl.col("orientation").is_not_null() & (pl.col("status") == "answered")
    return rows.filter(measured).with_columns(chosen.cast(pl.Float64).alias("favoured"))


def by_unit_and_level(rows: pl.DataFrame, column: str) -> tuple[Floats, Floats, Floats, NDArray[np.int64]]:
    """Levels of α (levels,); sums of a 0/1 column and counts, (units, levels); and each unit's case as a number.

    Rows of unknown strength are left out.
    """
    rows = rows.drop_nulls("alpha")
    levels, level = np.unique(rows["alpha"].to_numpy(), return_inverse=True)
    sums, counts, strata = unit_sums(rows, (column,), level, len(levels))
    return levels, sums[..., 0], counts, strata
