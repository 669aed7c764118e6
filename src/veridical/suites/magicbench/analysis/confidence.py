"""Is the stated confidence earned? Against the marks of a judge, on tricks and on honest controls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.judges.judged import NOT_JUDGED
from veridical.records import PROPORTION, Estimate, Json
from veridical.suite.contrasts import difference, doubled_rows, mean_score
from veridical.suite.rates import Slice
from veridical.suites.magicbench.analysis.marks import judges, marked_pieces
from veridical.suites.magicbench.analysis.rows import plain, tricks
from veridical.suites.magicbench.asking.cells import EXPLAIN

ENTAILED = 0.7
"""The least CPA, of 1, of an explanation that follows from the constraints: the upper band of the rubric."""
BINS = ((0.0, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.0))
_METHOD = "of replies with a verdict"


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
    yield mean_score(piece, "confidence", "confidence", PROPORTION, f"mean; {_METHOD}")
    both = pl.concat(
        [
            piece.rows.select("unit", "family", pl.col("confidence").alias("value"), pl.lit(1).alias("stated")),
            piece.rows.select("unit", "family", pl.col("entailed").alias("value"), pl.lit(0).alias("stated")),
        ]
    )
    sides = (pl.col("stated") == 1, pl.col("stated") == 0, f"mean confidence − share entailed, {_METHOD}")
    yield difference(replace(piece, rows=doubled_rows(both)), "overconfidence", "value", sides)


def _curve(piece: Slice) -> Iterator[Estimate]:
    """`entailed` in each bin of confidence: the curve of calibration."""
    for low, high in BINS:
        above = pl.col("confidence") >= low
        below = pl.col("confidence") <= high if high == 1 else pl.col("confidence") < high
        rows = piece.rows.filter(above & below)
        where: dict[str, Json] = {**piece.where, "confidence": f"{100 * low:.0f} to {100 * high:.0f}"}
        yield replace(piece, rows=rows, where=where).rate("entailed", "entailed", f"CPA of 7 or more; {_METHOD}")
