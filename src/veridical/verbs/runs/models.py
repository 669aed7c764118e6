"""The models that names mean: embedded observers, and those of a file in which a user says how each is asked."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from veridical.ask import Price, Sampling
from veridical.ask.clients import ReplyOrFailure, TrialAttempt
from veridical.ask.clients.observer_client import ObserverClient
from veridical.ask.limits import price_of
from veridical.ask.models import NO_KEY
from veridical.base.run_options import KINDS, require_allowed
from veridical.errors import InputError, unknown
from veridical.judges import EMBEDDED as JUDGES
from veridical.observers import GENERAL, Observer, TrialContext
from veridical.records import ChatTurn, Json
from veridical.suite import registry
from veridical.suite.record import Suite
from veridical.suite.results import ModelFacts

PLACE = Path("models.toml")
"""Where the file lies if nobody says otherwise."""

_LONGEST = 1_000_000
FACTS = tuple(field.name for field in fields(ModelFacts))
_SAMPLING = tuple(field.name for field in fields(Sampling))

TRAINED_ON = "trained_on"
"""The key of a table that names the training exports of its model."""

PREFIX = "veridical/"
SUITE = "suite"
"""The model argument that says which suite's observer is meant, where no run does."""


class _Place(BaseModel):
    """Where a model is asked: the keys of its table besides sampling and facts.

    `model` is the name under which it is asked (default: the table's own), `key` the environment variable that holds
    its key, `args` are arguments for its provider. `base_url` is its server, or a list of them.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    model: str | None = Field(default=None, min_length=1)
    base_url: str | list[str] | None = Field(default=None, min_length=1)
    key: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    args: dict[str, Json] = {}
    served: dict[str, str] = {}
    price: dict[str, Json] | None = None


_STATED = ("max_connections", *_SAMPLING)
_FIELDS: dict[str, Any] = {name: (KINDS[name], None) for name in _STATED}
Asked = create_model("Asked", __base__=_Place, **_FIELDS)
"""How a model is asked: where, and with which of the options of a run."""

KEYS = tuple(Asked.model_fields)


@dataclass(frozen=True)
class ModelEntry:
    """A table of the file: the model's name, and how it is asked."""

    model: str
    fields: _Place
    price: Price | None

    def options(self) -> dict[str, Json]:
        """The options of a run that the table states."""
        stated: dict[str, Json] = {name: getattr(self.fields, name) for name in _STATED}
        stated |= {"base_url": self.fields.base_url, "model_args": dict(self.fields.args)}
        stated |= {"served": dict(self.fields.served)}
        return {name: value for name, value in stated.items() if value not in (None, {})}

    def secret(self) -> str | None:
        """The model's key; raises `InputError` where the variable that should hold it is not set.

        At an endpoint of its own a model without a key gets none: that of the model under test is not its.
        """
        variable = self.fields.key
        if variable is None:
            return NO_KEY if self.fields.base_url else None
        if not os.environ.get(variable):
            raise InputError(f"the key of '{self.model}' is missing: set the environment variable {variable}")
        return os.environ[variable]


def read_tables(path: Path) -> dict[str, Json]:
    """The tables of a TOML file by name; raises `InputError`, in one line, for a file that is none."""
    try:
        if path.stat().st_size > _LONGEST:
            raise InputError(f"{path} is no list of models: it is larger than {_LONGEST:,} bytes")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        problem = (str(error).splitlines() or ["it is nested too deeply"])[0]
        raise InputError(f"{path} is no list of models: {problem}") from error


def _tables(path: Path | None) -> dict[str, Json]:
    """The tables of the file that is named, else of `models.toml`, which may be missing."""
    place = path if path is not None else PLACE
    return read_tables(place) if path is not None or place.exists() else {}


def asked_name(name: str, path: Path | None) -> str:
    """The name under which the model is asked that a table of this name means; any other name stays itself."""
    of_table = table_entry(name, path)
    return name if of_table is None else of_table.model


def table_entry(name: str, path: Path | None) -> ModelEntry | None:
    """The model of the table of that name (see `entry`), or `None` where the file has no such table."""
    return entry(name, path) if name in _tables(path) else None


def no_such_table(name: str, path: Path | None) -> InputError | None:
    """What to say of a bare name that no table has, where there are tables; `None` where there are none."""
    tables = _tables(path)
    return InputError(f"{path or PLACE}: {unknown('model', name, tables)}") if tables else None


def entry(name: str, path: Path | None) -> ModelEntry:
    """The model that a name means: the table of that name in the file (default: `models.toml`), else PROVIDER/NAME.

    Raises `InputError`, with the nearest name, for one that is neither, and for a table that is not as it should be.
    """
    place, tables = path if path is not None else PLACE, _tables(path)
    if name not in tables:
        if "/" in name:
            return ModelEntry(name, Asked(), None)
        if not tables:
            raise InputError(f"unknown model '{name}': PROVIDER/NAME is allowed, or a table of {place}, which has none")
        raise InputError(f"{place}: {unknown('model', name, tables)}; PROVIDER/NAME is allowed too")
    stated = tables[name]
    if not isinstance(stated, Mapping):
        raise InputError(f"{place}: '{name}' is no table: [\"{name}\"] with {', '.join(KEYS)} is allowed")
    require_keys(place, name, stated)
    try:
        fields = Asked.model_validate({key: value for key, value in stated.items() if key in KEYS})
        require_allowed({key: getattr(fields, key) for key in _STATED})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{place}: {where} of '{name}': {first['msg'][:1].lower()}{first['msg'][1:]}") from None
    except InputError as error:
        raise InputError(f"{place}: '{name}': {error}") from None
    price = None if fields.price is None else price_of(place, name, fields.price)
    return ModelEntry(fields.model or name, fields, price)


def require_keys(place: Path, name: str, stated: Mapping[str, Json]) -> None:
    """Raises `InputError`, with the nearest one, for a key that no table of the file may have."""
    for key in stated:
        if key not in (*KEYS, *FACTS, TRAINED_ON):
            raise InputError(f"{place}: '{name}': {unknown('key', key, (*KEYS, *FACTS, TRAINED_ON))}")


def observer_of(model: str, suite: Suite) -> Observer | None:
    """The observer that a model's name means in a run of this suite: the suite's own, or a general one.

    `None` for a model that is not embedded. Raises `InputError`, with the nearest name, for one that there is not.
    """
    return suite_observer(model.removeprefix(PREFIX), suite) if model.startswith(PREFIX) else None


def open_observer(
    name: str,
    observer: Observer,
    args: Mapping[str, Json],
    run: Path | None,
    opaque: Callable[[str], str] | None = None,
) -> ObserverClient:
    """An observer, ready to be asked; it is handed what its record says that it sees, and nothing else.

    `opaque` gives the id under which a trial is exported.

    Raises `InputError` for arguments that it does not take.
    """
    reply = observer.opened(args, run if observer.sees == "run" else None)

    def observe(turns: Sequence[ChatTurn], question: TrialAttempt) -> str | ReplyOrFailure:
        if not (question.tells_trial and observer.sees_trial):
            return reply(turns, None)
        trial = question.trial.id
        return reply(turns, TrialContext(trial, question.repeat, opaque(trial) if opaque else None))

    return ObserverClient(name, observe)


def suite_observer(name: str, suite: Suite) -> Observer:
    """The observer of that name for trials of a suite; raises `InputError` where there is none."""
    offered = {**GENERAL, **JUDGES, **suite.observers}
    if name not in offered:
        raise _nobody(name, offered)
    return offered[name]


def find_observer(name: str) -> Observer:
    """The observer of that name, a general one or any suite's: where nobody says which suite is asked about.

    Raises `InputError` where there is none, and where several suites have one of that name.
    """
    general = {**GENERAL, **JUDGES}
    if name in general:
        return general[name]
    by_suite = {suite: offered[name] for suite, offered in _offered() if name in offered}
    if not by_suite:
        raise _nobody(name, {*general, *(each for _, offered in _offered() for each in offered)})
    if len(by_suite) > 1:
        raise InputError(f"{PREFIX}{name} is an observer of {' and of '.join(by_suite)}: say -M {SUITE}=NAME")
    return next(iter(by_suite.values()))


def _offered() -> Iterator[tuple[str, Mapping[str, Observer]]]:
    """The observers of each suite; what cannot be loaded offers none."""
    for suite in registry.all_suites():
        try:
            yield suite.name, suite.observers
        except InputError:
            continue


def _nobody(name: str, offered: Iterable[str]) -> InputError:
    return unknown("embedded model", f"{PREFIX}{name}", [f"{PREFIX}{each}" for each in offered])
