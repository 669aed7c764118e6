"""Replies with a judge's marks as columns, by judge and rubric, and the counts of the verdicts behind them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import polars as pl

from veridical.judges.judged_outcomes import COMBINED, NOT_JUDGED, join_verdicts
from veridical.judges.marking import Marking
from veridical.records import STATUSES, Counts, Json
from veridical.suite.evidence import Evidence
from veridical.suite.rates import Slice
from veridical.suite.rows import Keys, asked_rows, groups

Mark = tuple[str, float]
"""A score of a verdict, and what it is divided by."""


def marked_replies(
    evidence: Evidence, marking: Marking, marks: Mapping[str, Mark], checks: Collection[str] = ()
) -> pl.DataFrame:
    """The outcomes of the judged stage, once by each judge and rubric, with a column for each of `marks`.

    A column is 0 for a reply that cannot be judged, but null where it is one of `checks`, and null where there is no
    verdict. `judge` and `rubric` are null where there is no judge. Combinations of several judges are left out.
    """
    outcomes = evidence.outcomes(marking.about)
    if marking.name not in evidence.stages:
        empty = [pl.lit(None, pl.String).alias(name) for name in ("judge", "rubric", "verdict_status")]
        frame = outcomes.with_columns(*empty, *(pl.lit(None, pl.Float64).alias(name) for name in marks))
    else:
        each = {name: join_verdicts(evidence, marking, score) for name, (score, _) in marks.items()}
        frame = next(iter(each.values())).drop("verdict")
        frame = frame.with_columns(rows["verdict"].alias(name) / marks[name][1] for name, rows in each.items())
        frame = frame.filter(pl.col("judge").is_null() | ~pl.col("judge").is_in(COMBINED))
    nothing = pl.col("status").is_not_null() & (pl.col("status") != "answered")
    zeroed = [name for name in marks if name not in checks]
    return frame.with_columns(pl.when(nothing).then(0.0).otherwise(pl.col(name)).alias(name) for name in zeroed)


def split_by_judge(rows: pl.DataFrame) -> Iterator[tuple[dict[str, Json], pl.DataFrame]]:
    """The replies by judge and rubric, with the slice of each; those without a verdict are "not judged"."""
    for (judge, rubric), own in rows.group_by("judge", "rubric", maintain_order=True):
        yield ({"judge": NOT_JUDGED} if judge is None else {"judge": judge, "rubric": rubric}), own


def verdict_counts(rows: pl.DataFrame) -> Counts:
    """Counts of the verdicts on answered replies; those that were never given are planned and not asked."""
    status = rows["verdict_status"].drop_nulls()
    sent_to = status.filter(status != NOT_JUDGED)
    by_status = {name: int((sent_to == name).sum()) for name in STATUSES}
    return Counts(planned=len(status), asked=len(sent_to), **by_status)


def judged_slices(
    suite: str, rows: pl.DataFrame, keys: Sequence[Keys], where: Mapping[str, Json], note: str = ""
) -> Iterator[Slice]:
    """As `asked_slices`, with the counts of verdicts."""
    for each in keys:
        for inside, within in groups(rows, each, where):
            yield Slice(suite, inside, asked_rows(within), verdict_counts(within), note)
