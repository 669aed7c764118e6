"""Tables that count replies by people's label and the scores of one judge, or of two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import polars as pl

from veridical.judges.verdict_frames import KEY, READ

_SIDES = ("first", "second")


@dataclass(frozen=True)
class CrossTable:
    """How many replies have which label and scores, by one rubric and score, of one judge or two.

    `counts` has the columns `person` (the mean label, rounded to a whole number, halves up), `first`, `second` for a
    second judge, and `replies`. Verdicts that were not read are not counted.
    """

    rubric: str
    score: str
    judges: tuple[str, ...]
    counts: pl.DataFrame


def cross_tables(both: pl.DataFrame) -> tuple[CrossTable, ...]:
    """The table of people with each judge, and of people with each two judges, from verdicts with a `reference`."""
    read = both.filter(pl.col("status") == READ).with_columns(
        (pl.col(name) + 0.5).floor().cast(pl.Int64) for name in ("reference", "score")
    )
    return tuple(
        table
        for (rubric, score), rows in read.group_by("rubric", "score_name", maintain_order=True)
        for table in _tables(str(rubric), str(score), rows)
    )


def _tables(rubric: str, score: str, rows: pl.DataFrame) -> Iterator[CrossTable]:
    by_judge = {str(judge): of for (judge,), of in rows.group_by("judge", maintain_order=True)}
    judges = [*((judge,) for judge in by_judge), *combinations(by_judge, 2)]
    for named in judges:
        joined = by_judge[named[0]].select(*KEY, pl.col("reference").alias("person"), pl.col("score").alias(_SIDES[0]))
        for side, judge in zip(_SIDES[1:], named[1:], strict=False):
            joined = joined.join(by_judge[judge].select(*KEY, pl.col("score").alias(side)), on=list(KEY))
        columns = ["person", *_SIDES[: len(named)]]
        counted = joined.group_by(columns).agg(pl.len().cast(pl.Int64).alias("replies")).sort(columns)
        yield CrossTable(rubric, score, named, counted)


def counts_frame(tables: Sequence[CrossTable]) -> pl.DataFrame:
    """The counts of all tables, one row each: rubric, score, the judges, the person's label and their scores."""
    kinds = {"rubric": pl.String, "score_name": pl.String, "judge_a": pl.String, "judge_b": pl.String}
    numbers = dict.fromkeys(("person", "score_a", "score_b", "replies"), pl.Int64)
    rows = [
        (
            each.rubric,
            each.score,
            *(*each.judges, None)[:2],
            row["person"],
            row["first"],
            row.get("second"),
            row["replies"],
        )
        for each in tables
        for row in each.counts.iter_rows(named=True)
    ]
    return pl.DataFrame(rows, schema={**kinds, **numbers}, orient="row")
