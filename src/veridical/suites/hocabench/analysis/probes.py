"""When it happens, and several anomalies at a time: overlaps of intervals, and F1 of sets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.answers.time_intervals import intervals
from veridical.records import PROPORTION, Estimate
from veridical.stats import Cells, Interval, student
from veridical.suite.contrasts import mean_score
from veridical.suite.rates import NOTHING, Slice, cluster_rows
from veridical.suite.rows import OF_ALL, keys_of
from veridical.suites.hocabench.analysis.rows import CLIPS, pieces, plain_replies
from veridical.suites.hocabench.asking.readers import INTERVAL, SEVERAL
from veridical.suites.hocabench.asking.sets import members, overlap
from veridical.suites.hocabench.taxonomy import SUB_TYPES

LEVELS = tuple(k / 10 for k in range(1, 10))
"""The intersections over union from which an interval counts, in the recall curve."""
OF_UNIONS = "intersection over union of unions; of all, not answered is 0"
_FIXED = (
    "one interval for all clips, in seconds or in shares of the duration: for each clip the one with the largest mean "
    "overlap with the intervals of all other units"
)
_ENDS = 30
Floats = NDArray[np.float64]
OVER, AVERAGES = ("sub-types", "domains"), ("clips", "micro", "macro")
_EMPTY = "none"
_METHOD = (
    "a reply without an answer names nothing; Student's interval from a bootstrap of units within families, one unit "
    "added"
)


def grounding(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`mean iou`, `recall at iou`, and both for the best fixed interval; nothing where no interval was asked."""
    chosen, note = plain_replies(rows, INTERVAL)
    if chosen.is_empty():
        return
    for piece in pieces(chosen, keys_of(chosen, (name for name in CLIPS if name != "scene")), {}, note):
        yield mean_score(piece, "mean iou", "value", PROPORTION, OF_UNIONS)
    yield from _curve(chosen, "value", "", OF_UNIONS, note)
    fixed = best_fixed(chosen)
    yield from _curve(fixed, "fixed", " chance", _FIXED, note)
    for piece in pieces(fixed, note=note):
        yield mean_score(piece, "mean iou chance", "fixed", PROPORTION, _FIXED)
    both, note = plain_replies(rows, INTERVAL, ("grounding",))
    if both["grounding"].n_unique() > 1:
        for piece in pieces(both, [("grounding",)], {}, note):
            yield mean_score(piece, "mean iou", "value", PROPORTION, OF_UNIONS)


def _curve(rows: pl.DataFrame, column: str, ending: str, method: str, note: str) -> Iterator[Estimate]:
    for piece in pieces(rows, note=note):
        for level in LEVELS:
            reached = (pl.col(column) >= level - 1e-9).cast(pl.Float64)
            at = replace(piece, where={"iou": level}, rows=piece.rows.with_columns(reached.alias("reached")))
            yield at.rate(f"recall at iou{ending}", "reached", method)


def best_fixed(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with `fixed`: the overlap of the best fixed interval, chosen without the row's own unit.

    Candidates begin and end where true intervals do, at most 30 different times of each, in seconds and in shares of
    the duration.
    """
    cases = rows.select("gold", "expects", "unit").unique(maintain_order=True).drop_nulls("gold")
    if cases.is_empty():
        return rows.with_columns(pl.lit(0.0).alias("fixed"))
    golds = [[tuple(each) for each in intervals(text)] for text in cases["gold"]]
    spans = np.array([_duration(text, gold) for text, gold in zip(cases["expects"], golds, strict=True)])
    overlaps = np.concatenate([_overlaps(golds, np.ones(len(spans))), _overlaps(golds, spans)])
    units = cases["unit"].to_list()
    places = {unit: [k for k, each in enumerate(units) if each == unit] for unit in dict.fromkeys(units)}
    fixed = np.zeros(len(units))
    for own in places.values():
        others = overlaps.sum(1) - overlaps[:, own].sum(1)
        fixed[own] = overlaps[int(np.argmax(others)), own]
    return rows.join(
        cases.with_columns(pl.Series("fixed", fixed)), on=["gold", "expects", "unit"], how="left", maintain_order="left"
    ).with_columns(pl.col("fixed").fill_null(0.0))


def _duration(expects: str, gold: list[tuple[float, ...]]) -> float:
    duration = json.loads(expects).get("duration")
    return float(duration) if duration else max((end for _, end in gold), default=1.0)


def _overlaps(golds: list[list[tuple[float, ...]]], spans: Floats) -> Floats:
    """The overlap of each candidate with each item, (candidates, items); times are in units of the items' spans."""
    bounds = [[(start / span, end / span) for start, end in gold] for gold, span in zip(golds, spans, strict=True)]
    starts, ends = (_few([part[k] for gold in bounds for part in gold]) for k in (0, 1))
    pairs = np.array([(a, b) for a in starts for b in ends if b > a])
    if not len(pairs):
        return np.zeros((1, len(golds)))
    shares = np.zeros((len(pairs), len(golds)))
    for item, gold in enumerate(bounds):
        parts = np.array(gold).reshape(-1, 2)
        common = np.minimum(pairs[:, None, 1], parts[None, :, 1]) - np.maximum(pairs[:, None, 0], parts[None, :, 0])
        both = np.maximum(common, 0.0).sum(1)
        whole = (pairs[:, 1] - pairs[:, 0]) + (parts[:, 1] - parts[:, 0]).sum() - both
        shares[:, item] = both / whole
    return shares


def _few(times: list[float]) -> Floats:
    different = np.unique(np.round(times, 6))
    return (
        different[np.unique(np.linspace(0, len(different) - 1, _ENDS).round().astype(int))]
        if len(different)
        else different
    )


def set_scores(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`set f1` and `exact match` over sub-types and over their domains; nothing where no set was asked."""
    chosen, note = plain_replies(rows, SEVERAL)
    chosen = chosen.drop_nulls("gold")
    for over in OVER if len(chosen) else ():
        named = chosen.with_columns(_sets(chosen, over))
        (piece,) = pieces(named, where={"over": over}, note=note)
        yield piece.rate("exact match", "exact", OF_ALL)
        by = {average: replace(piece, where={"over": over, "average": average}) for average in AVERAGES}
        words = "mean of the clips' F1; of all, not answered is 0"
        yield mean_score(by["clips"], "set f1", "own_f1", PROPORTION, words)
        yield from (_averaged(by[average], average) for average in AVERAGES[1:])


def domains_of_sub_types(names: frozenset[str]) -> frozenset[str]:
    """The domains of sub-types.

    >>> sorted(domains_of_sub_types(frozenset({"gravity", "collision"})))
    ['mechanics']
    """
    return frozenset(SUB_TYPES[name].domain for name in names if name in SUB_TYPES)


def _sets(rows: pl.DataFrame, over: str) -> list[pl.Series]:
    """The true and the named sets as texts, whether they are the same, and the F1 of the two."""
    true, named = (
        [
            members(text or _EMPTY) if over == OVER[0] else domains_of_sub_types(members(text or _EMPTY))
            for text in rows[column]
        ]
        for column in ("gold", "answer")
    )
    texts = [[",".join(sorted(each)) or _EMPTY for each in side] for side in (named, true)]
    f1 = [overlap(one, other)["set_f1"] for one, other in zip(*texts, strict=True)]
    exact = [
        float(one == other and answer is not None)
        for one, other, answer in zip(named, true, rows["answer"], strict=True)
    ]
    return [
        pl.Series("named", texts[0]),
        pl.Series("true", texts[1]),
        pl.Series("own_f1", f1, dtype=pl.Float64),
        pl.Series("exact", exact, dtype=pl.Float64),
    ]


def _averaged(piece: Slice, average: str) -> Estimate:
    """F1 pooled over all names, or the plain mean of the F1 of each name that is true of a clip."""
    method = f"{_METHOD}; {'pooled over names' if average == 'micro' else 'mean over the names that occur'}"
    if piece.rows.is_empty():
        return piece.estimate("set f1", PROPORTION, method, None, NOTHING, "nothing to count")
    sets = [[members(text) for text in piece.rows[column]] for column in ("named", "true")]
    kinds = sorted(frozenset[str]().union(*sets[1]))
    outside = sorted(frozenset[str]().union(*sets[0]) - set(kinds))
    columns: dict[str, Floats] = {}
    for kind in (*kinds, *outside):
        hits = [kind in one and kind in other for one, other in zip(*sets, strict=True)]
        sizes = [(kind in one) + (kind in other) for one, other in zip(*sets, strict=True)]
        columns |= {f"both {kind}": np.array(hits, float), f"sizes {kind}": np.array(sizes, float)}
    rows = piece.rows.select("unit", "family").with_columns(pl.Series(name, each) for name, each in columns.items())
    data = cluster_rows(rows, tuple(columns), np.zeros(len(rows), np.int64), 1)
    counted = len(kinds) if average == "macro" else len(kinds) + len(outside)
    value = float(_f1(data.rates[None, 0], counted, average)[0])
    return piece.estimate("set f1", PROPORTION, method, value, _bounds(data, value, counted, average))


def _f1(rates: Floats, kinds: int, average: str) -> Floats:
    """F1 from the means by clip of hits and sizes of each name in turn, shape (samples, 2 · names)."""
    both, sizes = 2 * rates[:, 0 : 2 * kinds : 2], rates[:, 1 : 2 * kinds : 2]
    if average == "micro":
        both, sizes = both.sum(1, keepdims=True), sizes.sum(1, keepdims=True)
    return np.asarray((both / np.where(sizes > 0, sizes, 1)).mean(1))


def _bounds(data: Cells, value: float, kinds: int, average: str) -> Interval:
    """Student's interval of bootstrap replicates with the variance of one more unit, inside [0, 1]."""
    if data.df < 1:
        return Interval(0.0, 1.0)
    drawn = _f1(data.replicates[:, 0], kinds, average)
    low, high = student(value, drawn, data.df)
    added = 2.0 / (data.units + 1)
    assert low is not None
    assert high is not None
    half = float(np.hypot(high - value, added))
    return Interval(max(value - half, 0.0), min(value + half, 1.0))
