"""Which model the servers say they asked, and where that changed within a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.suite.results import Cell, Result, Table

_MOST = 12
_NOTE = (
    "The name that the server gives with each reply. A row is a stretch of replies in the order in which they came; "
    "where names alternate more often than that, a row is all replies under one name."
)


def served_table(results: Sequence[Result]) -> Table | None:
    """A row per stretch of replies of one served name, for each run and stage; `None` where no server gave any."""
    rows = [row for result in results for row in _rows(result)]
    if not rows:
        return None
    columns = ("Model", "Stage", "Served as", "Replies", "First reply", "Last reply")
    return Table("served-models", "Served models", _NOTE, columns, tuple(rows))


def _rows(result: Result) -> Iterator[tuple[Cell, ...]]:
    for stage in result.evidence.stages:
        table = result.evidence.outcomes(stage).select("ended", "error", "served_model")
        replies = table.filter(pl.col("ended").is_not_null() & pl.col("error").is_null())
        if replies.is_empty() or replies["served_model"].is_null().all():
            continue
        ordered = replies.sort("ended", maintain_order=True)
        stretch = (
            pl.col("served_model").rle_id()
            if ordered["served_model"].rle_id().n_unique() <= _MOST
            else pl.col("served_model")
        )
        facts = (pl.first("served_model"), pl.len().alias("replies"), pl.first("ended"), pl.last("ended").alias("last"))
        for name, number, first, last in (
            ordered.group_by(stretch.alias("stretch"), maintain_order=True).agg(*facts).drop("stretch").iter_rows()
        ):
            yield result.model, stage, name or "not stated", number, first, last
