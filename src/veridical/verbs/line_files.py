"""Files of JSON lines, written whole: one, or, where that would be too large for who takes it, several."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import polars as pl

from veridical.base.files import alone, synced
from veridical.errors import InputError
from veridical.records import Json


@dataclass(frozen=True)
class Most:
    """The most that one file may hold."""

    bytes: int
    lines: int


@dataclass(frozen=True, repr=False)
class Written:
    """How many lines were written, and the files that hold them, in order."""

    lines: int
    files: tuple[Path, ...]

    def frame(self) -> pl.DataFrame:
        """The files with their sizes in bytes, one row each."""
        rows = [(str(file), file.stat().st_size) for file in self.files]
        return pl.DataFrame(rows, schema={"file": pl.String, "bytes": pl.Int64}, orient="row")

    def __repr__(self) -> str:
        where = str(self.files[0]) if len(self.files) == 1 else f"{len(self.files):,} files"
        return f"<Written: {self.lines:,} lines in {where}>"


def write_lines(path: Path, values: Iterable[Json], most: Most | None = None) -> Written:
    """What was written: values as JSON lines, in the file `path`.

    What is more than the `most` that a file may hold goes on in further files, and all are named after their place:
    `NAME.part-1-of-3.jsonl`. They take their places when all are whole, and then neither `path` nor a part of another
    split that stood there is left. Raises `InputError` where they cannot be written, and for a value that is too large
    for a file of its own.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"{path} cannot be written: it is there and is no file")
    further: list[Path] = []
    try:
        with alone(path) as first:
            count = _write(path, first, values, most, further)
            places = [first, *further]
            targets = [_part(path, k, len(places)) for k in range(1, len(places) + 1)] if further else [path]
            for left in {path, *_parts(path)} - set(targets):
                left.unlink(missing_ok=True)
            for place, target in zip(places, targets, strict=True):
                place.replace(target)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        for place in further:
            place.unlink(missing_ok=True)
    return Written(count, tuple(targets))


def _write(path: Path, first: Path, values: Iterable[Json], most: Most | None, further: list[Path]) -> int:
    """The number of lines, after they were written to `first` and to `further` places, which are added to the list."""
    with ExitStack() as stack:

        def opened(place: Path) -> IO[bytes]:
            stack.close()
            stack.callback(synced, place)
            return stack.enter_context(place.open("wb"))

        file, count, size, held = opened(first), 0, 0, 0
        for value in values:
            # In ASCII: some runners take a line separator of Unicode inside a text for the end of the line.
            line = json.dumps(value, allow_nan=False).encode() + b"\n"
            if most is not None and len(line) > most.bytes:
                name = value.get("custom_id") if isinstance(value, dict) else count + 1
                raise InputError(f"request '{name}' has {len(line):,} bytes: a file may have {most.bytes:,}")
            if most is not None and (size + len(line) > most.bytes or held == most.lines):
                further.append(path.with_name(f".{path.name}.{len(further) + 2}.tmp"))
                file, size, held = opened(further[-1]), 0, 0
            file.write(line)
            count, size, held = count + 1, size + len(line), held + 1
    return count


def _part(path: Path, number: int, parts: int) -> Path:
    return path.with_name(f"{path.stem}.part-{number:0{len(str(parts))}}-of-{parts}{path.suffix}")


def _parts(path: Path) -> Iterator[Path]:
    """The files beside `path` that are named as its parts."""
    named = re.compile(rf"{re.escape(path.stem)}\.part-\d+-of-\d+{re.escape(path.suffix)}")
    yield from (Path(each) for each in os.scandir(path.parent) if named.fullmatch(each.name) and each.is_file())
