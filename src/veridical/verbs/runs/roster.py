"""What users state about models in their file: facts by which tables group them, and what they were trained on."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from veridical.errors import InputError, unknown
from veridical.records import Json
from veridical.suite.results import ModelFacts
from veridical.verbs.runs.models import FACTS, PLACE, TRAINED_ON, read_tables, require_keys

_LONGEST_TEXT = 80
_TEXTS = ("group", "family", "generation")


@dataclass(frozen=True)
class Roster:
    """What is stated of models, by the name under which they are asked, and the file that it came from.

    `trained_on` has the paths of their training exports.
    """

    path: Path
    models: Mapping[str, ModelFacts]
    trained_on: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)

    def of(self, model: str) -> ModelFacts | None:
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
    (true or false) and `date` (2025-08-07), besides what says how the model is asked (see `models`), and `trained_on`,
    the path of a training export from the file's folder, or several. Raises `InputError`, in one line, for a file that
    is none, a key that is not known, and a value of another kind.
    """
    models: dict[str, ModelFacts] = {}
    trained_on: dict[str, tuple[Path, ...]] = {}
    for name, stated in read_tables(path).items():
        about = _about(path, name, stated)
        asked_as = str(stated.get("model", name))
        models[asked_as] = about if about.facts() else models.get(asked_as, about)
        if TRAINED_ON in stated:
            trained_on[asked_as] = _exports(path, name, stated[TRAINED_ON])
    return Roster(path, models, trained_on)


def _exports(path: Path, model: str, stated: Json) -> tuple[Path, ...]:
    places = [stated] if isinstance(stated, str) else stated
    if not isinstance(places, list) or not places or not all(isinstance(each, str) and each for each in places):
        raise InputError(f"{path}: {TRAINED_ON} of '{model}': the path of an export in quotes, or a list, is needed")
    return tuple(path.parent / each for each in places)


def facts_about(name: str, path: Path | None) -> ModelFacts:
    """What the file of models (default: `models.toml`, which may be missing) states of a table or of a model.

    A name is first that of a table, then that under which a table's model is asked. Raises `InputError` as
    `read_roster` does.
    """
    if path is None and not PLACE.exists():
        return ModelFacts()
    place = path if path is not None else PLACE
    tables = read_tables(place)
    own = _about(place, name, tables[name]) if name in tables else ModelFacts()
    return own if own.facts() else read_roster(place).of(name) or own


def _about(path: Path, model: str, stated: Json) -> ModelFacts:
    if not isinstance(stated, Mapping):
        raise InputError(f"{path}: '{model}' is no table of facts: [\"{model}\"] with {', '.join(FACTS)} is allowed")
    require_keys(path, model, stated)
    facts: dict[str, Json] = {
        key: _value(f"{path}: {key} of '{model}'", key, value) for key, value in stated.items() if key in FACTS
    }
    return ModelFacts(**facts)


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
