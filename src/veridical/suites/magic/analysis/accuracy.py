"""Right answers: by rule or exact match, by judge, short and full, and how far they agree."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from itertools import combinations

import polars as pl

from veridical.judges import join_verdicts, judged_rates
from veridical.judges.judged_outcomes import COMBINED
from veridical.records import PROPORTION, Counts, Estimate, Json
from veridical.stats import cohen_kappa
from veridical.suite.evidence import Evidence
from veridical.suite.rates import KAPPA, Slice
from veridical.suite.rows import OF_ALL, asked_rows, keys_of
from veridical.suites.magic.analysis.rows import BY, pieces, plain_replies, replies
from veridical.suites.magic.asking.grading import FULL_ANSWER, GRADE, SHORT_ANSWER
from veridical.suites.magic.stimuli import NAME

READER = "reader"
"""Who marks an answer without a judge: the reader, by rule on our scenes, by exact match otherwise."""


def accuracies(evidence: Evidence, by: Collection[str] = BY) -> Iterator[Estimate]:
    """`accuracy` by rule, `short accuracy` and `full accuracy` by judge, each also by column and by view."""
    rows = replies(evidence.outcomes())
    chosen, note = plain_replies(rows)
    for piece in pieces(chosen.drop_nulls("gold"), keys_of(chosen, by), {}, note):
        yield piece.rate("accuracy", "right", OF_ALL)
        yield from _guessed(piece)
    by_view = plain_replies(rows, ("view",))[0].drop_nulls("gold")
    several = by_view["view"].n_unique() > 1
    for piece in pieces(by_view, [("view",), ("view", "category")]) if several else ():
        yield piece.rate("accuracy", "right", OF_ALL)
    if GRADE.name not in evidence.stages:
        return
    for rubric in (SHORT_ANSWER, FULL_ANSWER):
        for keys in ((), ("category",), *([("view",)] if several else [])):
            among = partial(_of_rubric, rubric, "view" in keys)
            yield from judged_rates(NAME, evidence, GRADE, "right", f"{rubric} accuracy", keys=keys, among=among)


def _guessed(piece: Slice) -> Iterator[Estimate]:
    """`guessed accuracy`, where every question is of a form that offers a number of answers."""
    offered = piece.rows["offered"]
    if len(offered) and not offered.null_count():
        value = float((1 / offered).sum()) / len(offered)
        yield piece.computed("guessed accuracy", PROPORTION, "computed from the questions", value)


def _of_rubric(rubric: str, every_view: bool, rows: pl.DataFrame) -> pl.DataFrame:
    """The replies that were asked for, with the verdicts by a rubric, under one view or all."""
    own = replies(_judgeable(rubric, rows.filter(pl.col("rubric").is_null() | (pl.col("rubric") == rubric))))
    return asked_rows(plain_replies(own, ("view",) if every_view else ())[0])


def _judgeable(rubric: str, rows: pl.DataFrame) -> pl.DataFrame:
    """The replies, with no status of a verdict where there is nothing to judge: no answer was read, of short ones."""
    if rubric != SHORT_ANSWER:
        return rows
    status = pl.when(pl.col("status") == "answered").then("verdict_status")
    return rows.with_columns(status.alias("verdict_status"))


def replies_by_marker(evidence: Evidence) -> Iterator[tuple[dict[str, Json], pl.DataFrame]]:
    """The replies by who marks short answers, the reader first, with `right`: 1, 0, or null without a verdict."""
    rows = replies(evidence.outcomes())
    yield {"by": READER}, rows.drop_nulls("gold")
    if GRADE.name not in evidence.stages:
        return
    verdicts = _judgeable(
        SHORT_ANSWER, join_verdicts(evidence, GRADE, "right").filter(pl.col("rubric") == SHORT_ANSWER)
    )
    right = pl.when(pl.col("verdict_status").is_null()).then(0.0).otherwise(pl.col("verdict"))
    for (judge,), own in verdicts.group_by("judge", maintain_order=True):
        if judge not in COMBINED:
            yield {"by": str(judge)}, replies(own).with_columns(right.alias("right"))


def agreements(evidence: Evidence) -> Iterator[Estimate]:
    """`agreement`: Cohen's kappa of each judge of short and full answers with the reader, and with each other judge."""
    if GRADE.name not in evidence.stages:
        return
    verdicts = join_verdicts(evidence, GRADE, "right").drop_nulls(("judge", "verdict"))
    single = verdicts.filter(~pl.col("judge").is_in(COMBINED))
    for (rubric,), rows in single.group_by("rubric", maintain_order=True):
        by_judge = {str(judge): own for (judge,), own in rows.group_by("judge", maintain_order=True)}
        for judge, own in by_judge.items():
            with_reader = own.drop_nulls("correct").with_columns(pl.col("correct").cast(pl.Float64).alias("other"))
            yield _kappa(with_reader, {"judge": judge, "against": READER, "rubric": str(rubric)})
        for one, two in combinations(by_judge, 2):
            other = by_judge[two].select("trial", "repeat", pl.col("verdict").alias("other"))
            both = by_judge[one].join(other, on=("trial", "repeat"), maintain_order="left")
            yield _kappa(both, {"judge": one, "against": two, "rubric": str(rubric)})


def _kappa(rows: pl.DataFrame, where: dict[str, Json]) -> Estimate:
    kappa = cohen_kappa(rows["verdict"], rows["other"], levels=(0.0, 1.0), units=rows["unit"])
    return Slice(NAME, where, rows, Counts.of(rows)).stated("agreement", KAPPA, kappa)
