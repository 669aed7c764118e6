"""Trials as JSON lines: what is to be put to a model, for a runner of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath

from veridical.ask.clients.base import Schema, free
from veridical.ask.folder import distinct
from veridical.base.places import path_from
from veridical.errors import InputError
from veridical.records import Json, Media, Text, Trial
from veridical.verbs.line_files import write_lines


def write_trials(
    path: Path, trials: Iterable[Trial], home: Callable[[str], Path], *, gold: bool = False, schema: Schema = free
) -> int:
    """The number of trials written to a file of JSON lines, one trial each, in order.

    A line has `id`, `suite`, `stage`, `settings`, and `messages`: `role` and `parts` in the order in which they are to
    be sent, a part being a `text`, or a `media` with its `kind` (image or video) and the `sha256` of its decoded
    pixels. A `media` is a path relative to the folder that the written file lies in; `home` gives the folder that a
    medium's own path is in. A trial whose reply is to be held to a JSON schema has it as `schema`. The true answer is
    left out, since the file is meant to be sent around; `gold` adds it. What a reader expects is left out in any case.
    The file appears when it is whole. Raises `InputError` where it cannot be written, for a medium outside of the set,
    and for two trials of one id.
    """
    # Through links a relative path leads elsewhere than it reads.
    start = path.parent.resolve()
    return write_lines(path, (_line(trial, home, start, gold, schema(trial)) for trial in distinct(trials))).lines


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
    trial: Trial, home: Callable[[str], Path], start: Path, gold: bool, schema: Mapping[str, Json] | None
) -> dict[str, Json]:
    messages = [
        {"role": message.role, "parts": [_part(part, home, start) for part in message.parts]}
        for message in trial.messages
    ]
    line: dict[str, Json] = {"id": trial.id, "suite": trial.suite, "stage": trial.stage}
    line |= {"settings": dict(trial.settings), "messages": messages}
    line |= {} if schema is None else {"schema": dict(schema)}
    return line | {"gold": trial.gold} if gold else line


def _part(part: Text | Media, home: Callable[[str], Path], start: Path) -> dict[str, Json]:
    if isinstance(part, Text):
        return {"text": part.text}
    place = path_from(start, place_of(part.file, home(part.file).resolve()))
    return {"media": place, "kind": part.kind, "sha256": part.sha256}
