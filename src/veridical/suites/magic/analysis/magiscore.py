"""MagiScore: which boxes a rationale mentions, against those that matter, and what chance gives."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import POINTS, PROPORTION, Counts, Estimate, Json
from veridical.stats import Interval, sign_flip_p
from veridical.stats.resample import jackknife_error, student_interval, unit_codes, unit_sums
from veridical.suite.contrasts import mean_score, share_of_sums
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, Slice
from veridical.suite.rows import OF_ALL, asked_rows, groups, keys_of
from veridical.suites.magic.analysis.accuracy import replies_by_marker
from veridical.suites.magic.analysis.rows import BY, pieces, plain_replies, replies
from veridical.suites.magic.asking.readers import WITHOUT_EXCLUDED
from veridical.suites.magic.asking.trials import BLIND
from veridical.suites.magic.stimuli import NAME

PARTS = ("precision", "recall", "f1")
SUMS = {"precision": ("tp", "mentioned"), "recall": ("tp", "relevant"), "f1": ("matched", "both")}
"""What each part is a share of, with the counts of all questions summed."""
ALL, RANDOM = ("all boxes", "random boxes")
MICRO: dict[str, Json] = {"average": "micro"}
SILENT: dict[str, Json] = {"silent": "undefined"}
_CHANCE_BY = {"category", "family"}
_MACRO = "mean over questions; a reply without a mention, or without an answer, scores 0"
_SUMMED = "counts of all questions summed"


def magiscore(evidence: Evidence, by: Collection[str] = BY) -> Iterator[Estimate]:
    """MagiScore with its other readings, boxes that do not exist, and chance; nothing where no picture was shown.

    Over all questions, and by each of the columns `by`.
    """
    chosen, note = plain_replies(replies(evidence.outcomes()))
    if chosen.is_empty() or set(chosen["view"].unique()) == {BLIND}:
        return
    for piece in pieces(chosen, keys_of(chosen, by), {}, note):
        yield from _scores(piece)
        yield from _chance(piece) if set(piece.where) <= _CHANCE_BY else ()
    (piece,) = pieces(chosen, note=note)
    yield piece.valued("tp").rate("mentions boxes", "mentions", "of all, not answered mentions none")
    several = replace(piece, rows=piece.rows.filter(pl.col("box_count") > pl.col("relevant")))
    yield several.rate("mentions every box", "mentions_all", "of all with boxes that do not matter")
    yield piece.valued("names_beyond").rate("boxes beyond", "names_beyond", "of answered")
    yield from _without_excluded(evidence)


def _scores(piece: Slice) -> Iterator[Estimate]:
    """Macro, micro, and macro over the questions with a mention."""
    valued = piece.valued("tp")
    spoken = replace(valued, rows=valued.rows.filter(pl.col("mentions") == 1), where={**piece.where, **SILENT})
    pooled = replace(valued, where={**piece.where, **MICRO})
    for part in PARTS:
        metric = f"magiscore {part}"
        yield mean_score(valued.valued(part), metric, part, PROPORTION, _MACRO)
        yield share_of_sums(pooled, metric, *SUMS[part], _SUMMED)
        if part != "recall":
            yield mean_score(spoken.valued(part), metric, part, PROPORTION, "mean over questions with a mention")


def _without_excluded(evidence: Evidence) -> Iterator[Estimate]:
    """The same where boxes that are named only to be excluded do not count, by the other reader of rationales."""
    chosen, note = plain_replies(replies(evidence.outcomes(reader=WITHOUT_EXCLUDED)))
    (piece,) = pieces(chosen, where={"boxes": WITHOUT_EXCLUDED}, note=note)
    for part in PARTS:
        yield mean_score(piece.valued("tp", part), f"magiscore {part}", part, PROPORTION, _MACRO)


def _chance(piece: Slice) -> Iterator[Estimate]:
    """What mentioning every box gives, and what as many boxes as the reply mentions give, drawn at random."""
    rows = piece.rows.drop_nulls(("tp", "box_count")).filter(pl.col("box_count") >= pl.col("relevant"))
    boxes, relevant = pl.col("box_count").cast(pl.Float64), pl.col("relevant")
    for name, named in ((ALL, boxes), (RANDOM, pl.col("mentioned"))):
        hits = named * relevant / boxes
        drawn = rows.with_columns(
            pl.when(named > 0).then(hits / named).otherwise(0.0).alias("precision"),
            pl.when(relevant > 0).then(hits / relevant).alias("recall"),
            pl.when(named + relevant > 0).then(2 * hits / (named + relevant)).alias("f1"),
            hits.alias("tp"),
            (2 * hits).alias("matched"),
            named.alias("mentioned"),
            (named + relevant).alias("both"),
        )
        words = "computed from the boxes" if name == ALL else "as many as the reply mentions; computed from the boxes"
        for part in PARTS:
            above, below = (float(drawn[column].sum()) for column in SUMS[part])
            pooled = above / below if below else None
            for where, value in (({}, drawn[part].mean()), (MICRO, pooled)):
                own = replace(piece, rows=drawn, where={"chance": name, **where, **piece.where})
                drawn_by = None if value is None else float(value)  # type: ignore[arg-type]
                lacking = "nothing to count" if value is None else ""
                yield own.computed(f"chance {part}", PROPORTION, words, drawn_by, lacking)


BINS = {
    "0": (-1.0, 0.0),
    "up to 0.5": (0.0, 0.5),
    "up to 0.75": (0.5, 0.75),
    "below 1": (0.75, 1 - 1e-9),
    "1": (1 - 1e-9, 1.0),
}
"""Bins of the F1 of a reply: above the first bound, up to the second."""
_SLOPE = (
    "least squares within question types, points of accuracy for 10 points of F1; jackknife over units; sign-flip test "
    "of the units' contributions"
)
_STEP = 0.1


def focus_estimates(evidence: Evidence) -> Iterator[Estimate]:
    """`accuracy by focus` in each bin of F1, and `focus slope`, over all and by question type, by who marks."""
    for by, rows in replies_by_marker(evidence):
        chosen, note = plain_replies(rows)
        counted = asked_rows(chosen).filter(pl.col("view") != BLIND).drop_nulls(("f1", "right"))
        for name, (above, up_to) in BINS.items():
            own = counted.filter((pl.col("f1") > above) & (pl.col("f1") <= up_to))
            piece = Slice(NAME, {"focus": name, **by}, own, Counts.of(own), note)
            yield piece.rate("accuracy by focus", "right", OF_ALL)
        for keys in ((), ("category",)):
            for where, own in groups(counted, keys, by):
                yield slope(Slice(NAME, where, own, Counts.of(own), note))


def slope(piece: Slice) -> Estimate:
    """The slope of right answers on F1 within question types, with p by flipping the signs of whole units."""
    rows = piece.rows
    if rows["unit"].n_unique() < 2 or rows["f1"].n_unique() < 2:
        return piece.estimate("focus slope", POINTS, _SLOPE, None, NOTHING, "focus does not vary")
    types, codes = unit_codes(rows["category"].to_numpy(), len(rows)), unit_codes(rows["unit"].to_numpy(), len(rows))
    moments = _moments(rows["f1"].to_numpy(), rows["right"].to_numpy(), codes, types)
    value = float(_of_moments(moments.sum(0)))
    if not np.isfinite(value):
        reason = "focus does not vary within question types"
        return piece.estimate("focus slope", POINTS, _SLOPE, None, NOTHING, reason)
    left_out = _of_moments(moments.sum(0) - moments)
    left_out = np.where(np.isfinite(left_out), left_out, value)
    scale = 100 * _STEP
    ends = student_interval(value, jackknife_error(left_out), len(moments) - 1)
    bounds = Interval(*(scale * each for each in ends))
    estimate = piece.estimate("focus slope", POINTS, _SLOPE, scale * value, bounds)
    return replace(estimate, p=sign_flip_p(_contributions(rows, codes, types)))


def _moments(x: np.ndarray, y: np.ndarray, codes: np.ndarray, types: np.ndarray) -> np.ndarray:
    """Sums of 1, x, y, xx and xy by unit and question type, shape (units, types, 5)."""
    terms = np.stack([np.ones(len(x)), x, y, x * x, x * y], -1)
    apart = np.zeros((len(x), int(types.max()) + 1, 5))
    apart[np.arange(len(x)), types] = terms
    return unit_sums(apart, codes)


def _of_moments(moments: np.ndarray) -> np.ndarray:
    """The slope from moments, shape (..., types, 5); NaN where x does not vary within any type."""
    n, x, y, xx, xy = np.moveaxis(moments, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(n > 0.5, xx - x * x / np.maximum(n, 1), 0.0).sum(-1)
        shared = np.where(n > 0.5, xy - x * y / np.maximum(n, 1), 0.0).sum(-1)
        return np.asarray(np.where(spread > 1e-9, shared / spread, np.nan))


def _contributions(rows: pl.DataFrame, codes: np.ndarray, types: np.ndarray) -> np.ndarray:
    """What each unit adds to the covariance of focus and right answers within question types, shape (units,)."""
    x, y = (_centered(rows[name].to_numpy(), types) for name in ("f1", "right"))
    return np.bincount(codes, x * y)


def _centered(values: np.ndarray, types: np.ndarray) -> np.ndarray:
    return np.asarray(values - (np.bincount(types, values) / np.bincount(types))[types])
