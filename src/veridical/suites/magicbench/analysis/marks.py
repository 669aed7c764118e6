"""Explanations with the marks on them: VTG, CPA and CFR by judge and rubric, by stance and by what is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.judges import judged
from veridical.judges.judged import COMBINED, NOT_JUDGED
from veridical.judges.marking import Marking
from veridical.records import STATUSES, Counts, Estimate, Json, Unit
from veridical.stats import Interval
from veridical.suite.contrasts import doubled_rows, mean_score
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, Slice, clustered, mean_rate
from veridical.suites.magicbench.analysis.rows import by_clip, honest, plain, replies, sent, tricks
from veridical.suites.magicbench.asking.cells import EXPLAIN, FORENSIC
from veridical.suites.magicbench.asking.marking import GRADE
from veridical.suites.magicbench.judging.verdicts import FAILURES, VETO
from veridical.suites.magicbench.stimuli import HONEST, NAME, TYPES

MARKS = ("vtg", "cpa", "cfr")
FULL = 10.0
SCORE = Unit(name="score", digits=1, scale=100.0, low=0.0, high=1.0)
"""A mark as a share of 10, shown of 100, as in the paper."""
CHECKS = (VETO, "veto_disagrees", *FAILURES.values())
_SCORES = (*MARKS, "cpa_written", *CHECKS, "resists_effect")
READABLE: dict[str, Json] = {"of": "readable"}
ITEMS, KINDS = "items", "types"
"""What an average is over: all items alike, or the means of the four types alike."""
OF_ALL = "marks of 10; of all, not answered is 0"
_READABLE = "marks of 10; over readable verdicts alone"
_ERROR = "standard error of the mean, from 1,000 bootstrap draws of units within families"
_VERDICT = ("verdict_status", "judge", "rubric")
_EXPLAINS = pl.col("task").fill_null(EXPLAIN) == EXPLAIN
"""A stage of explanations alone has no setting of the task."""


def marked(evidence: Evidence, about: Marking = GRADE) -> pl.DataFrame:
    """The explanations once by each judge and rubric, with a column for each of `MARKS` (0 to 1) and of `CHECKS`.

    A mark is 0 for a reply that cannot be judged, and null where there is no verdict; a check is null in both cases.
    Without a judge, `judge` and `rubric` are null.
    """
    outcomes = evidence.outcomes(about.about)
    if about.name not in evidence.stages:
        empty = [pl.lit(None, pl.String).alias(name) for name in _VERDICT]
        none = [pl.lit(None, pl.Float64).alias(name) for name in _SCORES]
        return replies(outcomes.with_columns(*empty, *none)).filter(_EXPLAINS)
    each = {name: judged(evidence, about, name) for name in _SCORES}
    frame = each[MARKS[0]].with_columns(
        rows["verdict"].alias(name) / (FULL if name in (*MARKS, "cpa_written") else 1.0) for name, rows in each.items()
    )
    own = replies(frame.filter(pl.col("judge").is_null() | ~pl.col("judge").is_in(COMBINED)))
    nothing = pl.col("status").is_not_null() & (pl.col("status") != "answered")
    return own.filter(_EXPLAINS).with_columns(
        pl.when(nothing).then(0.0).otherwise(pl.col(name)).alias(name) for name in MARKS
    )


def judges(marks: pl.DataFrame) -> Iterator[tuple[dict[str, Json], pl.DataFrame]]:
    """The explanations by judge and rubric, with the slice of each; one without a verdict is "not judged"."""
    for (judge, rubric), rows in marks.group_by("judge", "rubric", maintain_order=True):
        yield ({"judge": NOT_JUDGED} if judge is None else {"judge": judge, "rubric": rubric}), rows


def scores(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`vtg`, `cpa` and `cfr` by stance and words with their bootstrap errors, averaged, by clip, and on controls."""
    for where, rows in judges(marks):
        chosen, note = plain(rows, EXPLAIN)
        if where["judge"] == NOT_JUDGED:
            yield from _not_judged(chosen, where, note)
            continue
        own = tricks(chosen)
        silent = own.filter(pl.col("words").is_null())
        for piece in (
            *marked_pieces(silent, ("stance",), where, note),
            *marked_pieces(own, ("stance", "type"), where, note),
        ):
            yield from _of_piece(piece)
        for piece in marked_pieces(own.filter(pl.col("type").is_in(TYPES)), ("stance",), where, note):
            yield from _averages(piece)
        for piece in marked_pieces(honest(chosen), ("stance", "type"), {**where, "variant": HONEST}, note):
            yield from (mean_score(piece, name, name, SCORE, OF_ALL) for name in MARKS)
        forensic = own.filter(pl.col("stance") == FORENSIC)
        for name, sliced in by_clip(forensic):
            for piece in marked_pieces(sliced, ("stance", "type", name), where, note):
                yield from (mean_score(piece, mark, mark, SCORE, OF_ALL) for mark in MARKS)


def _not_judged(rows: pl.DataFrame, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    piece = Slice(NAME, where, rows, verdict_counts(rows), note)
    for name in MARKS if len(rows) else ():
        yield piece.estimate(name, SCORE, OF_ALL, None, NOTHING, NOT_JUDGED)


def _of_piece(piece: Slice) -> Iterator[Estimate]:
    """Each mark over all items and over readable verdicts, and its standard error."""
    readable = readable_alone(piece)
    for name in MARKS:
        yield mean_score(piece, name, name, SCORE, OF_ALL)
        yield mean_score(readable, name, name, SCORE, _READABLE)
        yield bootstrap_error(piece, name)


def readable_alone(piece: Slice) -> Slice:
    """The rows that have a verdict: published totals are over these alone."""
    rows = piece.rows.filter((pl.col("status") == "answered") & (pl.col("verdict_status") == "answered"))
    return replace(piece, rows=rows, where={**piece.where, **READABLE})


def bootstrap_error(piece: Slice, name: str) -> Estimate:
    """`vtg error` and so on: the standard error of a mean mark over items that have one."""
    rows = piece.rows.drop_nulls(name)
    if rows["unit"].n_unique() < 2:
        return piece.estimate(f"{name} error", SCORE, _ERROR, None, NOTHING, "at least 2 units are needed")
    data = clustered(rows, (name,), np.zeros(len(rows), np.int64), 1)
    error = float(data.replicates[:, 0, 0].std(ddof=1))
    return piece.estimate(f"{name} error", SCORE, _ERROR, error, Interval(error, error))


def _averages(piece: Slice) -> Iterator[Estimate]:
    """Averages over the four types: by item, and the plain mean of the types; over all items, and readable alone."""
    for own, words in ((piece, OF_ALL), (readable_alone(piece), _READABLE)):
        for name in MARKS:
            by_item = replace(own, where={**own.where, "average": ITEMS})
            yield mean_score(by_item, name, name, SCORE, f"{words}; every item alike")
            yield mean_of_types(replace(own, where={**own.where, "average": KINDS}), name, words)


def mean_of_types(piece: Slice, name: str, words: str) -> Estimate:
    """The plain mean of the means of the types that occur."""
    rows = piece.rows.drop_nulls(name)
    kinds = [kind for kind in TYPES if (rows["type"] == kind).any()]
    method = f"{words}; plain mean of the types {', '.join(kinds)}"
    if not kinds:
        return piece.estimate(name, SCORE, words, None, NOTHING, "nothing to count")
    every = doubled_rows(rows)
    place = every["type"].replace_strict({kind: k for k, kind in enumerate(kinds)}, return_dtype=pl.Int64)
    weights = tuple([1 / len(kinds)] * len(kinds))
    value, bounds = mean_rate(clustered(every, (name,), place.to_numpy(), len(kinds)), 0, weights)
    return piece.estimate(name, SCORE, method, value, bounds)


def marked_pieces(rows: pl.DataFrame, keys: tuple[str, ...], where: dict[str, Json], note: str = "") -> Iterator[Slice]:
    """As `rows.pieces`, with the counts of verdicts."""
    groups = rows.drop_nulls(keys).group_by(keys, maintain_order=True) if keys else [((), rows)]
    for values, within in groups:
        inside = {**where, **dict(zip(keys, values, strict=True))}
        yield Slice(NAME, inside, sent(within), verdict_counts(within), note)


def verdict_counts(rows: pl.DataFrame) -> Counts:
    """Counts of the verdicts on answered replies; those that were never given are planned and not asked."""
    status = rows["verdict_status"].drop_nulls()
    sent_to = status.filter(status != NOT_JUDGED)
    by_status = {name: int((sent_to == name).sum()) for name in STATUSES}
    return Counts(planned=len(status), asked=len(sent_to), **by_status)


def vetoes(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`veto` by stance and words, `veto by failure`, `veto overridden`, and `about the effect`."""
    for where, rows in judges(marks):
        own = tricks(plain(rows, EXPLAIN)[0])
        for piece in marked_pieces(own, ("stance",), where):
            for name, (metric, more) in _CHECKED.items():
                valued = replace(piece, rows=piece.rows.drop_nulls(name), where={**piece.where, **more})
                if len(valued.rows):
                    yield valued.rate(metric, name, "of readable verdicts")
        for piece in marked_pieces(own, ("stance", "type"), where):
            for name, metric in ((VETO, "veto"), ("resists_effect", "about the effect")):
                valued = replace(piece, rows=piece.rows.drop_nulls(name))
                if len(valued.rows):
                    yield valued.rate(metric, name, "of readable verdicts")


_CHECKED: dict[str, tuple[str, dict[str, Json]]] = {
    VETO: ("veto", {}),
    "veto_disagrees": ("veto overridden", {}),
    **{column: ("veto by failure", {"failure": name}) for name, column in FAILURES.items()},
}
