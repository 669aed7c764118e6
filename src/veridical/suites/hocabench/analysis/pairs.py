"""A violating clip and its control as a pair: both right, or which way they go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import Estimate, Json
from veridical.suite.rates import slices
from veridical.suites.hocabench.analysis.rows import EXPLAINED_CONTROL, keys_of, plain, sent
from veridical.suites.hocabench.asking.readers import PLAUSIBILITY
from veridical.suites.hocabench.stimuli import NAME, PLAUSIBLE, VIOLATING

RIGHT, IMPLAUSIBLE, POSSIBLE, REVERSED, MISSING = OUTCOMES = (
    "both right",
    "both implausible",
    "both plausible",
    "reversed",
    "not answered",
)
"""What a pair comes to; every pair is one of these."""
_COLUMNS = ("layer", "category", "sub_type", "drawing", "camera", "scene")


def paired(rows: pl.DataFrame, control: str) -> pl.DataFrame:
    """One row per pair of a violating clip and its control, and repeat, with `outcome`, one of `OUTCOMES`."""
    half = ["unit", "repeat", "implausible"]
    violating, other = (sent(rows).filter(pl.col("variant") == name) for name in (VIOLATING, control))
    both = violating.join(other.select(half), on=half[:2], how="inner", suffix="_control", maintain_order="left")
    odd, false = pl.col("implausible") == 1, pl.col("implausible_control") == 1
    outcome = (
        pl.when(pl.col("implausible").is_null() | pl.col("implausible_control").is_null())
        .then(pl.lit(MISSING))
        .when(odd & ~false)
        .then(pl.lit(RIGHT))
        .when(odd & false)
        .then(pl.lit(IMPLAUSIBLE))
        .when(~odd & ~false)
        .then(pl.lit(POSSIBLE))
        .otherwise(pl.lit(REVERSED))
    )
    return both.with_columns(outcome.alias("outcome"))


def pairs(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`pair outcome` by outcome, for each kind of control that clips have, over all and by column."""
    chosen, note = plain(rows, PLAUSIBILITY)
    for control in (PLAUSIBLE, EXPLAINED_CONTROL):
        both = paired(chosen, control)
        if both.is_empty():
            continue
        trials = chosen.filter(
            pl.col("variant").is_in([VIOLATING, control]) & pl.col("unit").is_in(both["unit"].unique().implode())
        )
        for keys in keys_of(both, _COLUMNS):
            for piece in slices(NAME, trials, both, keys, {}, note):
                for outcome in OUTCOMES:
                    where: dict[str, Json] = {"control": control, "outcome": outcome, **piece.where}
                    counted = piece.rows.with_columns((pl.col("outcome") == outcome).cast(pl.Float64).alias("is"))
                    yield replace(piece, where=where, rows=counted).rate("pair outcome", "is", "of pairs")
