"""Differences on the same clips: each clip that has both sides counts with both, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from veridical.records import Counts, Estimate, Json
from veridical.suite.contrasts import difference, doubled_rows, holm_corrected
from veridical.suite.rates import Slice
from veridical.suites.magicbench.analysis.rows import sent
from veridical.suites.magicbench.stimuli import NAME

NONE_HAS_BOTH = "no clip has both sides"


@dataclass(frozen=True)
class Sides:
    """The two sides of a difference, as filters, and both in words; `pair` are the columns that make a pair."""

    plus: pl.Expr
    minus: pl.Expr
    words: str
    pair: tuple[str, ...] = ("stimulus", "repeat")


def paired_rows(rows: pl.DataFrame, column: str, sides: Sides) -> pl.DataFrame:
    """The rows with a value on either side whose pair has both sides, with `is_plus`."""
    side = pl.when(sides.plus).then(1).when(sides.minus).then(0)
    both = sent(rows).with_columns(side.alias("is_plus")).drop_nulls(("is_plus", column))
    return both.filter(pl.col("is_plus").n_unique().over(sides.pair) == 2)


def paired_difference(
    rows: pl.DataFrame, metric: str, column: str, sides: Sides, where: dict[str, Json], note: str = ""
) -> Estimate:
    """The mean of a column of values from 0 to 1 on one side less that on the other, in points, on the same clips.

    p is that of the sign-flip test by unit, not yet corrected. Counts are those of all replies on both sides.
    """
    both = paired_rows(rows, column, sides)
    counts = Counts.of(rows.filter(sides.plus | sides.minus))
    fractions = not both[column].is_in([0.0, 1.0]).all()
    piece = Slice(NAME, where, doubled_rows(both) if fractions else both, counts, note)
    words = f"{sides.words}, on the same clips; not answered is 0"
    found = difference(piece, metric, column, (pl.col("is_plus") == 1, pl.col("is_plus") == 0, words))
    return found if found.value is not None else replace(found, reason=NONE_HAS_BOTH)


def holm_by(tested: list[Estimate], keys: tuple[str, ...]) -> list[Estimate]:
    """The estimates in order, with Holm's p over those that agree in the slices `keys`."""
    groups: dict[tuple[Json, ...], list[int]] = {}
    for place, each in enumerate(tested):
        groups.setdefault(tuple(each.slice.get(key) for key in keys), []).append(place)
    adjusted = list(tested)
    for places in groups.values():
        for place, each in zip(places, holm_corrected([tested[place] for place in places]), strict=True):
            adjusted[place] = each
    return adjusted
