"""Published tables beside the runs of a report: which cells are shown, and which estimates stand in their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from veridical.records import Json
from veridical.suite.find import find
from veridical.suite.results import PublishedTable, Result, Table

_SUFFIX = {"percent": " %", "points": " pts"}

Find = tuple[str, Mapping[str, Json]]
"""An estimate by its metric and slice."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A published table as a report shows it: which cells, and which estimates of a run stand in the same column.

    `columns` gives, for each heading, the table's own column and the metric and slice of the estimate. `group` leaves
    out the rows of other groups.
    """

    title: str
    note: str
    source: str
    paper: str
    table: str
    group: str | None
    columns: Mapping[str, tuple[str, Find]]


def beside_runs(shown: Shown, runs: Iterable[tuple[str, Result]]) -> PublishedTable:
    """A published table with the rows of the named runs above its own."""
    rows = tuple((name, *(find(r, *place) for _, place in shown.columns.values())) for name, r in runs)
    table = Table(f"published-{shown.table}", shown.title, shown.note, ("Model", *shown.columns), rows)
    return PublishedTable(table, shown.source, tuple(_published(shown)))


def _published(shown: Shown) -> Iterable[tuple[str, ...]]:
    from veridical.published import table

    frame = table(shown.paper, shown.table)
    if shown.group is not None:
        frame = frame.filter(pl.col("group") == shown.group)
    for (label,), cells in frame.group_by("row", maintain_order=True):
        printed = {column: (value, unit) for column, value, unit in cells.select("column", "value", "unit").iter_rows()}
        if any(column in printed for column, _ in shown.columns.values()):
            yield str(label), *(_cell(*printed.get(column, ("", ""))) for column, _ in shown.columns.values())


def _cell(value: str, unit: str) -> str:
    return value.replace("-", "−") + _SUFFIX.get(unit, "") if value else "–"
