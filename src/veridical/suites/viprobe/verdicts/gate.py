"""Whether enough was answered for a verdict, and what the missing answers could have changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

MOST_MISSING = 0.05
MOST_UNEVEN = 0.05
MOST_AT_RANDOM = 0.2
FILLS = (("figure", True), ("figure", False), ("all", True), ("all", False))
"""Which answers a fill makes right: those on figures (and the others wrong), the others, all, or none."""


class Missing(NamedTuple):
    """Answers that are missing, of one picture type and half of the strengths (`""` where there is no strength)."""

    variant: str
    half: str
    missing: int
    asked: int
    reasons: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        return self.missing / self.asked

    def __str__(self) -> str:
        why = ", ".join(f"{count} {reason}" for reason, count in self.reasons)
        kind = f"{self.variant} {self.half}".strip()
        return f"{kind}: {100 * self.share:.0f} % of {self.asked}" + (f" ({why})" if why else "")


class Gate(NamedTuple):
    """What is missing, by picture type and half of the strengths; closed where it is much, or uneven."""

    rows: tuple[Missing, ...]

    @property
    def open(self) -> bool:
        shares = [row.share for row in self.rows]
        return not shares or (max(shares) <= MOST_MISSING and self.even)

    @property
    def even(self) -> bool:
        """Whether no two kinds of pictures differ in what is missing by more than 5 points."""
        shares = [row.share for row in self.rows]
        return not shares or max(shares) - min(shares) <= MOST_UNEVEN + 1e-12

    @property
    def ignorable(self) -> bool:
        """Whether the verdict of the answered replies may be told beside, "if missing at random"."""
        shares = [row.share for row in self.rows]
        return self.even and bool(shares) and max(shares) < MOST_AT_RANDOM


def gate(asked: pl.DataFrame) -> Gate:
    """What is missing of the replies that were asked for; those with no gold answer are not looked at."""
    size = pl.col("alpha").abs()
    rows = asked.filter(pl.col("gold").is_not_null() & pl.col("status").is_not_null())
    if rows.is_empty():
        return Gate(())
    middle = (size.max() + size.filter(size > 0).min()) / 2
    half = pl.when(pl.col("alpha") == 0).then(pl.lit("")).when(size > middle).then(pl.lit("strong"))
    rows = rows.with_columns(
        half.otherwise(pl.lit("weak")).alias("half"), (pl.col("status") != "answered").alias("gone")
    )
    return Gate(tuple(_missing(part) for part in rows.partition_by("variant", "half", maintain_order=True)))


def _missing(part: pl.DataFrame) -> Missing:
    gone = part.filter("gone")["status"].value_counts(sort=True)
    reasons = tuple((str(name), int(count)) for name, count in gone.iter_rows())
    return Missing(str(part["variant"][0]), part["half"][0], int(part["gone"].sum()), len(part), reasons)


def fills(asked: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The replies with every missing answer filled in, in four opposing ways that bound what could have been said."""
    figures = pl.col("variant").is_in(["O", "P"])
    lacking = pl.col("status").is_not_null() & (pl.col("status") != "answered") & pl.col("gold").is_not_null()
    for which, right in FILLS:
        correct = (figures == right) if which == "figure" else pl.lit(right)
        wrong = pl.when(pl.col("gold") == "1").then(pl.lit("0")).otherwise(pl.lit("1"))
        yield asked.with_columns(
            pl.when(lacking).then(pl.lit("answered")).otherwise(pl.col("status")).alias("status"),
            pl.when(lacking).then(correct).otherwise(pl.col("correct")).alias("correct"),
            pl.when(lacking)
            .then(pl.when(correct).then(pl.col("gold")).otherwise(wrong))
            .otherwise(pl.col("answer"))
            .alias("answer"),
        )
