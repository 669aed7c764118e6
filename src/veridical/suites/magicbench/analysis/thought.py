"""Image-of-thought, read back: the inventory of frames, the claims that are compared, and those that are denied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import PROPORTION, Estimate
from veridical.suite.means import mean_score
from veridical.suites.magicbench.analysis.rows import NOTHING_CLAIMED, pieces, plain
from veridical.suites.magicbench.asking.cells import EXPLAIN, THOUGHT


def thoughts(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`inventory`, `compares claims` and `denies claims` by type and by what is claimed; nothing without the stance."""
    chosen, note = plain(rows, EXPLAIN)
    own = chosen.filter(pl.col("stance") == THOUGHT)
    if own.is_empty():
        return
    compares = (pl.col("claims_compared") > 0).cast(pl.Float64).alias("compares")
    denies = (pl.col("claims_denied") > 0).cast(pl.Float64).alias("denies")
    read = own.with_columns(compares, denies)
    for keys in ((), ("type",)):
        for piece in pieces(read, keys, {}, note):
            valued = replace(piece, rows=piece.rows.drop_nulls("inventory"))
            yield mean_score(valued, "inventory", "inventory", PROPORTION, "share of frames with an entry; of answered")
    for piece in pieces(read, ("variant", "claimed"), {}, note):
        valued = replace(piece, rows=piece.rows.drop_nulls("compares"))
        words = "of answered" if piece.where["claimed"] != NOTHING_CLAIMED else "of answered, where nothing is claimed"
        yield valued.rate("compares claims", "compares", words)
        yield valued.rate("denies claims", "denies", words)
