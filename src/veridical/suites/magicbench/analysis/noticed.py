"""Does the reply say that a trick happened, with which false alarms, and is its stated confidence earned?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.judges.judged import NOT_JUDGED
from veridical.records import PROPORTION, Estimate, Json, Z
from veridical.stats import Detection, Fitted, Interval, Table, detection
from veridical.suite.contrasts import difference, doubled_rows, mean_score
from veridical.suite.rates import Slice, unit_sums
from veridical.suites.magicbench.analysis.marks import judges, marked_pieces
from veridical.suites.magicbench.analysis.rows import by_clip, honest, pieces, plain, sent, tricks
from veridical.suites.magicbench.asking.cells import EXPLAIN
from veridical.suites.magicbench.stimuli import HONEST, TRICK, TYPES

OF_ANSWERED = "'yes' to whether anything is done in secret, of answered"
_METHOD = (
    "a hit is a trick called one, a false alarm an honest control called one; log-linear correction; of answered; "
    "Student's interval from a bootstrap of units within families"
)
_FAR = "a rate of 0 or 1 sets no bound on its far side"
Strata = NDArray[np.int64] | None


def noticed(rows: pl.DataFrame) -> Iterator[Estimate]:
    """All estimates of whether a trick is noticed, by stance and by what is said; nothing without explanations."""
    own, note = plain(rows, EXPLAIN)
    if own.is_empty():
        return
    cells = own.with_columns(under=pl.col("words").fill_null("none"))
    both = cells.filter(pl.col("variant").is_in([TRICK, HONEST]))
    for keys, rows_of in (
        (("stance",), both.filter(pl.col("under").is_in([*TYPES, "none"]))),
        (("stance", "under"), both),
        (("stance", "under", "family"), both),
    ):
        for group in pieces(rows_of, keys, {}, note):
            yield from _told(_named(group))
    for variant_rows, variant in ((tricks(cells), TRICK), (honest(cells), HONEST)):
        for group in pieces(variant_rows, ("stance", "under"), {"variant": variant}, note):
            answered = replace(_named(group), rows=group.rows.drop_nulls("claims_trick"))
            yield answered.rate("says trick", "claims_trick", OF_ANSWERED)
    yield from _alarms(honest(cells), note)


def _named(piece: Slice) -> Slice:
    """The slice with `words` as the name of what is said."""
    where = {("words" if key == "under" else key): level for key, level in piece.where.items()}
    return replace(piece, where=where)


def _told(piece: Slice) -> Iterator[Estimate]:
    """`d_prime` and `criterion`."""
    table, strata = _table(piece.rows)
    if table is None:
        return
    fitted = detection(table, strata)
    yield _fitted(piece, "d_prime", fitted.d_prime, fitted)
    yield _fitted(piece, "criterion", fitted.criterion, fitted)


def _table(rows: pl.DataFrame) -> tuple[Table | None, Strata]:
    answered = sent(rows).drop_nulls("claims_trick")
    if set(answered["variant"]) != {TRICK, HONEST}:
        return None, None
    side = answered.select(pl.when(pl.col("variant") == TRICK).then(0).otherwise(1).alias("side"))["side"].to_numpy()
    sums, counts, strata = unit_sums(answered, ("claims_trick",), side, 2)
    hits = sums[..., 0]
    return Table(hits[:, 0], counts[:, 0], hits[:, 1], counts[:, 1]), strata


def _fitted(piece: Slice, metric: str, fitted: Fitted, whole: Detection) -> Estimate:
    reason = None if fitted.identified else whole.reason or _FAR
    return piece.estimate(metric, Z, _METHOD, fitted.value, Interval(fitted.low, fitted.high), reason)


def _alarms(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`false alarms` on honest controls by what is claimed there, by type, and by clip."""
    answered = rows.drop_nulls("claims_trick")
    if answered.is_empty():
        return
    for keys in (("stance", "claimed"), ("stance", "under", "claimed")):
        for piece in pieces(rows, keys, {}, note):
            own = replace(_named(piece), rows=piece.rows.drop_nulls("claims_trick"))
            yield own.rate("false alarms", "claims_trick", OF_ANSWERED)
    for name, sliced in by_clip(rows):
        for piece in pieces(sliced, ("stance", name), {}, note):
            own = replace(piece, rows=piece.rows.drop_nulls("claims_trick"))
            yield own.rate("false alarms", "claims_trick", OF_ANSWERED)


ENTAILED = 0.7
"""The least CPA, of 1, of an explanation that follows from the constraints: the upper band of the rubric."""
BINS = ((0.0, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.0))
_JUDGED = "of replies with a verdict"


def confidence(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`confidence` and `overconfidence` on tricks, and `entailed` by confidence."""
    for where, rows in judges(marks):
        own = tricks(plain(rows, EXPLAIN)[0])
        if where["judge"] == NOT_JUDGED or not own["confidence"].count():
            continue
        entailed = (pl.col("cpa") >= ENTAILED - 1e-9).cast(pl.Float64)
        counted = own.with_columns(entailed.alias("entailed"))
        for keys in (("stance",), ("stance", "type")):
            for piece in marked_pieces(counted, keys, where):
                yield from _of_piece(replace(piece, rows=piece.rows.drop_nulls(("confidence", "cpa"))))
        for piece in marked_pieces(counted, ("stance",), where):
            yield from _curve(replace(piece, rows=piece.rows.drop_nulls(("confidence", "cpa"))))


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
