"""Writing to a run folder: atomic files, values without secrets, refusal of foreign folders."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from veridical.ask.redact import redactor, without_secrets
from veridical.base.files import os_errors, write_whole
from veridical.errors import InputError
from veridical.records import Json, Trial, canonical


def plain_json(values: Mapping[str, Json]) -> dict[str, Json]:
    """Values as plain JSON, without secrets."""
    cleaned: dict[str, Json] = json.loads(canonical(without_secrets(values, redactor())))
    return cleaned


def distinct_trials(trials: Iterable[Trial]) -> Iterator[Trial]:
    """The trials in order; raises `InputError` for a duplicate id, because replies could not be assigned."""
    seen: set[str] = set()
    for trial in trials:
        if trial.id in seen:
            raise InputError(f"two trials have the id '{trial.id}': each needs its own")
        seen.add(trial.id)
        yield trial


def other_run_error(folder: Path, differing: Sequence[str]) -> InputError:
    """The error for a folder that holds a run of another identity."""
    return InputError(f"{folder} holds another run ({'; '.join(differing)}): choose another folder, or match that run")


def require_new(folder: Path, half_begun: Collection[str]) -> None:
    """Raises `InputError` for a folder that holds anything but these files of a half-begun run."""
    try:
        foreign = sorted(path.name for path in folder.iterdir() if path.name not in half_begun)
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{folder} cannot be used: {error.strerror}") from error
    if foreign:
        raise InputError(f"{folder} holds something else ({foreign[0]}): choose a new or empty folder")


def write(path: Path, content: bytes) -> None:
    """Writes a file atomically; raises `InputError` if it cannot be written."""
    with os_errors(path, "written"):
        write_whole(path, content)


def append(source: Path, target: Path) -> None:
    """Moves the content of one file to the end of another; if the process is killed, it may be in both."""
    if source.exists():
        before = target.read_bytes() if target.exists() else b""
        write(target, before + source.read_bytes())
        source.unlink()
