"""What missing answers could change: four opposing ways to fill them in, beside the gate on how many are missing."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from veridical.suites.viprobe.analysis.gate import Gate, Missing, gate

__all__ = ["FILLS", "Gate", "Missing", "fills", "gate"]

FILLS = (("figure", True), ("figure", False), ("all", True), ("all", False))
"""Which answers a fill makes correct: those on figures alone, those on all others alone, all, or none."""


def fills(outcomes: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The outcomes with every missing answer filled in, in four opposing ways (`FILLS`) that bound the results."""
    figures = pl.col("variant").is_in(["O", "P"])
    lacking = pl.col("status").is_not_null() & (pl.col("status") != "answered") & pl.col("gold").is_not_null()
    for which, right in FILLS:
        correct = (figures == right) if which == "figure" else pl.lit(right)
        wrong = pl.when(pl.col("gold") == "1").then(pl.lit("0")).otherwise(pl.lit("1"))
        yield outcomes.with_columns(
            pl.when(lacking).then(pl.lit("answered")).otherwise(pl.col("status")).alias("status"),
            pl.when(lacking).then(correct).otherwise(pl.col("correct")).alias("correct"),
            pl.when(lacking)
            .then(pl.when(correct).then(pl.col("gold")).otherwise(wrong))
            .otherwise(pl.col("answer"))
            .alias("answer"),
        )
