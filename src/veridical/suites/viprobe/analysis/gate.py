"""Data quality: which answers are missing, and whether they are too many or too unevenly spread for a conclusion."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

MOST_MISSING = 0.05
MOST_UNEVEN = 0.05
MOST_AT_RANDOM = 0.2


class Missing(NamedTuple):
    """Missing answers of one picture type and half of the strengths (`""` without a change)."""

    variant: str
    half: str
    missing: int
    trials: int
    reasons: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        return self.missing / self.trials

    def __str__(self) -> str:
        why = ", ".join(f"{count} {reason}" for reason, count in self.reasons)
        kind = f"{self.variant} {self.half}".strip()
        return f"{kind}: {100 * self.share:.0f} % of {self.trials}" + (f" ({why})" if why else "")


class Gate(NamedTuple):
    """Missing answers by picture type and half of the strengths; closed if they are many or unevenly spread."""

    rows: tuple[Missing, ...]

    @property
    def open(self) -> bool:
        shares = [row.share for row in self.rows]
        return not shares or (max(shares) <= MOST_MISSING and self.even)

    @property
    def even(self) -> bool:
        """Whether the shares of missing answers of any two kinds of pictures differ by at most 5 points."""
        shares = [row.share for row in self.rows]
        return not shares or max(shares) - min(shares) <= MOST_UNEVEN + 1e-12

    @property
    def ignorable(self) -> bool:
        """Whether the verdict from the answered trials may be shown as "if missing at random"."""
        shares = [row.share for row in self.rows]
        return self.even and bool(shares) and max(shares) < MOST_AT_RANDOM


def gate(outcomes: pl.DataFrame) -> Gate:
    """The gate of a run's asked trials; trials without a gold answer are ignored."""
    rows = kinds(outcomes)
    if rows.is_empty():
        return Gate(())
    return Gate(tuple(_missing(part) for part in rows.partition_by("variant", "half", maintain_order=True)))


def _missing(part: pl.DataFrame) -> Missing:
    gone = part.filter("gone")["status"].value_counts(sort=True)
    reasons = tuple((str(name), int(count)) for name, count in gone.iter_rows())
    return Missing(str(part["variant"][0]), part["half"][0], int(part["gone"].sum()), len(part), reasons)


def kinds(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The asked trials that have a gold answer, with `half` (of the strengths) and `gone` (not answered)."""
    size = pl.col("alpha").abs()
    middle = (size.max() + size.filter(size > 0).min()) / 2
    half = pl.when(pl.col("alpha") == 0).then(pl.lit("")).when(size > middle).then(pl.lit("strong"))
    rows = outcomes.filter(pl.col("gold").is_not_null() & pl.col("status").is_not_null())
    return rows.with_columns(
        half.otherwise(pl.lit("weak")).alias("half"), (pl.col("status") != "answered").alias("gone")
    )
