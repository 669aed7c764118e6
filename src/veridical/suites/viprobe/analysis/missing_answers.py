"""Missing answers: the gate on how many there are, and what filling them in could make of verdicts and differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import polars as pl

from veridical.suites.viprobe.analysis.estimates import CONTRASTS, EPSILON
from veridical.suites.viprobe.analysis.pairs import TYPES, asked_pairs

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


DIFFERENCES: Mapping[str, tuple[float, ...]] = {**CONTRASTS, "gap": (0.0, -1.0, 0.0, 1.0)}
"""Weights of the accuracies of O, P, OC, PC."""


class Filled(NamedTuple):
    """A figure as it is, and the least and most that it could be, had the missing answers been given."""

    value: float
    least: float
    most: float


def filled(outcomes: pl.DataFrame) -> dict[str, Filled]:
    """I, R, the gap and the other differences of accuracy, with what missing answers could have made of them.

    In points, R as it is; accuracy is PFA, of all. An answer that is missing could have been right or wrong, so that
    a pair could have been right unless an answered half is wrong. Nothing where no answer is missing, or where one of
    O, P, OC and PC was not asked.
    """
    _, rows, _ = asked_pairs(outcomes)
    by_type = rows.group_by("variant").agg(
        (100 * pl.col("PFA").mean()).alias("least"),
        (100 * pl.col("possible").mean()).alias("most"),
        (pl.col("no_pair") > 0).any().alias("lack"),
    )
    bounds = by_type.select("variant", "least", "most").iter_rows()
    rates = {str(name): (float(least), float(most)) for name, least, most in bounds}
    if not set(TYPES) <= set(rates) or not by_type["lack"].any():
        return {}
    least, most = ([rates[name][place] for name in TYPES] for place in (0, 1))
    ranges = {name: _weighed(weights, least, most) for name, weights in DIFFERENCES.items()}
    return {**ranges, "R": _quotient(_size(least, most, 0, 1), _size(least, most, 2, 3))}


def _weighed(weights: tuple[float, ...], least: list[float], most: list[float]) -> Filled:
    pairs = list(zip(weights, least, most, strict=True))
    return Filled(
        sum(w * low for w, low, _ in pairs),
        sum(w * (low if w > 0 else high) for w, low, high in pairs),
        sum(w * (high if w > 0 else low) for w, low, high in pairs),
    )


def _size(least: list[float], most: list[float], one: int, two: int) -> Filled:
    """The absolute difference of two accuracies."""
    low, high = least[one] - most[two], most[one] - least[two]
    return Filled(abs(least[one] - least[two]), max(low, -high, 0.0), max(abs(low), abs(high)))


def _quotient(above: Filled, below: Filled) -> Filled:
    return Filled(
        above.value / (below.value + EPSILON),
        above.least / (below.most + EPSILON),
        above.most / (below.least + EPSILON),
    )
