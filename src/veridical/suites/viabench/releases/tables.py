"""The tables of a release as records: TSV or CSV, JSON Lines, and Parquet, with one record per item."""

from __future__ import annotations

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
from veridical.suite.releases import frame_in, json_lines

FORMS = {".tsv": "TSV", ".csv": "TSV", ".jsonl": "JSON Lines", ".parquet": "Parquet"}
_LARGEST = 4 * 2**30
_COLUMNS: dict[str, tuple[str, ...]] = {
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
_PICTURES = ("picture", "path")


class ItemRecord(NamedTuple):
    """An item as it stands in a table: its place for messages, its cells, and its pictures when they are needed.

    `pictures` gives a list of bytes, text, or structures with `bytes` or `path`, `None` where there is none. Cells have
    names of ours, and options in columns of their own the letters A to Z.
    """

    place: str
    cells: Mapping[str, Json]
    pictures: Callable[[], Sequence[Json] | None]


def records(path: Path) -> Iterator[ItemRecord]:
    """The records of a table, in order.

    Raises `InputError` where it cannot be read as its form, lacks a column, or holds no record.
    """
    records = list(_of_lines(path) if path.suffix.lower() == ".jsonl" else _of_frame(path))
    if not records:
        raise InputError(f"{path} holds no item")
    yield from records


def _of_frame(path: Path) -> Iterator[ItemRecord]:
    frame = frame_in(path, _LARGEST)
    twice = [name for name in frame.columns if re.search(r"_duplicated_\d+$", name)]
    if twice:
        raise InputError(f"{path}: the column '{twice[0].rpartition('_duplicated_')[0]}' occurs more than once")
    names, pictures = _names(path, frame.columns)
    for number, values in enumerate(frame.select(names.values()).iter_rows()):
        cells = dict(zip(names, values, strict=True))
        yield ItemRecord(f"{path.name}, row {number + 1}", cells, _cell(frame, pictures, number))


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


def _of_lines(path: Path) -> Iterator[ItemRecord]:
    rows = list(json_lines(path, _LARGEST))
    names, pictures = _names(path, list(dict.fromkeys(name for _, row in rows for name in row))) if rows else ({}, {})
    for place, row in rows:
        picture = partial(_picture, {kind: row.get(own) for kind, own in pictures.items()})
        yield ItemRecord(place, {kind: row.get(own) for kind, own in names.items()}, picture)


def _names(path: Path, columns: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """What a record has, with the column that a table has for it, and the same of its pictures.

    Raises `InputError` for a lacking column.
    """
    lowered: dict[str, str] = {}
    for name in columns:
        lowered.setdefault(name.strip().casefold(), name)
    names = {kind: next((lowered[each] for each in own if each in lowered), "") for kind, own in _COLUMNS.items()}
    letters = {name.strip(): name for name in columns if name.strip() in set(ascii_uppercase)}
    lacking = [kind for kind in ("question", "answer", "category") if not names[kind]]
    lacking += [] if names["options"] or {"A", "B"} <= set(letters) else ["A"]
    lacking += [] if names["picture"] or names["path"] else ["image"]
    if lacking:
        near = get_close_matches(lacking[0], columns, n=1)
        hint = f" (is it '{near[0]}'?)" if near else ""
        needed = "question, answer, category, A, B, … or options, and image or image_path"
        raise InputError(f"{path}: the column '{lacking[0]}' is missing{hint}; needed are {needed}")
    pictures = {kind: own for kind in _PICTURES if (own := names.pop(kind))}
    return {**{kind: own for kind, own in names.items() if own}, **letters}, pictures


def _is_empty(value: Json) -> bool:
    if isinstance(value, dict):
        return not any(value.values())
    return value is None or (isinstance(value, str | bytes) and not value.strip())
