"""`run.json`: the identity of a run, its starts, and the hash of its table of trials."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from veridical.ask.folder import write
from veridical.ask.policy import MOST_REPEATS
from veridical.base.json_files import Shape, read_json, require_format, require_shape
from veridical.base.places import RUN, require_run
from veridical.errors import InputError
from veridical.records import Json

FORMAT = 3
_Levels = dict[str, str | list[str]]


class _Identity(Shape):
    model: str
    suite: str = ""
    stage: str = ""
    role: str = ""
    set: str = ""
    limit: int | None = None
    repeats: Annotated[int, Field(ge=1, le=MOST_REPEATS)] = 1
    settings: _Levels = Field(default_factory=dict)
    trials: str = ""
    rests_on: dict[str, str] = Field(default_factory=dict)
    sees: str = ""
    people: dict[str, Any] = Field(default_factory=dict)


class _Execution(Shape):
    started: str = ""
    set: str = ""
    settings: _Levels = Field(default_factory=dict)
    prompts: str | None = None
    planned_on: str | None = None
    ended: dict[str, Any] = Field(default_factory=dict)


class _Described(Shape):
    identity: _Identity
    execution: list[_Execution]
    trials_sha256: list[str] = Field(default_factory=list)


@dataclass(frozen=True)
class Described:
    """The content of `run.json`.

    `trials_sha256` are the hashes of the file of trials: one, or two while a new table replaces the old one; none in a
    run of an early release.
    """

    identity: dict[str, Json]
    executions: tuple[dict[str, Json], ...]
    trials_sha256: tuple[str, ...] = ()


def read_described(folder: Path) -> Described:
    """The content of a folder's `run.json`; raises `InputError` if it is missing or its format is not supported."""
    require_run(folder)
    path = folder / RUN
    try:
        stored = read_json(path)
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    require_format(folder, stored, FORMAT, what="run", again="run")
    require_shape(path, stored, _Described)
    return Described(stored["identity"], tuple(stored["execution"]), tuple(stored.get("trials_sha256", ())))


def write_described(folder: Path, described: Described) -> None:
    """Writes `run.json` atomically."""
    content = {"format": FORMAT, "identity": described.identity, "execution": list(described.executions)}
    content["trials_sha256"] = list(described.trials_sha256)
    write(folder / RUN, (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode())
