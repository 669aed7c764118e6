"""How far marks depend on who gives them, and impossible explanations that a judge lets pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

import polars as pl

from veridical.judges.judged import NOT_JUDGED
from veridical.records import SHARE, Counts, Estimate, Json, Unit
from veridical.stats import Interval, cohen_kappa, pearson
from veridical.suite.contrasts import difference, doubled_rows, mean_score
from veridical.suite.evidence import Evidence
from veridical.suite.rates import Slice
from veridical.suites.magicbench.analysis.marks import MARKS, SCORE, judges, marked
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


BY_RULE = "veridical/rule"
Pair = tuple[str, str]


def accepted(evidence: Evidence) -> Iterator[Estimate]:
    """`accepts the impossible` and `cpa of the impossible` of each other judge and rubric; nothing without two."""
    by: dict[Pair, pl.DataFrame] = {
        (str(where["judge"]), str(where["rubric"])): plain(rows, EXPLAIN)[0]
        for where, rows in judges(marked(evidence))
        if where["judge"] != NOT_JUDGED
    }
    reference = reference_of(by)
    if reference is None or len(by) < 2:
        return
    vetoed = by[reference].filter(pl.col(VETO) == 1).select(_KEY)
    for (judge, rubric), rows in by.items():
        own = rows.join(vetoed, on=_KEY, how="semi").filter(pl.col("status") == "answered")
        if (judge, rubric) == reference or own.is_empty():
            continue
        where: dict[str, Json] = {"judge": judge, "rubric": rubric, "vetoed by": reference[0]}
        passes = own.with_columns((pl.col("cpa") > 0).cast(pl.Float64).alias("passes"))
        piece = Slice(NAME, where, passes, Counts.of(passes))
        valued = replace(piece, rows=passes.drop_nulls("passes"))
        if len(valued.rows):
            yield valued.rate("accepts the impossible", "passes", "CPA above 0, of vetoed explanations with a verdict")
        yield mean_score(piece, "cpa of the impossible", "cpa", SCORE, "of vetoed explanations")


def reference_of(by: Mapping[Pair, object]) -> Pair | None:
    """The marking that says what is impossible: by rule if there is one, else the first by the rubric `pcs`.

    >>> reference_of({("m", "no-pcs"): 0, ("m", "pcs"): 0, ("veridical/rule", "pcs"): 0})
    ('veridical/rule', 'pcs')
    """
    grounded = [pair for pair in by if pair[1] == PCS.name]
    return next((pair for pair in grounded if pair[0] == BY_RULE), grounded[0] if grounded else None)
