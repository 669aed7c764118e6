"""Tables that a user has on disk, as rows of text: CSV, TSV, Parquet, or the first sheet of an xlsx workbook.

Cells are text and nothing else: of a formula the stored result is read, and nothing is computed.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import polars as pl

from veridical.errors import InputError, unknown

SUFFIXES = (".csv", ".parquet", ".tsv", ".xlsx")
_LARGEST_FILE = 256 * 2**20
_LARGEST_CELL = 10_000
_SHOWN = 60


class SheetRow(NamedTuple):
    """A row with the place that an error names, and its cells by column: stripped text, "" for an empty one."""

    place: str
    cells: Mapping[str, str]


def read_rows(
    path: Path, required: Sequence[str], optional: Collection[str] = (), *, others: bool = False
) -> list[SheetRow]:
    """The rows of a table, in order; a column in `optional` that is not there has empty cells.

    Columns of other names are refused, or left out with `others`. Raises `InputError` where the file cannot be read, a
    required column is missing (with the nearest one that is there), or there is no row.
    """
    frame = read_table(path)
    for name in (*required, *optional):
        if any(re.fullmatch(rf"{re.escape(name)}_duplicated_\d+", other) for other in frame.columns):
            raise InputError(f"{path}: the column '{name}' occurs more than once: once is allowed")
    for name in required:
        if name not in frame.columns:
            near = get_close_matches(name, frame.columns, n=1)
            hint = f" (is it '{near[0]}'?)" if near else ""
            raise InputError(f"{path}: the column '{name}' is missing{hint}; needed are {', '.join(required)}")
    accepted = [*required, *optional]
    if not others and (odd := [name for name in frame.columns if name not in accepted]):
        raise InputError(f"{path}: {unknown('column', odd[0], accepted)}")
    if frame.is_empty():
        raise InputError(f"{path} holds no row")
    return list(_rows(path, frame.select(name for name in accepted if name in frame.columns), accepted))


def number(row: SheetRow, column: str) -> float:
    """The number in a cell; raises `InputError` for anything else, infinity and NaN included."""
    text = row.cells[column]
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise InputError(f"{row.place}: {column} '{shown}' is no number")
    return value


def _rows(path: Path, frame: pl.DataFrame, accepted: Sequence[str]) -> Iterator[SheetRow]:
    for index, values in enumerate(frame.iter_rows(named=True), start=1):
        place = f"{path}, row {index}"
        cells = {name: (values.get(name) or "").strip() for name in accepted}
        for name, text in cells.items():
            if len(text) > _LARGEST_CELL:
                raise InputError(f"{place}: {name} has {len(text):,} characters: at most {_LARGEST_CELL:,} are read")
        yield SheetRow(place, cells)


def read_table(path: Path) -> pl.DataFrame:
    """A table with all its cells as text, unchanged; raises `InputError` for a file that is none."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path}: a table ends in {', '.join(SUFFIXES)}")
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(f"{path} is larger than {_LARGEST_FILE >> 20} MB, the most that is read")
        if suffix == ".xlsx":
            return _sheet(path)
        if suffix in (".csv", ".tsv"):
            separator = "," if suffix == ".csv" else "\t"
            return pl.read_csv(path, separator=separator, infer_schema=False, glob=False)
        return pl.read_parquet(path, glob=False).with_columns(pl.all().cast(pl.String))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(f"{path} cannot be read as a table: {str(error).splitlines()[0]}") from error


def _sheet(path: Path) -> pl.DataFrame:
    try:
        import fastexcel
    except ImportError:
        remedy = "install it with `pip install 'veridical[xlsx]'`, or save the table as CSV"
        raise InputError(f"{path}: reading xlsx needs the package fastexcel: {remedy}") from None
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > _LARGEST_FILE:
            raise InputError(f"{path} unpacks to more than {_LARGEST_FILE >> 20} MB, the most that is read")
        return pl.DataFrame(fastexcel.read_excel(path).load_sheet(0, dtypes="string").to_polars())
    except (zipfile.BadZipFile, fastexcel.FastExcelError) as error:
        raise InputError(f"{path} is no workbook that can be read: {str(error).splitlines()[0]}") from error
