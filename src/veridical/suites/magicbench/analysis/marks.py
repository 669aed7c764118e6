"""Explanations with the marks on them: VTG, CPA and CFR by stance and words, and how far they depend on the judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import polars as pl

from veridical.judges.judged_outcomes import NOT_JUDGED
from veridical.judges.marking import Marking
from veridical.judges.marks import judged_slices, marked_replies, split_by_judge, verdict_counts
from veridical.records import SHARE, Counts, Estimate, Json, Unit
from veridical.stats import pearson
from veridical.suite.contrasts import difference, doubled_rows, mean_score
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, Slice, cluster_rows, mean_rate
from veridical.suites.magicbench.analysis.rows import clip_breakdowns, honest, plain_replies, replies, tricks
from veridical.suites.magicbench.asking.cells import END, EXPLAIN, FORENSIC
from veridical.suites.magicbench.asking.marking import GRADE
from veridical.suites.magicbench.judging.rubrics import PCS
from veridical.suites.magicbench.judging.verdicts import VETO
from veridical.suites.magicbench.stimuli import HONEST, NAME, TYPES

MARKS = ("vtg", "cpa", "cfr")
FULL = 10.0
SCORE = Unit(name="score", digits=1, scale=100.0, low=0.0, high=1.0)
"""A mark as a share of 10, shown of 100, as in the paper."""
_CHECKS = (VETO, "resists_effect")
_SCORES = {**{name: (name, FULL) for name in MARKS}, **{name: (name, 1.0) for name in _CHECKS}}
READABLE: dict[str, Json] = {"of": "readable"}
ITEMS, KINDS = "items", "types"
"""What an average is over: all items alike, or the means of the four types alike."""
OF_ALL = "marks of 10; of all, not answered is 0"
_READABLE = "marks of 10; over readable verdicts alone"
_ERROR = "standard error of the mean, from 1,000 bootstrap draws of units within families"

marked_pieces = partial(judged_slices, NAME)


def explanations_by_judge(evidence: Evidence, about: Marking = GRADE) -> pl.DataFrame:
    """The explanations of whole clips once by each judge and rubric, with a column for each of `MARKS` and for checks.

    A mark lies in [0, 1]; it is 0 for a reply that cannot be judged, and null where there is no verdict; a check is
    null in both cases. Without a judge, `judge` and `rubric` are null.
    """
    rows = replies(marked_replies(evidence, about, _SCORES, _CHECKS))
    explained = pl.col("task").fill_null(EXPLAIN) == EXPLAIN  # Some stages have no setting of the task.
    return rows.filter(explained & (pl.col("until").fill_null(END) == END))


def judged_explanations(marks: pl.DataFrame) -> Iterator[tuple[dict[str, Json], pl.DataFrame, str]]:
    """The explanations at one level of each setting by each judge and rubric, with a note; nothing without a judge."""
    for where, rows in split_by_judge(marks):
        if where["judge"] != NOT_JUDGED:
            yield where, *plain_replies(rows, EXPLAIN)


def scores(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`vtg`, `cpa` and `cfr` by stance and words with their bootstrap errors, averaged, by clip, and on controls."""
    for where, rows in split_by_judge(marks):
        chosen, note = plain_replies(rows, EXPLAIN)
        if where["judge"] == NOT_JUDGED:
            piece = Slice(NAME, where, chosen, verdict_counts(chosen), note)
            for name in MARKS if len(chosen) else ():
                yield piece.estimate(name, SCORE, OF_ALL, None, NOTHING, NOT_JUDGED)
            continue
        own = tricks(chosen)
        for piece in marked_pieces(own.filter(pl.col("words").is_null()), [("stance",)], where, note):
            yield from _of_piece(piece)
        for piece in marked_pieces(own, [("stance", "type")], where, note):
            yield from _of_piece(piece)
        for piece in marked_pieces(own.filter(pl.col("type").is_in(TYPES)), [("stance",)], where, note):
            yield from _averages(piece)
        for piece in marked_pieces(honest(chosen), [("stance", "type")], {**where, "variant": HONEST}, note):
            yield from (mean_score(piece, name, name, SCORE, OF_ALL) for name in MARKS)
        for name, sliced in clip_breakdowns(own.filter(pl.col("stance") == FORENSIC)):
            for piece in marked_pieces(sliced, [("stance", "type", name)], where, note):
                yield from (mean_score(piece, mark, mark, SCORE, OF_ALL) for mark in MARKS)


def _of_piece(piece: Slice) -> Iterator[Estimate]:
    """Each mark over all items and over readable verdicts, and its standard error."""
    alone = readable_alone(piece)
    for name in MARKS:
        yield mean_score(piece, name, name, SCORE, OF_ALL)
        yield mean_score(alone, name, name, SCORE, _READABLE)
        yield bootstrap_error(piece, name)


def readable_alone(piece: Slice) -> Slice:
    """The rows that have a verdict: published totals are over these alone."""
    return replace(piece, rows=readable(piece.rows), where={**piece.where, **READABLE})


def readable(rows: pl.DataFrame) -> pl.DataFrame:
    """The explanations with a verdict."""
    return rows.filter((pl.col("status") == "answered") & (pl.col("verdict_status") == "answered"))


def bootstrap_error(piece: Slice, name: str) -> Estimate:
    """`vtg error` and so on: the standard error of a mean mark over items that have one."""
    rows = piece.rows.drop_nulls(name)
    if rows["unit"].n_unique() < 2:
        return piece.estimate(f"{name} error", SCORE, _ERROR, None, NOTHING, "at least 2 units are needed")
    data = cluster_rows(rows, (name,), np.zeros(len(rows), np.int64), 1)
    error = float(data.replicates[:, 0, 0].std(ddof=1))
    return piece.computed(f"{name} error", SCORE, _ERROR, error)


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
    value, bounds = mean_rate(cluster_rows(every, (name,), place.to_numpy(), len(kinds)), 0, weights)
    return piece.estimate(name, SCORE, method, value, bounds)


def vetoes(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`veto` by stance, and by words with `about the effect`."""
    for where, rows in split_by_judge(marks):
        own = tricks(plain_replies(rows, EXPLAIN)[0])
        for piece in marked_pieces(own, [("stance",), ("stance", "type")], where):
            for name, metric in ((VETO, "veto"), ("resists_effect", "about the effect")):
                valued = piece.valued(name)
                if len(valued.rows) and (name == VETO or "type" in piece.where):
                    yield valued.rate(metric, name, "of readable verdicts")


_KEY = ("trial", "repeat")
BY_RULE = "veridical/rule"
Pair = tuple[str, str]
"""A judge and a rubric."""


def _by_pair(marks: pl.DataFrame) -> dict[Pair, pl.DataFrame]:
    return {(str(where["judge"]), str(where["rubric"])): rows for where, rows, _ in judged_explanations(marks)}


def reliability(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`judge correlation` and `judge difference` of each two ways of marking."""
    by = {pair: readable(rows) for pair, rows in _by_pair(marks).items()}
    for (one, first), (two, second) in _pairs(list(by)):
        where: dict[str, Json] = {"judge": one, "rubric": first, "against judge": two, "against rubric": second}
        both = by[one, first].join(by[two, second], on=_KEY, suffix="_other", maintain_order="left")
        for mark in MARKS:
            yield from _compared(both.drop_nulls((mark, f"{mark}_other")), mark, where, Counts.of(both))


def _pairs(keys: list[Pair]) -> Iterator[tuple[Pair, Pair]]:
    """The rubric `pcs` first, with the other rubrics of a judge; and each two judges by one rubric."""
    for one, two in combinations(keys, 2):
        if one[0] == two[0] and PCS.name in (one[1], two[1]):
            yield (one, two) if one[1] == PCS.name else (two, one)
        elif one[1] == two[1]:
            yield one, two


def _compared(rows: pl.DataFrame, mark: str, where: dict[str, Json], counts: Counts) -> Iterator[Estimate]:
    piece = Slice(NAME, {"score": mark, **where}, rows, counts)
    yield piece.stated("judge correlation", SHARE, pearson(rows[mark], rows[f"{mark}_other"], units=rows["unit"]))
    sides = (pl.col("first") == 1, pl.col("first") == 0, "mean mark, the first − the other, of the same replies")
    stacked = [
        rows.select("unit", "family", pl.col(column).alias("value"), pl.lit(first).alias("first"))
        for column, first in ((mark, 1), (f"{mark}_other", 0))
    ]
    yield difference(replace(piece, rows=doubled_rows(pl.concat(stacked))), "judge difference", "value", sides)


def impossible_accepted(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`accepts the impossible` and `cpa of the impossible` of each other judge and rubric; nothing without two."""
    by = _by_pair(marks)
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
        if len(piece.valued("passes").rows):
            method = "CPA above 0, of vetoed explanations with a verdict"
            yield piece.valued("passes").rate("accepts the impossible", "passes", method)
        yield mean_score(piece, "cpa of the impossible", "cpa", SCORE, "of vetoed explanations")


def reference_of(by: Mapping[Pair, object]) -> Pair | None:
    """The marking that says what is impossible: by rule if there is one, else the first by the rubric `pcs`.

    >>> reference_of({("m", "no-pcs"): 0, ("m", "pcs"): 0, ("veridical/rule", "pcs"): 0})
    ('veridical/rule', 'pcs')
    """
    grounded = [pair for pair in by if pair[1] == PCS.name]
    return next((pair for pair in grounded if pair[0] == BY_RULE), grounded[0] if grounded else None)
