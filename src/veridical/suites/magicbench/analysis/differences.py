"""What differs between two runs, on the trials that both have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.judges.judged import NOT_JUDGED
from veridical.records import Counts, Estimate, Json
from veridical.suite.contrasts import difference, doubled_rows
from veridical.suite.evidence import Evidence
from veridical.suite.rates import Slice
from veridical.suites.magicbench.analysis.marks import MARKS, judges, marked
from veridical.suites.magicbench.analysis.rows import plain, replies, sent, tricks
from veridical.suites.magicbench.analysis.seeing import probed
from veridical.suites.magicbench.asking.cells import EXPLAIN
from veridical.suites.magicbench.stimuli import NAME

_SIDES = (pl.col("run") == 1, pl.col("run") == 0, "B − A")
_KEPT = ("trial", "repeat", "unit", "family", "status", "attempt", "value")


def differences(first: Evidence, second: Evidence) -> list[Estimate]:
    """`probe difference` by what is said, and `mark difference` by mark, judge, stance and words: second − first."""
    return [*_of_probes(first, second), *_of_marks(first, second)]


def _of_probes(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    rows = [
        tricks(probed(replies(each.outcomes()))[0]).with_columns(pl.col("right").alias("value"))
        for each in (first, second)
    ]
    both = _shared(rows, ("under",))
    if len(both):
        yield _difference(both, "probe difference", {}, fractions=False)
        for (under,), own in both.group_by("under", maintain_order=True):
            yield _difference(own, "probe difference", {"under": str(under)}, fractions=False)


def _of_marks(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    runs = [{tuple(where.items()): rows for where, rows in judges(marked(each))} for each in (first, second)]
    for judge in runs[0]:
        if judge not in runs[1] or ("judge", NOT_JUDGED) in judge:
            continue
        for mark in MARKS:
            rows = [tricks(plain(run[judge], EXPLAIN)[0]).with_columns(pl.col(mark).alias("value")) for run in runs]
            both = _shared(rows, ("stance", "words"))
            for (stance, words), own in both.group_by("stance", "words", maintain_order=True):
                where: dict[str, Json] = {"score": mark, "stance": stance, "words": words or "none", **dict(judge)}
                yield _difference(own, "mark difference", where, fractions=True)


def _shared(rows: list[pl.DataFrame], more: tuple[str, ...]) -> pl.DataFrame:
    """The rows of the trials and repeats that both runs have, with `run`, 0 or 1."""
    both = pl.concat([each.select(*_KEPT, *more, pl.lit(k).alias("run")) for k, each in enumerate(rows)])
    kept = sent(both).drop_nulls("value")
    return kept.filter(pl.col("run").n_unique().over("trial", "repeat") == 2)


def _difference(rows: pl.DataFrame, metric: str, where: dict[str, Json], *, fractions: bool) -> Estimate:
    counts = [Counts.of(rows.filter(pl.col("run") == run)) for run in (0, 1)]
    piece = Slice(NAME, where, doubled_rows(rows) if fractions else rows, counts[1], "; on the trials that both have")
    return replace(difference(piece, metric, "value", _SIDES), counts_first=counts[0])
