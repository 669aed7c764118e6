"""When it happens: the overlap of intervals, the recall curve, and what the best fixed interval comes to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.answers.time_intervals import intervals
from veridical.records import PROPORTION, Estimate
from veridical.suite.means import mean_score
from veridical.suites.hocabench.analysis.rows import keys_of, pieces, plain
from veridical.suites.hocabench.asking.readers import INTERVAL

LEVELS = tuple(k / 10 for k in range(1, 10))
"""The intersections over union from which an interval counts, in the recall curve."""
OF_UNIONS = "intersection over union of unions; of all, not answered is 0"
_FIXED = (
    "one interval for all clips, in seconds or in shares of the duration: for each clip the one with the largest mean "
    "overlap with the intervals of all other units"
)
_COLUMNS = ("drawing", "camera", "taken_from", "source_model", "theme", "scene_type")
_ENDS = 30
Floats = NDArray[np.float64]


def grounding(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`mean iou`, `recall at iou`, and both for the best fixed interval; nothing where no interval was asked."""
    chosen, note = plain(rows, INTERVAL)
    if chosen.is_empty():
        return
    for keys in keys_of(chosen, _COLUMNS):
        for piece in pieces(chosen, keys, {}, note):
            yield mean_score(piece, "mean iou", "value", PROPORTION, OF_UNIONS)
    yield from _curve(chosen, "value", "", OF_UNIONS, note)
    fixed = best_fixed(chosen)
    yield from _curve(fixed, "fixed", " chance", _FIXED, note)
    for piece in pieces(fixed, (), {}, note):
        yield mean_score(piece, "mean iou chance", "fixed", PROPORTION, _FIXED)
    both, note = plain(rows, INTERVAL, ("grounding",))
    if both["grounding"].n_unique() > 1:
        for piece in pieces(both, ("grounding",), {}, note):
            yield mean_score(piece, "mean iou", "value", PROPORTION, OF_UNIONS)


def _curve(rows: pl.DataFrame, column: str, ending: str, method: str, note: str) -> Iterator[Estimate]:
    for piece in pieces(rows, (), {}, note):
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
