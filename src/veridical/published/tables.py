"""The papers' tables as data, one CSV per table and one row per printed cell, and beside the runs of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import polars as pl

from veridical.errors import unknown
from veridical.records import Json
from veridical.suite.results import PublishedTable, Result, Table, find

COLUMNS = ("paper", "table", "group", "row", "column", "value", "unit", "place")
"""Columns of every table, all text; `value` keeps the printed digits and is empty for an empty cell."""

UNITS = ("percent", "points", "proportion", "ratio", "score", "rank", "count", "level", "text")

KEY = ("paper", "table", "group", "row", "column")

_SUFFIX = {"percent": " %", "points": " pts"}

Find = tuple[str, Mapping[str, Json]]
"""An estimate by its metric and slice."""


@cache
def papers() -> tuple[str, ...]:
    """The papers that have tables here, in alphabetical order."""
    return tuple(sorted(entry.name for entry in _DATA.iterdir() if entry.is_dir()))


@cache
def names(paper: str) -> tuple[str, ...]:
    """The tables of a paper, in alphabetical order. Raises `InputError` for an unknown paper."""
    if paper not in papers():
        raise unknown("paper", paper, papers())
    entries = (entry.name for entry in (_DATA / paper).iterdir())
    return tuple(sorted(name.removesuffix(".csv") for name in entries if name.endswith(".csv")))


@cache
def table(paper: str, name: str) -> pl.DataFrame:
    """One row per printed cell of a table, with `COLUMNS`, all text. Raises `InputError` for an unknown name.

    >>> table("viprobe", "8").filter(row="gpt-4o", column="R")["value"].item()
    '1.04'
    """
    if name not in names(paper):
        raise unknown(f"table of {paper}", name, names(paper))
    data = (_DATA / paper / f"{name}.csv").read_bytes()
    return pl.read_csv(data, infer_schema=False).fill_null("")


_DATA = files("veridical.published") / "data"


@dataclass(frozen=True, kw_only=True)
class PublishedLayout:
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


def add_run_rows(shown: PublishedLayout, runs: Iterable[tuple[str, Result]]) -> PublishedTable:
    """A published table with the rows of the named runs above its own."""
    rows = tuple((name, *(find(r, *place) for _, place in shown.columns.values())) for name, r in runs)
    table = Table(f"published-{shown.table}", shown.title, shown.note, ("Model", *shown.columns), rows)
    return PublishedTable(table, shown.source, tuple(_published(shown)))


def _published(shown: PublishedLayout) -> Iterable[tuple[str, ...]]:
    frame = table(shown.paper, shown.table)
    if shown.group is not None:
        frame = frame.filter(pl.col("group") == shown.group)
    for (label,), cells in frame.group_by("row", maintain_order=True):
        printed = {column: (value, unit) for column, value, unit in cells.select("column", "value", "unit").iter_rows()}
        if any(column in printed for column, _ in shown.columns.values()):
            yield str(label), *(_cell(*printed.get(column, ("", ""))) for column, _ in shown.columns.values())


def _cell(value: str, unit: str) -> str:
    return value.replace("-", "−") + _SUFFIX.get(unit, "") if value else "–"
