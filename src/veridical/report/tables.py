"""The suite's tables as CSV and its figures as SVG files, for other programs to read."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from veridical.errors import InputError
from veridical.records import Estimate
from veridical.report.files import check_stems, write_whole
from veridical.suites import Cell, Result, Suite, Table

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_PARTS = ("", " low", " high", " reason")


def tables_of(suite: Suite, results: Sequence[Result]) -> list[Table]:
    """The suite's tables of these results; raises `InputError` where a row does not have a cell for each column."""
    tables = suite.tables(results)
    check_stems("table", [table.name for table in tables])
    for table in tables:
        for number, row in enumerate(table.rows, 1):
            if len(row) != len(table.columns):
                raise InputError(
                    f"table '{table.name}': row {number} has {len(row)} cells for {len(table.columns)} columns"
                )
    return tables


def write_tables(suite: Suite, results: Sequence[Result], folder: Path) -> list[Path]:
    """The paths of the suite's tables, written as `<name>.csv` (UTF-8, comma, header line).

    A column that holds estimates becomes four: `X`, `X low`, `X high` and `X reason`, in the estimate's own unit and
    full precision. Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers.
    """
    return [write_whole(folder / f"{table.name}.csv", _csv(table)) for table in tables_of(suite, results)]


def write_figures(suite: Suite, results: Sequence[Result], folder: Path) -> list[Path]:
    """The paths of the suite's figures, written as `<name>.svg`, each as the suite drew it."""
    figures = suite.figures(results)
    check_stems("figure", [figure.name for figure in figures])
    return [write_whole(folder / f"{figure.name}.svg", figure.svg.encode()) for figure in figures]


def _csv(table: Table) -> bytes:
    spread = [any(isinstance(row[i], Estimate) for row in table.rows) for i in range(len(table.columns))]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    names = zip(table.columns, spread, strict=True)
    writer.writerow([_inert(name) + part for name, wide in names for part in (_PARTS if wide else _PARTS[:1])])
    for row in table.rows:
        writer.writerow([value for cell, wide in zip(row, spread, strict=True) for value in _values(cell, wide)])
    return text.getvalue().encode(errors="backslashreplace")


def _values(cell: Cell, wide: bool) -> list[str | int | float | None]:
    if isinstance(cell, Estimate):
        reason = None if cell.reason is None else _inert(cell.reason)
        return [cell.value, cell.low, cell.high, reason]
    value = _inert(cell) if isinstance(cell, str) else cell
    return [value, None, None, None] if wide else [value]


def _inert(text: str) -> str:
    return "'" + text if text.startswith(_FORMULA) else text
