"""The H-Index: the mean of four tasks, by three ways of averaging the two layers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.judges.judged_outcomes import NOT_JUDGED
from veridical.judges.marks import split_by_judge
from veridical.records import Counts, Estimate, Json
from veridical.stats import Interval
from veridical.suite.contrasts import doubled_rows
from veridical.suite.rates import NOTHING, Slice, cluster_rows
from veridical.suite.rows import asked_rows
from veridical.suites.hocabench.analysis.figures import INDEX, LAYERS, f1, f1_estimate, f1_slopes
from veridical.suites.hocabench.analysis.rows import both_kinds, plain_replies
from veridical.suites.hocabench.analysis.scores import TOTAL
from veridical.suites.hocabench.asking.readers import DESCRIPTION, DOMAIN, EXPLAINED, PLAUSIBILITY
from veridical.suites.hocabench.stimuli import NAME, PLAUSIBLE, VIOLATING

TASKS = {"II": DOMAIN, "III": DESCRIPTION, "IV": EXPLAINED}
PAPER, PLAIN, BY_CLIPS = WEIGHTINGS = ("paper", "plain", "by clips")
"""Task IV over the paper's clips and the others plainly, all plainly, and all over the run's own clips."""
PAPER_CLIPS = (254, 376)
"""The paper's ontological and causal clips, inferred from the digits of its Table 2."""

_METHOD = (
    "the mean of four tasks; unanswered counts as wrong; variance recovery from the rates of both kinds of clips and "
    "of both layers, correlated within units, F1 linearized; units within families"
)
_CELLS = ("I, violating", "I, plausible", *(f"{task}, {layer}" for task in TASKS for layer in LAYERS))
Floats = NDArray[np.float64]
_OfRates = Callable[[Floats, float], float]
"""From the rates in the cells, and the number of plausible clips for each violating one."""


def h_index(
    first: float, layers: Mapping[str, tuple[float, float]], weights: Mapping[str, tuple[float, float]]
) -> float:
    """The mean of Task I and of Tasks II to IV, each the weighted mean of its two layers.

    >>> layers = {"II": (0.228, 0.521), "III": (0.689, 0.548), "IV": (0.409, 0.471)}
    >>> round(h_index(0.696, layers, weights_of("paper")), 3)
    0.534
    """
    parts = [float(np.average(layers[task], weights=weights[task])) for task in TASKS]
    return (first + sum(parts)) / 4


def weights_of(
    weighting: str, clips: Mapping[str, tuple[float, float]] | None = None
) -> dict[str, tuple[float, float]]:
    """The weights of the two layers in each task; `clips` are the run's own numbers of clips, for "by clips".

    >>> weights_of("paper")["IV"]
    (254, 376)
    """
    if weighting == BY_CLIPS:
        return dict(clips or {})
    return {task: PAPER_CLIPS if weighting == PAPER and task == "IV" else (1, 1) for task in TASKS}


class _Cells(NamedTuple):
    """The rows of the four tasks, each in one of `_CELLS`, and the clips of each layer by task."""

    rows: pl.DataFrame
    clips: dict[str, tuple[float, float]]


def indices(rows: pl.DataFrame, marks: pl.DataFrame) -> Iterator[Estimate]:
    """`h_index` by weighting and `index part` by part, for each judge; by level of `frames` where there are several."""
    yield from _indices(rows, marks, {})
    own = set(TASKS.values()) | {PLAUSIBILITY}
    levels = rows.filter(pl.col("task").is_in(own))["frames"].drop_nulls().unique(maintain_order=True)
    if len(levels) > 1:
        for level in levels:
            kept = [frame.filter(pl.col("frames") == level) for frame in (rows, marks)]
            yield from _indices(kept[0], kept[1], {"frames": level})


def _indices(rows: pl.DataFrame, marks: pl.DataFrame, where: dict[str, Json]) -> Iterator[Estimate]:
    first = [_first(rows), *(_layered(rows, task) for task in ("II", "III"))]
    yield from _parts(_cells(first), where, ("I", "II", "III"))
    for judge, own in split_by_judge(marks):
        inside = {**where, **judge}
        if judge["judge"] == NOT_JUDGED:
            for weighting in WEIGHTINGS[: 1 if where else 3]:
                yield _without({"weighting": weighting, **inside}, own, NOT_JUDGED)
            continue
        last = _layered(own.with_columns(pl.col(TOTAL).alias("right")), "IV")
        cells = _cells([*first, last])
        yield from _parts(cells, inside, ("IV",))
        for weighting in WEIGHTINGS[: 1 if where else 3]:
            yield _index(cells, weighting, {"weighting": weighting, **inside})


def _first(rows: pl.DataFrame) -> pl.DataFrame:
    chosen = asked_rows(both_kinds(plain_replies(rows, PLAUSIBILITY)[0]))
    cell = pl.when(pl.col("variant") == VIOLATING).then(0).when(pl.col("variant") == PLAUSIBLE).then(1)
    return _kept(chosen.with_columns(cell.cast(pl.Int64).alias("cell")))


def _layered(rows: pl.DataFrame, task: str) -> pl.DataFrame:
    chosen = asked_rows(plain_replies(rows, TASKS[task])[0])
    place = pl.when(pl.col("layer") == LAYERS[0]).then(0).when(pl.col("layer") == LAYERS[1]).then(1)
    start = 2 + 2 * list(TASKS).index(task)
    return _kept(chosen.with_columns((place + start).cast(pl.Int64).alias("cell")))


def _kept(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select("unit", "family", "stimulus", "variant", "status", "attempt", "right", "cell").drop_nulls("cell")


def _cells(frames: list[pl.DataFrame]) -> _Cells:
    rows = pl.concat(frames)
    number = {
        task: tuple(float(rows.filter(pl.col("cell") == 2 + 2 * k + place)["stimulus"].n_unique()) for place in (0, 1))
        for k, task in enumerate(TASKS)
    }
    return _Cells(rows, number)  # type: ignore[arg-type]


def _without(where: dict[str, Json], rows: pl.DataFrame, reason: str) -> Estimate:
    piece = Slice(NAME, where, rows, Counts.of(rows))
    return piece.estimate("h_index", INDEX, _METHOD, None, NOTHING, reason)


def _index(cells: _Cells, weighting: str, where: dict[str, Json]) -> Estimate:
    """The index with its interval; verdicts that are missing are in the bounds alone."""
    lacking = _lacking(cells.rows.drop_nulls("right"), range(len(_CELLS)))
    if lacking:
        return _without(where, cells.rows, f"nothing to count: {lacking}")
    weights = weights_of(weighting, cells.clips)
    shares = {task: np.array(pair) / sum(pair) / 4 for task, pair in weights.items()}
    piece = Slice(NAME, where, cells.rows, Counts.of(cells.rows))
    value, bounds = _combined(cells, lambda rates, balance: _index_of(rates, balance, weights), shares, 0.25)
    return piece.estimate("h_index", INDEX, f"{_METHOD}; layers weighted {_words(weighting, cells)}", value, bounds)


def _index_of(rates: Floats, balance: float, weights: Mapping[str, tuple[float, float]]) -> float:
    layers = {task: (float(rates[2 + 2 * k]), float(rates[3 + 2 * k])) for k, task in enumerate(TASKS)}
    return h_index(f1(float(rates[0]), float(rates[1]), balance), layers, weights)


def _words(weighting: str, cells: _Cells) -> str:
    if weighting == BY_CLIPS:
        each = ", ".join(f"{task} {pair[0]:.0f} to {pair[1]:.0f}" for task, pair in cells.clips.items())
        return f"by the run's clips ({each})"
    return f"IV {PAPER_CLIPS[0]} to {PAPER_CLIPS[1]}, II and III alike" if weighting == PAPER else "alike"


def _parts(cells: _Cells, where: dict[str, Json], parts: tuple[str, ...]) -> Iterator[Estimate]:
    """`index part`: what of each task enters the index of the paper."""
    weights = weights_of(PAPER)
    for part in parts:
        used = [0, 1] if part == "I" else [2 + 2 * list(TASKS).index(part) + k for k in (0, 1)]
        own = _Cells(cells.rows.filter(pl.col("cell").is_in(used)), cells.clips)
        if own.rows.is_empty():
            continue
        piece = Slice(NAME, {"part": part, **where}, own.rows, Counts.of(own.rows))
        lacking = _lacking(own.rows.drop_nulls("right"), used)
        if lacking:
            yield piece.estimate("index part", INDEX, _METHOD, None, NOTHING, f"nothing to count: {lacking}")
            continue
        if part == "I":
            # The same interval as that of F1, which stands beside it.
            yield replace(f1_estimate(piece), metric="index part", unit=INDEX)
            continue
        share = np.array(weights[part]) / sum(weights[part])
        value, bounds = _combined(own, partial(_mean_of, used, share), {part: share}, 0)
        yield piece.estimate("index part", INDEX, _METHOD, value, bounds)


def _mean_of(cells: list[int], share: Floats, rates: Floats, balance: float) -> float:  # noqa: ARG001 (of Task I alone)
    return float(rates[cells] @ share)


def _lacking(rows: pl.DataFrame, cells: range | list[int]) -> str:
    present = set(rows["cell"].unique())
    return ", ".join(_CELLS[cell] for cell in cells if cell not in present)


def _combined(cells: _Cells, of_rates: _OfRates, shares: Mapping[str, Floats], first: float) -> tuple[float, Interval]:
    """A function of the rates in the cells with its interval, from its slopes; missing verdicts widen the bounds.

    `shares` are the slopes of the layers' rates by task, `first` that of F1.
    """
    valued = cells.rows.drop_nulls("right")
    value, bounds = _around(valued, of_rates, shares, first)
    if len(valued) < len(cells.rows):
        ends = [
            _around(cells.rows.with_columns(pl.col("right").fill_null(fill)), of_rates, shares, first)[1]
            for fill in (0.0, 1.0)
        ]
        bounds = Interval(ends[0].low, ends[1].high)
    return value, bounds


def _around(
    rows: pl.DataFrame, of_rates: _OfRates, shares: Mapping[str, Floats], first: float
) -> tuple[float, Interval]:
    every = doubled_rows(rows)
    data = cluster_rows(every, ("right",), every["cell"].to_numpy(), len(_CELLS))
    counts, rates = data.rows.sum(0), data.measured.value
    balance = float(counts[1] / counts[0]) if counts[0] else 1.0
    slopes = np.zeros(len(_CELLS))
    if first:
        slopes[:2] = np.array(f1_slopes(float(rates[0]), float(rates[1]), balance)) * first
    for task, share in shares.items():
        start = 2 + 2 * list(TASKS).index(task)
        slopes[start : start + 2] = share
    linear, low, high = (float(each) for each in data.measured.contrast(slopes))
    value = float(of_rates(rates, balance))
    return value, Interval(max(value - (linear - low), 0.0), min(value + (high - linear), 1.0))
