"""The tables of a release as records: TSV or CSV, JSON Lines, and Parquet, with one record per item."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import NamedTuple

import polars as pl

from veridical.errors import InputError
from veridical.records import Json

FORMS = {".tsv": "TSV", ".csv": "TSV", ".jsonl": "JSON Lines", ".parquet": "Parquet"}
LARGEST = 4 * 2**30
"""The maximum number of bytes of a release's table, whose pictures may stand inside."""
COLUMNS: dict[str, tuple[str, ...]] = {
    "index": ("index", "id", "question_id"),
    "question": ("question",),
    "answer": ("answer",),
    "category": ("category",),
    "capability": ("capability", "ability"),
    "options": ("options", "choices"),
    "picture": ("image", "images", "picture"),
    "path": ("image_path", "image_paths", "file_name"),
    "source": ("source", "url"),
    "license": ("license",),
    "attribution": ("attribution",),
}
"""What a record has, with the names that tables use for it."""
_PICTURES = ("picture", "path")


class Record(NamedTuple):
    """An item as it stands in a table: its place for messages, its cells, and its pictures when they are needed.

    `pictures` gives a list of bytes, text, or structures with `bytes` or `path`, `None` where there is none. Cells have
    the names of `COLUMNS`, and options in columns of their own the letters A to Z. `indexed` says whether the table has
    a column for the index.
    """

    place: str
    cells: Mapping[str, Json]
    pictures: Callable[[], Sequence[Json] | None]
    indexed: bool


def records(path: Path) -> Iterator[Record]:
    """The records of a table, in order.

    Raises `InputError` where it cannot be read as its form, lacks a column, or holds no record.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST >> 30} GB, the most that is read of a table")
        read = _lines if path.suffix.lower() == ".jsonl" else _frame
        records = list(read(path))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    if not records:
        raise InputError(f"{path} holds no item")
    yield from records


def _frame(path: Path) -> Iterator[Record]:
    try:
        if path.suffix.lower() == ".parquet":
            frame = pl.read_parquet(path, glob=False, hive_partitioning=False)
        else:
            separator = "\t" if path.suffix.lower() == ".tsv" else ","
            frame = pl.read_csv(path, separator=separator, infer_schema=False, glob=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(f"{path} cannot be read as a table: {' '.join(str(error).split())[:200]}") from error
    twice = [name for name in frame.columns if re.search(r"_duplicated_\d+$", name)]
    if twice:
        raise InputError(f"{path}: the column '{twice[0].rpartition('_duplicated_')[0]}' occurs more than once")
    names = _names(path, frame.columns)
    pictures = {kind: names[kind] for kind in _PICTURES if kind in names}
    texts = frame.select(own for kind, own in names.items() if kind not in _PICTURES)
    kinds = [kind for kind in names if kind not in _PICTURES]
    for number, values in enumerate(texts.iter_rows()):
        cells = dict(zip(kinds, values, strict=True))
        yield Record(f"{path.name}, row {number + 1}", cells, _cell(frame, pictures, number), "index" in names)


def _cell(frame: pl.DataFrame, columns: Mapping[str, str], row: int) -> Callable[[], Sequence[Json] | None]:
    """The picture of a row, read anew each time: bytes stay in the table."""

    def read() -> Sequence[Json] | None:
        cells = {kind: frame.item(row, name) for kind, name in columns.items()}
        return _picture({kind: cell.to_list() if isinstance(cell, pl.Series) else cell for kind, cell in cells.items()})

    return read


def _picture(cells: Mapping[str, Json]) -> list[Json] | None:
    """The first cell that is not empty; text in a column of paths is a path whatever it looks like."""
    for kind, value in cells.items():
        parts = [part for part in (value if isinstance(value, list) else [value]) if not _is_empty(part)]
        if parts:
            return [{"path": part} if kind == "path" and isinstance(part, str) else part for part in parts]
    return None


def _lines(path: Path) -> Iterator[Record]:
    rows: list[tuple[int, dict[str, Json]]] = []
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}, line {number}: no JSON that can be read") from error
            if not isinstance(row, dict):
                raise InputError(f'{path}, line {number}: an object is needed, as in {{"index": 1, …}}')
            rows.append((number, row))
    if not rows:
        return
    names = _names(path, list(dict.fromkeys(name for _, row in rows for name in row)))
    for number, row in rows:
        cells = {kind: row.get(own) for kind, own in names.items() if kind not in _PICTURES}
        picture = _picture({kind: row.get(names[kind]) for kind in _PICTURES if kind in names})
        yield Record(f"{path.name}, line {number}", cells, partial(_same, picture), "index" in names)


def _same(pictures: Sequence[Json] | None) -> Sequence[Json] | None:
    return pictures


def _names(path: Path, columns: Sequence[str]) -> dict[str, str]:
    """What a record has, with the column that a table has for it; raises `InputError` for a lacking column."""
    lowered: dict[str, str] = {}
    for name in columns:
        lowered.setdefault(name.strip().casefold(), name)
    names = {kind: next((lowered[each] for each in own if each in lowered), "") for kind, own in COLUMNS.items()}
    letters = {name.strip(): name for name in columns if name.strip() in set(ascii_uppercase)}
    lacking = [kind for kind in ("question", "answer", "category") if not names[kind]]
    lacking += [] if names["options"] or {"A", "B"} <= set(letters) else ["A"]
    lacking += [] if names["picture"] or names["path"] else ["image"]
    if lacking:
        near = get_close_matches(lacking[0], columns, n=1)
        hint = f" (is it '{near[0]}'?)" if near else ""
        needed = "question, answer, category, A, B, … or options, and image or image_path"
        raise InputError(f"{path}: the column '{lacking[0]}' is missing{hint}; needed are {needed}")
    return {**{kind: own for kind, own in names.items() if own}, **letters}


def _is_empty(value: Json) -> bool:
    if isinstance(value, dict):
        return not any(value.values())
    return value is None or (isinstance(value, str | bytes) and not value.strip())
