"""The pictures of a record, whatever form they have: bytes, base64, a path, or the index of another record."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from veridical.errors import InputError
from veridical.media.pictures import LARGEST_FILE, too_large
from veridical.records import Json
from veridical.stimulus_set.imported import Embedded
from veridical.stimulus_set.imported.item import inside
from veridical.suites.viabench.releases.rows import BROKEN, MISSING, UnusableError
from veridical.suites.viabench.releases.tables import Record

_PATH = re.compile(r"\.(png|jpe?g|webp|gif|bmp|tiff?|avif|heic)$", re.IGNORECASE)
_SHOWN = 60


class Places(NamedTuple):
    """Where pictures are looked for: the folder of the release, and the records by their index."""

    root: Path
    by_index: Mapping[str, Record]


def pictures_of(record: Record, places: Places) -> tuple[Path | Embedded, ...]:
    """The pictures of a record, in order.

    A text that is the index of another record stands for that record's pictures. Raises `InputError` for a path
    that leaves the folder, and `UnusableError` for a picture that is missing or cannot be read.
    """
    cell = record.pictures
    parts = cell() or ()
    if len(parts) == 1 and isinstance(parts[0], str) and parts[0].strip() in places.by_index:
        cell = places.by_index[parts[0].strip()].pictures
        parts = cell() or ()
    if not parts:
        raise UnusableError(MISSING, f"{record.place}: it has no picture")
    return tuple(_one(part, partial(_part, cell, k), record, places) for k, part in enumerate(parts))


def _part(cell: Callable[[], Sequence[Json] | None], k: int) -> Json:
    return (cell() or ())[k]


def _one(value: Json, again: Callable[[], Json], record: Record, places: Places) -> Path | Embedded:
    path = _path(value)
    if path is not None:
        return _file(path, record, places)
    name = f"the picture of {record.place}"
    _content(value, name)
    return Embedded(name, lambda: _content(again(), name))


def _path(value: Json) -> str | None:
    """The path in a cell, if it is one: text that ends as files do, or a structure without bytes."""
    if isinstance(value, dict):
        return value.get("path") if not value.get("bytes") and isinstance(value.get("path"), str) else None
    return value if isinstance(value, str) and _PATH.search(value) else None


def _file(name: str, record: Record, places: Places) -> Path:
    for path in (name, f"images/{name}"):
        try:
            file = inside(places.root, path)
        except InputError as error:
            raise InputError(f"{record.place}: {error}") from None
        if file is not None:
            return file
    raise UnusableError(MISSING, f"{record.place}: there is no file '{name[:_SHOWN]}'")


def _content(value: Json, name: str) -> bytes:
    """The bytes in a cell; raises `UnusableError` where it holds none."""
    if isinstance(value, dict):
        value = value.get("bytes")
    if isinstance(value, str):
        text = "".join(value.partition("base64,")[2].split() if value.startswith("data:") else value.split())
        if len(text) > LARGEST_FILE // 3 * 4 + 4:
            raise UnusableError(BROKEN, str(too_large(name)))
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            raise UnusableError(BROKEN, f"{name} is neither base64 nor a path") from None
    if isinstance(value, bytes):
        return value
    raise UnusableError(BROKEN, f"{name} is neither bytes, nor base64, nor a path")
