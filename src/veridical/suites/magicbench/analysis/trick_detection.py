"""Does the reply say that a trick happened, with which false alarms, and is its stated confidence earned?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import PROPORTION, Estimate, Json
from veridical.suite.contrasts import difference, doubled_rows, mean_score
from veridical.suite.rates import Slice
from veridical.suite.rows import filter_to_level
from veridical.suite.sensitivity import detections
from veridical.suites.magicbench.analysis.marks import judged_explanations, marked_pieces
from veridical.suites.magicbench.analysis.rows import USUAL, clip_breakdowns, honest, pieces, plain_replies, tricks
from veridical.suites.magicbench.asking.cells import EXPLAIN, REVEAL, SETTINGS
from veridical.suites.magicbench.stimuli import HONEST, TRICK, TYPES

OF_ANSWERED = "'yes' to whether anything is done in secret, of answered"
_METHOD = (
    "a hit is a trick called one, a false alarm an honest control called one; log-linear correction; of answered; "
    "Student's interval from a bootstrap of units within families"
)


def detection_estimates(rows: pl.DataFrame) -> Iterator[Estimate]:
    """All estimates of whether a trick is noticed, by stance and by what is said; nothing without explanations."""
    own, note = plain_replies(rows, EXPLAIN)
    if own.is_empty():
        return
    cells = own.with_columns(under=pl.col("words").fill_null("none"))
    both = cells.filter(pl.col("variant").is_in([TRICK, HONEST]))
    without_parts = both.filter(pl.col("under").is_in([*TYPES, "none"]))
    for rows_of, keys in ((without_parts, [("stance",)]), (both, [("stance", "under"), ("stance", "under", "family")])):
        for piece in pieces(rows_of, keys, {}, note):
            if {TRICK, HONEST} == set(piece.rows.drop_nulls("claims_trick")["variant"]):
                yield from detections(_named(piece), "claims_trick", pl.col("variant") == TRICK, _METHOD)
    for variant_rows, variant in ((tricks(cells), TRICK), (honest(cells), HONEST)):
        for piece in pieces(variant_rows, [("stance", "under")], {"variant": variant}, note):
            yield _said(piece, "says trick")
    yield from _alarms(honest(cells), note)
    yield from _before_reveal(rows)


def _before_reveal(rows: pl.DataFrame) -> Iterator[Estimate]:
    """d', criterion and what is said of clips that were cut before their outcome shows, over all and by family."""
    cut = rows.filter((pl.col("task") == EXPLAIN) & (pl.col("until") == REVEAL))
    own, note = filter_to_level(cut, {name: level for name, level in USUAL.items() if name != "until"}, SETTINGS)
    for piece in pieces(own, [("stance",), ("stance", "family")], {"until": REVEAL}, note):
        if {TRICK, HONEST} == set(piece.rows.drop_nulls("claims_trick")["variant"]):
            yield from detections(piece, "claims_trick", pl.col("variant") == TRICK, _METHOD)
    for variant_rows, variant in ((tricks(own), TRICK), (honest(own), HONEST)):
        for piece in pieces(variant_rows, [("stance",)], {"variant": variant, "until": REVEAL}, note):
            yield _said(piece, "says trick")


def _alarms(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`false alarms` on honest controls by what is claimed there, by type, and by clip."""
    if not rows["claims_trick"].count():
        return
    for piece in pieces(rows, [("stance", "claimed"), ("stance", "under", "claimed")], {}, note):
        yield _said(piece, "false alarms")
    for name, sliced in clip_breakdowns(rows):
        for piece in pieces(sliced, [("stance", name)], {}, note):
            yield _said(piece, "false alarms")


def _said(piece: Slice, metric: str) -> Estimate:
    return _named(piece).valued("claims_trick").rate(metric, "claims_trick", OF_ANSWERED)


def _named(piece: Slice) -> Slice:
    """The slice with `words` as the name of what is said."""
    where = {("words" if key == "under" else key): level for key, level in piece.where.items()}
    return replace(piece, where=where)


ENTAILED = 0.7
"""The least CPA, of 1, of an explanation that follows from the constraints: the upper band of the rubric."""
BINS = ((0.0, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.0))
_JUDGED = "of replies with a verdict"


def confidence(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`confidence` and `overconfidence` on tricks, and `entailed` by confidence."""
    for where, rows, _ in judged_explanations(marks):
        own = tricks(rows)
        if not own["confidence"].count():
            continue
        counted = own.with_columns((pl.col("cpa") >= ENTAILED - 1e-9).cast(pl.Float64).alias("entailed"))
        for piece in marked_pieces(counted, [("stance",), ("stance", "type")], where):
            yield from _of_piece(piece.valued("confidence", "cpa"))
        for piece in marked_pieces(counted, [("stance",)], where):
            yield from _curve(piece.valued("confidence", "cpa"))


def _of_piece(piece: Slice) -> Iterator[Estimate]:
    yield mean_score(piece, "confidence", "confidence", PROPORTION, f"mean; {_JUDGED}")
    both = pl.concat(
        [
            piece.rows.select("unit", "family", pl.col("confidence").alias("value"), pl.lit(1).alias("stated")),
            piece.rows.select("unit", "family", pl.col("entailed").alias("value"), pl.lit(0).alias("stated")),
        ]
    )
    sides = (pl.col("stated") == 1, pl.col("stated") == 0, f"mean confidence − share entailed, {_JUDGED}")
    yield difference(replace(piece, rows=doubled_rows(both)), "overconfidence", "value", sides)


def _curve(piece: Slice) -> Iterator[Estimate]:
    """`entailed` in each bin of confidence: the curve of calibration."""
    for low, high in BINS:
        above = pl.col("confidence") >= low
        below = pl.col("confidence") <= high if high == 1 else pl.col("confidence") < high
        rows = piece.rows.filter(above & below)
        where: dict[str, Json] = {**piece.where, "confidence": f"{100 * low:.0f} to {100 * high:.0f}"}
        yield replace(piece, rows=rows, where=where).rate("entailed", "entailed", f"CPA of 7 or more; {_JUDGED}")
