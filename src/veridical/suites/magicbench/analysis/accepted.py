"""Impossible explanations that a judge lets pass: those that the marking of reference vetoes, as others mark them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import polars as pl

from veridical.judges.judged import NOT_JUDGED
from veridical.records import Counts, Estimate, Json
from veridical.suite.contrasts import mean_score
from veridical.suite.evidence import Evidence
from veridical.suite.rates import Slice
from veridical.suites.magicbench.analysis.marks import SCORE, judges, marked
from veridical.suites.magicbench.analysis.rows import plain
from veridical.suites.magicbench.asking.cells import EXPLAIN
from veridical.suites.magicbench.judging.rubrics import PCS
from veridical.suites.magicbench.judging.verdicts import VETO
from veridical.suites.magicbench.stimuli import NAME

BY_RULE = "veridical/rule"
_KEY = ("trial", "repeat")
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
