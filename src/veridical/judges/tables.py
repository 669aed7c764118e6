"""Tables of judged runs: the judges side by side, and how often two of them give one score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import polars as pl

from veridical.judges.judged import COMBINED, judged
from veridical.judges.marking import Marking
from veridical.records import Measure
from veridical.suite.results import Cell, Result, Table

_KEY = ["trial", "repeat", "rubric"]
_PAIR = ("Model", "Rubric", "Judge A", "Judge B", "Judged by both", "Same", "A higher", "B higher")


def judge_tables(results: Sequence[Result], marking: Marking, score: str, metric: str, measure: Measure) -> list[Table]:
    """The tables of a judged metric, whose estimates are those of `judged_rates`: by judge, and by pair of judges.

    The second one is left out where no run has two judges.
    """
    rows = [
        (result.model, each.slice.get("rubric"), each.slice["judge"], each, each.counts)
        for result in results
        for each in result.estimates
        if each.metric == metric and "judge" in each.slice
    ]
    note = (
        f"{measure.definition} A reply that is not answered counts as 0. Replies without a verdict are in no value: "
        "the interval has them at 0 at one end and at 1 at the other. Majority: more than half of all judges give the "
        "score; unanimity: all of them do. Verdicts counts the judge's replies by status."
    )
    columns = ("Model", "Rubric", "Judge", measure.title, "Verdicts")
    tables = [Table(f"{marking.name}-judges", f"{measure.title}, by judge", note, columns, tuple(rows))]
    pairs = tuple(row for result in results for row in _pairs(result, marking, score))
    if pairs:
        note = "Replies by the verdicts that two judges give on them; those without a verdict of both are not counted."
        tables.append(Table(f"{marking.name}-pairs", "Agreement of judges", note, _PAIR, pairs))
    return tables


def _pairs(result: Result, marking: Marking, score: str) -> Iterator[tuple[Cell, ...]]:
    each = judged(result.evidence, marking, score).filter(~pl.col("judge").is_in(COMBINED)).drop_nulls("verdict")
    for (rubric,), rows in each.group_by("rubric", maintain_order=True):
        by_judge = {str(judge): of for (judge,), of in rows.group_by("judge", maintain_order=True)}
        for a, b in combinations(by_judge, 2):
            both = by_judge[a].join(by_judge[b].select(*_KEY, pl.col("verdict").alias("other")), on=_KEY)
            difference = both["verdict"] - both["other"]
            counts = (int((difference == 0).sum()), int((difference > 0).sum()), int((difference < 0).sum()))
            yield (result.model, str(rubric), a, b, len(both), *counts)
