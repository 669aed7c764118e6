"""How alike the repeats of a trial are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from veridical.records import PROPORTION, Counts, Estimate
from veridical.suite.rates import RATE_METHOD, Slice, clustered, mean_rate
from veridical.suites.viabench.analysis.replies import NAME, pieces, sent

_METHOD = "pairs of repeats that choose one option, of all pairs of a trial, averaged over trials"


def repeated(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`consistency`, over all trials and by category, and accuracy per repeat.

    Nothing where trials are asked once; a trial of which one repeat was asked so far does not count for it.
    """
    if rows["repeat"].n_unique() < 2:
        return
    by_repeat: tuple[tuple[str, ...], ...] = (("repeat",), ("repeat", "category"))
    for keys in by_repeat:
        for piece in pieces(rows, rows, keys, {}, note):
            yield piece.rate("accuracy", "right", "of all, not answered is wrong")
    again = sent(rows).filter(pl.len().over("trial") > 1)
    trials = again.group_by("trial", "unit", "family", "category", maintain_order=True).agg(
        _agreeing().alias("consistency")
    )
    if trials.is_empty():
        return
    levels: tuple[tuple[str, ...], ...] = ((), ("category",))
    for keys in levels:
        for key, within in trials.group_by(keys, maintain_order=True) if keys else [((), trials)]:
            where = dict(zip(keys, key, strict=True))
            same = rows.filter(pl.col("category") == key[0]) if keys else rows
            piece = Slice(NAME, where, same, Counts.of(same), note)
            data = clustered(within, ("consistency",), np.zeros(len(within), np.int64), 1)
            value, bounds = mean_rate(data, 0, (1.0,))
            yield piece.estimate("consistency", PROPORTION, f"{_METHOD}; {RATE_METHOD}", value, bounds)


def _agreeing() -> pl.Expr:
    """Pairs of repeats that choose the same option, of all pairs."""
    options = pl.col("option").drop_nulls()
    # The counts come in any order, another each time, so they are used once.
    squares = options.value_counts().struct.field("count").cast(pl.Float64).pow(2).sum()
    return (squares - options.len()) / (pl.len() * (pl.len() - 1))
