"""A stored profile: what `profile.json` holds, read back and checked, also where another version wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from veridical.base.files import os_errors
from veridical.errors import InputError
from veridical.records import Json
from veridical.suite.evaluation import Ability

FILE = "profile.json"
FORMAT = 1
_LARGEST = 50_000_000


class _Stored(BaseModel):
    """A part of the file; what another version adds is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class StoredQuestion(_Stored):
    """A question of a model: its effect in points, its chance, its units and its verdict."""

    suite: str
    question: str
    ability: Ability
    words: str
    effect: str
    value: float | None
    low: float | None
    high: float | None
    chance: float | None
    n: int
    verdict: str
    decided: Literal["for", "against", "open", "not asked"]
    means: str = ""
    short: str = ""


class StoredRun(_Stored):
    """A run that a profile rests on: its folder's name, the hash of its set, and those of its files of replies.

    `responses` has the sha256 of each `responses.jsonl`, by its path in the run; `date` is that of its latest start.
    """

    suite: str
    run: str
    set: str
    responses: dict[str, str]
    date: str = ""


class StoredModel(_Stored):
    """A model of a profile: what it is, what was found, and the runs that this rests on."""

    model: str
    about: dict[str, Json] = {}
    found: str = ""
    sure: str = ""
    questions: list[StoredQuestion]
    problems: list[str] = []
    runs: list[StoredRun] = []


class StoredProfile(_Stored):
    """What `profile.json` holds; `reports` are the paths of the suites' reports, and `page` the name of the page."""

    format: int = Field(FORMAT, ge=FORMAT, le=FORMAT)
    version: str
    sets: dict[str, dict[str, Json]] = {}
    models: list[StoredModel] = Field(min_length=1)
    differences: list[dict[str, Json]] = []
    reports: dict[str, str] = {}
    page: str = "index.html"


def read_profile(folder: Path) -> StoredProfile:
    """The profile in a folder; raises `InputError`, in one line, where there is none that can be read."""
    path = folder / FILE
    if not path.exists():
        raise InputError(f"{folder} holds no {FILE}: `veridical evaluate` and `veridical profile --out` write one")
    with os_errors(path, "read"):
        if path.stat().st_size > _LARGEST:
            raise InputError(f"{path} is larger than {_LARGEST:,} bytes: no profile is")
        content = path.read_bytes()
    try:
        return StoredProfile.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(
            f"{path}: {where + ': ' if where else ''}{first['msg'][:1].lower()}{first['msg'][1:]}"
        ) from None
