"""The suite's tables as CSV and its figures as SVG files, with the models that servers say they asked."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from functools import cached_property
from pathlib import Path

import polars as pl

from veridical.base.files import check_stems, write_whole
from veridical.errors import InputError
from veridical.records import Counts, Estimate
from veridical.suite.record import Suite
from veridical.suite.results import Cell, Figure, Result, Table

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_PARTS = ("", " low", " high", " reason")
_COUNTS = tuple(field.name for field in fields(Counts))

_MOST = 12
_NOTE = (
    "The name that the server gives with each reply. A row is a stretch of replies in the order in which they came; "
    "where names alternate more often than that, a row is all replies under one name."
)


@dataclass(frozen=True)
class Exhibits:
    """The tables and figures of some results, each made once: a report shows what its folder has as files."""

    suite: Suite
    results: Sequence[Result]

    @cached_property
    def tables(self) -> list[Table]:
        """As `tables_of` makes them."""
        return tables_of(self.suite, self.results)

    @cached_property
    def figures(self) -> Sequence[Figure]:
        """The suite's figures; raises `InputError` for a name that cannot be a file's."""
        figures = self.suite.presentation.figures(self.results)
        check_stems("figure", [figure.name for figure in figures])
        return figures


def tables_of(suite: Suite, results: Sequence[Result]) -> list[Table]:
    """The suite's tables of these results, and the models that were served, where servers name them.

    Raises `InputError` where a row does not have a cell for each column.
    """
    served = served_table(results)
    own = [*suite.presentation.tables(results), *([served] if served else [])]
    tables = [grouped_table(table, results) for table in own]
    check_stems("table", [table.name for table in tables])
    for table in tables:
        for number, row in enumerate(table.rows, 1):
            if len(row) != len(table.columns):
                raise InputError(
                    f"table '{table.name}': row {number} has {len(row)} cells for {len(table.columns)} columns"
                )
    return tables


def grouped_table(table: Table, results: Sequence[Result]) -> Table:
    """A table by model with a column for the models' groups and the rows in order of them, where any has a group.

    Groups come in the order of the results; models without one come last. Within a group rows keep their order.
    """
    groups = {result.model: result.about.group if result.about else None for result in results}
    names = list(dict.fromkeys(name for name in groups.values() if name is not None))
    if not names or not table.columns or table.columns[0] != "Model":
        return table
    place = {name: index for index, name in enumerate(names)}
    rows = sorted(table.rows, key=lambda row: place.get(groups.get(str(row[0])) or "", len(names)))
    with_groups = tuple((row[0], groups.get(str(row[0])), *row[1:]) for row in rows)
    return replace(table, columns=(table.columns[0], "Group", *table.columns[1:]), rows=with_groups)


def write_tables(exhibits: Exhibits, folder: Path) -> list[Path]:
    """The paths of the suite's tables, written as `<name>.csv` (UTF-8, comma, header line).

    A column that holds estimates becomes four: `X`, `X low`, `X high` and `X reason`, in the estimate's own unit and
    full precision; one that holds counts becomes one for each count. Text that a spreadsheet would take for a formula
    gets an apostrophe in front; numbers stay numbers.
    """
    return [write_whole(folder / f"{table.name}.csv", _csv(table)) for table in exhibits.tables]


def write_figures(exhibits: Exhibits, folder: Path) -> list[Path]:
    """The paths of the suite's figures, written as `<name>.svg`, each as the suite drew it."""
    return [write_whole(folder / f"{figure.name}.svg", figure.svg.encode()) for figure in exhibits.figures]


def _csv(table: Table) -> bytes:
    parts = [_parts([row[i] for row in table.rows], name) for i, name in enumerate(table.columns)]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([inert(name) for names in parts for name in names])
    for row in table.rows:
        writer.writerow([value for cell, names in zip(row, parts, strict=True) for value in _values(cell, len(names))])
    return text.getvalue().encode(errors="backslashreplace")


def _parts(cells: Sequence[Cell], name: str) -> list[str]:
    """The names of the columns that a column of cells becomes."""
    if any(isinstance(cell, Estimate) for cell in cells):
        return [name + part for part in _PARTS]
    return list(_COUNTS) if any(isinstance(cell, Counts) for cell in cells) else [name]


def _values(cell: Cell, width: int) -> list[str | int | float | None]:
    if isinstance(cell, Counts):
        return list(astuple(cell))
    if isinstance(cell, Estimate):
        return [cell.value, cell.low, cell.high, None if cell.reason is None else inert(cell.reason)]
    return [inert(cell) if isinstance(cell, str) else cell, *[None] * (width - 1)]


def inert(text: str) -> str:
    """A text that no spreadsheet takes for a formula: one that begins like a formula gets an apostrophe in front.

    >>> inert("=1+1"), inert("PFA")
    ("'=1+1", 'PFA')
    """
    return "'" + text if text.startswith(_FORMULA) else text


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
