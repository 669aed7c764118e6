"""Files of JSON lines, written whole, one or several, and trials in them, for a runner of one's own."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

import polars as pl

from veridical.ask.clients import Schema, free_form
from veridical.ask.folder import distinct_trials
from veridical.base.files import flush_to_disk, locked_temporary
from veridical.errors import InputError
from veridical.records import Json, Text, Trial
from veridical.verbs.exchange.media_copies import MediaCopies


@dataclass(frozen=True)
class FileLimit:
    """The most that one file may hold."""

    bytes: int
    lines: int


@dataclass(frozen=True, repr=False)
class LineFiles:
    """How many lines, or items of another form, were written, the files that hold them, and what is to be said."""

    lines: int
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()

    def frame(self) -> pl.DataFrame:
        """The files with their sizes in bytes, one row each."""
        rows = [(str(file), file.stat().st_size) for file in self.files]
        return pl.DataFrame(rows, schema={"file": pl.String, "bytes": pl.Int64}, orient="row")

    def __repr__(self) -> str:
        where = str(self.files[0]) if len(self.files) == 1 else f"{len(self.files):,} files"
        return f"<Written: {self.lines:,} items in {where}>"


def write_lines(path: Path, values: Iterable[Json], most: FileLimit | None = None) -> LineFiles:
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
        with locked_temporary(path) as first:
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
    return LineFiles(count, tuple(targets))


def _write(path: Path, first: Path, values: Iterable[Json], most: FileLimit | None, further: list[Path]) -> int:
    """The number of lines, after they were written to `first` and to `further` places, which are added to the list."""
    with ExitStack() as stack:

        def opened(place: Path) -> IO[bytes]:
            stack.close()
            stack.callback(flush_to_disk, place)
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


def write_trials(
    path: Path,
    trials: Iterable[Trial],
    read: Callable[[str], bytes],
    *,
    opaque: Callable[[str], str],
    gold: bool = False,
    schema: Schema = free_form,
) -> int:
    """The number of trials written to a file of JSON lines, one trial each, in order.

    A line has `id`, `suite`, `stage`, `settings`, and `messages`: `role` and `parts` in the order in which they are to
    be sent, a part being a `text`, or a `media` with its `kind` (image or video) and the `sha256` of its decoded
    pixels. A `media` is the path, relative to the folder that the written file lies in, of a copy of what `read`
    gives (see `MediaCopies`). Ids and names of copies are what `opaque` makes of a trial's id and a medium's path. A
    trial whose reply is to be held to a JSON schema has it as `schema`. The true answer is left out,
    since the file is meant to be sent around; `gold` adds it. What a reader expects is left out in any case.
    The file appears when it is whole. Raises `InputError` where it cannot be written, for a medium outside of the set,
    and for two trials of one id.
    """
    with MediaCopies(path, read, opaque) as copies:
        lines = (_line(trial, opaque(trial.id), copies, schema(trial), gold=gold) for trial in distinct_trials(trials))
        return write_lines(path, lines).lines


def place_of(file: str, folder: Path) -> Path:
    """Where a medium of a stimulus set lies; raises `InputError` for a path that leaves the set.

    >>> place_of("media/a.png", Path("set")).as_posix()
    'set/media/a.png'
    """
    inside = PurePosixPath(file)
    place = folder / inside  # on Windows the path of a drive is a place outside
    if "\\" in file or inside.is_absolute() or ".." in inside.parts or not place.is_relative_to(folder):
        raise InputError(f"'{file}' is no path inside {folder}")
    return place


def _line(
    trial: Trial, name: str, copies: MediaCopies, schema: Mapping[str, Json] | None, *, gold: bool
) -> dict[str, Json]:
    messages = [
        {
            "role": message.role,
            "parts": [
                {"text": part.text}
                if isinstance(part, Text)
                else {"media": copies.place(part.file), "kind": part.kind, "sha256": part.sha256}
                for part in message.parts
            ],
        }
        for message in trial.messages
    ]
    line: dict[str, Json] = {"id": name, "suite": trial.suite, "stage": trial.stage}
    line |= {"settings": dict(trial.settings), "messages": messages}
    line |= {} if schema is None else {"schema": dict(schema)}
    return line | {"gold": trial.gold} if gold else line
