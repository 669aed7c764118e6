"""How far marks depend on who gives them: rubrics of one judge, and judges by one rubric, on the same explanations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import polars as pl

from veridical.judges.judged import NOT_JUDGED
from veridical.records import SHARE, Counts, Estimate, Json, Unit
from veridical.stats import Interval, cohen_kappa, pearson
from veridical.suite.contrasts import difference, doubled_rows
from veridical.suite.rates import Slice
from veridical.suites.magicbench.analysis.marks import MARKS, judges
from veridical.suites.magicbench.analysis.rows import plain
from veridical.suites.magicbench.asking.cells import EXPLAIN
from veridical.suites.magicbench.judging.rubrics import PCS
from veridical.suites.magicbench.judging.verdicts import VETO
from veridical.suites.magicbench.stimuli import NAME

KAPPA = Unit(name="kappa", digits=2, low=-1.0, high=1.0, neutral=0.0)
_KEY = ("trial", "repeat")


def reliability(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`judge correlation`, `judge difference` and `veto agreement` of each two ways of marking."""
    by = {
        (str(where["judge"]), str(where["rubric"])): _single(rows)
        for where, rows in judges(marks)
        if where["judge"] != NOT_JUDGED
    }
    for (one, first), (two, second) in _pairs(list(by)):
        where: dict[str, Json] = {"judge": one, "rubric": first, "against judge": two, "against rubric": second}
        both = by[one, first].join(by[two, second], on=_KEY, suffix="_other", maintain_order="left")
        yield from _compared(both, where)


def _single(rows: pl.DataFrame) -> pl.DataFrame:
    """The explanations with a verdict."""
    own = plain(rows, EXPLAIN)[0]
    return own.filter((pl.col("status") == "answered") & (pl.col("verdict_status") == "answered"))


def _pairs(keys: list[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """The rubric `pcs` first, with the other rubrics of a judge; and each two judges by one rubric."""
    for one, two in combinations(keys, 2):
        if one[0] == two[0] and PCS.name in (one[1], two[1]):
            yield (one, two) if one[1] == PCS.name else (two, one)
        elif one[1] == two[1]:
            yield one, two


def _compared(both: pl.DataFrame, where: dict[str, Json]) -> Iterator[Estimate]:
    counts = Counts.of(both)
    for mark in MARKS:
        rows = both.drop_nulls((mark, f"{mark}_other"))
        piece = Slice(NAME, {"score": mark, **where}, rows, counts)
        found = pearson(rows[mark], rows[f"{mark}_other"], units=rows["unit"])
        reason = found.reason if found.value is None or found.low is None else None
        yield piece.estimate("judge correlation", SHARE, found.method, found.value, found.interval, reason)
        sides = (pl.col("first") == 1, pl.col("first") == 0, "mean mark, the first − the other, of the same replies")
        stacked = [
            rows.select("unit", "family", pl.col(column).alias("value"), pl.lit(first).alias("first"))
            for column, first in ((mark, 1), (f"{mark}_other", 0))
        ]
        yield difference(replace(piece, rows=doubled_rows(pl.concat(stacked))), "judge difference", "value", sides)
    vetoed = both.drop_nulls((VETO, f"{VETO}_other"))
    if len(vetoed):
        stated = cohen_kappa(vetoed[VETO], vetoed[f"{VETO}_other"], levels=(0.0, 1.0), units=vetoed["unit"])
        piece = Slice(NAME, where, vetoed, counts)
        bounds = Interval(stated.low, stated.high)
        reason = stated.reason if stated.value is None or stated.low is None else None
        yield piece.estimate("veto agreement", KAPPA, stated.method, stated.value, bounds, reason)
