"""What a user states about models, from a file of theirs; nothing is guessed from a model's name."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from veridical.errors import InputError, unknown
from veridical.records import Json
from veridical.suite.results import About
from veridical.verbs.models_file import FACTS, KEYS, PLACE, read_tables

_LONGEST_TEXT = 80
_TEXTS = ("group", "family", "generation")


@dataclass(frozen=True)
class Roster:
    """What is stated of models, by the name under which they are asked, and the file that it came from."""

    path: Path
    models: Mapping[str, About]

    def of(self, model: str) -> About | None:
        """What is stated of a model, or `None`."""
        return self.models.get(model)

    def require_any(self, models: Iterable[str]) -> None:
        """Raises `InputError`, with the nearest name, where none of the models is in the file."""
        names = list(models)
        if not any(model in self.models for model in names):
            raise InputError(f"{self.path} states nothing: {unknown('model', names[0], self.models)}")


def read_roster(path: Path) -> Roster:
    """The models in a TOML file: one table for each, `["provider/name"]`, by the name under which it is asked.

    A table may have `group`, `family` and `generation` (texts), `size` (billions of parameters, above 0), `thinking`
    (true or false) and `date` (2025-08-07), besides what says how the model is asked (see `models_file`). Raises
    `InputError`, in one line, for a file that is none, a key that is not known, and a value of another kind.
    """
    models: dict[str, About] = {}
    for name, stated in read_tables(path).items():
        asked_as = stated.get("model", name) if isinstance(stated, Mapping) else name
        about = _about(path, name, stated)
        models[str(asked_as)] = about if about.facts() else models.get(str(asked_as), about)
    return Roster(path, models)


def stated_of(name: str, path: Path | None) -> About:
    """What the file of models (default: `models.toml`, which may be missing) states of a table or of a model.

    A name is first that of a table, then that under which a table's model is asked. Raises `InputError` as
    `read_roster` does.
    """
    if path is None and not PLACE.exists():
        return About()
    place = path if path is not None else PLACE
    tables = read_tables(place)
    own = _about(place, name, tables[name]) if name in tables else About()
    return own if own.facts() else read_roster(place).of(name) or own


def _about(path: Path, model: str, stated: Json) -> About:
    if not isinstance(stated, Mapping):
        raise InputError(f"{path}: '{model}' is no table of facts: [\"{model}\"] with {', '.join(FACTS)} is allowed")
    for key in stated:
        if key not in (*FACTS, *KEYS):
            raise InputError(f"{path}: '{model}': {unknown('key', key, (*FACTS, *KEYS))}")
    facts: dict[str, Json] = {
        key: _value(f"{path}: {key} of '{model}'", key, value) for key, value in stated.items() if key in FACTS
    }
    return About(**facts)


def _value(what: str, key: str, value: Json) -> str | float | bool | datetime.date:
    if key in _TEXTS:
        if isinstance(value, str) and value.strip() and value.isprintable() and len(value) <= _LONGEST_TEXT:
            return value.strip()
        raise InputError(f"{what}: one line of text in quotes is needed, 1 to {_LONGEST_TEXT} characters")
    if key == "thinking":
        if isinstance(value, bool):
            return value
        raise InputError(f"{what}: true or false is needed")
    if key == "date":
        if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
            return value
        raise InputError(f"{what}: a date without quotes is needed, such as 2025-08-07")
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
        return float(value)
    raise InputError(f"{what}: billions of parameters are needed, a number above 0 such as 7 or 0.5")
