"""Replies with the verdicts on them, by each judge, by majority and by unanimity; and tables of judged runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import polars as pl

from veridical.judges.marking import Marking
from veridical.records import PROPORTION, STATUSES, Counts, Estimate, Json, Measure
from veridical.stats import Interval
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, RATE_METHOD, Slice
from veridical.suite.results import Cell, Result, Table

NOT_JUDGED = "not judged"
MAJORITY, UNANIMITY = "majority", "unanimity"
"""Combinations of several judges, which stand among the judges under these names."""

COMBINED = (MAJORITY, UNANIMITY)
ITSELF = " (itself)"
"""Follows the name of a judge that is the model under test."""

_KEY = ["trial", "repeat"]
_ABOUT = {"about_trial": "trial", "about_repeat": "repeat", "model": "judge", "reader": "rubric"}


def join_verdicts(evidence: Evidence, marking: Marking, score: str) -> pl.DataFrame:
    """The outcomes of the judged stage, once per judge and rubric, with the judge's verdict on each reply.

    Added are `judge`, `rubric`, `verdict` (the verdict's score, null without one), `verdict_status` and
    `verdict_reason`. The status is that of the judge's reply, "not judged" for a reply without one, and null for a
    reply that cannot be judged, because it is not answered (or not of a status that this stage judges). Of two or more
    judges, there are also the judges "majority" (more than half of all judges give this score) and "unanimity" (all
    do); where they have no verdict, the status is "not judged". Without any verdict, `judge` and `rubric` are null.
    """
    replies, verdicts = evidence.outcomes(marking.about), evidence.outcomes(marking.name)
    column = f"score_{score}"
    value = pl.col(column) if column in verdicts.columns else pl.lit(None, pl.Float64)
    itself = pl.col("model").is_in(replies["model"].unique().implode())
    verdicts = verdicts.with_columns(pl.when(itself).then(pl.col("model") + ITSELF).otherwise("model").alias("model"))
    of_judges = verdicts.filter(pl.col("status").is_not_null()).select(
        *(pl.col(old).alias(new) for old, new in _ABOUT.items()),
        value.cast(pl.Float64).alias("verdict"),
        pl.col("status").alias("verdict_status"),
        pl.col("reason").alias("verdict_reason"),
    )
    judges = of_judges.select("judge", "rubric").unique(maintain_order=True)
    if judges.is_empty():
        judges = judges.clear(1)
    planned = replies.join(judges, how="cross")
    each = planned.join(of_judges, on=[*_KEY, "judge", "rubric"], how="left", nulls_equal=True, maintain_order="left")
    marked = pl.col("status").is_in(marking.judges)
    each = each.with_columns(
        pl.when(marked).then(pl.col("verdict_status").fill_null(NOT_JUDGED)).alias("verdict_status")
    )
    return pl.concat([each, *_combined(each, marked)])


def _combined(each: pl.DataFrame, marked: pl.Expr) -> Iterator[pl.DataFrame]:
    """The rows of the two combinations, for each rubric with several judges."""
    for _, rows in each.group_by("rubric", maintain_order=True):
        judges = rows["judge"].n_unique()
        if judges < 2:
            continue
        votes = rows.group_by([*_KEY, "verdict"]).len().drop_nulls("verdict")
        first = rows.filter(pl.col("judge") == rows["judge"][0]).drop("verdict", "verdict_status", "verdict_reason")
        for name, enough in ((MAJORITY, judges // 2 + 1), (UNANIMITY, judges)):
            won = votes.filter(pl.col("len") >= enough).select(*_KEY, "verdict")
            joined = first.join(won, on=_KEY, how="left", maintain_order="left")
            none = pl.when(pl.col("verdict").is_null()).then(pl.lit(NOT_JUDGED)).otherwise(pl.lit("answered"))
            reason = pl.when(pl.col("verdict").is_null()).then(pl.lit(f"no {name} of {judges} judges"))
            yield joined.with_columns(
                pl.lit(name).alias("judge"),
                pl.when(marked).then(none).alias("verdict_status"),
                pl.when(marked).then(reason).alias("verdict_reason"),
            ).select(rows.columns)


def judged_rates(
    suite: str,
    evidence: Evidence,
    marking: Marking,
    score: str,
    metric: str,
    *,
    keys: tuple[str, ...] = (),
    among: Callable[[pl.DataFrame], pl.DataFrame] = lambda rows: rows,
) -> list[Estimate]:
    """The rate of a 0/1 score over all replies, by judge and rubric, and by the columns `keys`.

    A reply that cannot be judged counts as 0. One without a verdict is in no value: the interval reaches from the lower
    bound with all of these at 0 to the upper bound with all of them at 1. Counts are those of the verdicts. Without a
    judge there is one estimate without a value, whose reason is "not judged". `among` prepares the replies: it leaves
    out those that the stage does not mark, or adds columns.
    """
    each = among(join_verdicts(evidence, marking, score))
    groups = each.group_by("judge", "rubric", *keys, maintain_order=True)
    return [_rate(suite, metric, key[0], key[1], dict(zip(keys, key[2:], strict=True)), rows) for key, rows in groups]


def _rate(
    suite: str, metric: str, judge: object, rubric: object, inside: dict[str, Json], rows: pl.DataFrame
) -> Estimate:
    where = {"judge": judge, "rubric": rubric, **inside} if judge is not None else {"judge": NOT_JUDGED, **inside}
    scored = rows.with_columns(
        pl.when(pl.col("verdict_status").is_null()).then(0.0).otherwise(pl.col("verdict")).alias("right")
    )
    method = f"of all, not answered is 0; {RATE_METHOD}"
    counts = _counts(rows)
    some = scored.drop_nulls("right")
    piece = Slice(suite, where, some, counts)
    if judge is None or some.is_empty():
        return piece.estimate(metric, PROPORTION, method, None, NOTHING, NOT_JUDGED)
    middle = piece.rate(metric, "right", "of all, not answered is 0")
    missing = len(scored) - len(some)
    if not missing:
        return middle
    ends = [
        Slice(suite, where, scored.with_columns(pl.col("right").fill_null(fill)), counts).rate(metric, "right", "")
        for fill in (0.0, 1.0)
    ]
    method = f"{method}; bounds with the {missing:,} without a verdict at 0 and at 1"
    return piece.estimate(metric, PROPORTION, method, middle.value, Interval(ends[0].low, ends[1].high))


def _counts(rows: pl.DataFrame) -> Counts:
    """Counts of the verdicts on answered replies; those that were never given are planned and not asked."""
    status = rows["verdict_status"].drop_nulls()
    of_judge = status.filter(status != NOT_JUDGED)
    return Counts(
        planned=len(status), asked=len(of_judge), **{name: int((of_judge == name).sum()) for name in STATUSES}
    )


_RUBRIC_KEY = ["trial", "repeat", "rubric"]
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
    each = join_verdicts(result.evidence, marking, score).filter(~pl.col("judge").is_in(COMBINED)).drop_nulls("verdict")
    for (rubric,), rows in each.group_by("rubric", maintain_order=True):
        by_judge = {str(judge): of for (judge,), of in rows.group_by("judge", maintain_order=True)}
        for a, b in combinations(by_judge, 2):
            both = by_judge[a].join(by_judge[b].select(*_RUBRIC_KEY, pl.col("verdict").alias("other")), on=_RUBRIC_KEY)
            difference = both["verdict"] - both["other"]
            counts = (int((difference == 0).sum()), int((difference > 0).sum()), int((difference < 0).sum()))
            yield (result.model, str(rubric), a, b, len(both), *counts)
