"""What an evaluation is: its models, suites, recipe and options, in a file that people read and version."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from veridical.base.files import os_errors, write_whole
from veridical.base.run_options import FLAGS
from veridical.errors import InputError, unknown
from veridical.records import Json
from veridical.suite import registry
from veridical.suite.evaluation import EvaluationPart, RecipeName
from veridical.suite.record import Suite

FILE = "evaluate.toml"
FORMAT = 1
_LARGEST = 1_000_000
_HEAD = "# What `veridical evaluate` was asked to do; `veridical evaluate THIS-FILE` does it again."


class Choices(BaseModel):
    """What an evaluation is.

    `asking` are options of `veridical.run`, for all suites and models alike; `settings` are levels of settings by
    suite, in place of those that its record says of the recipe. With `private_seed`, as many units as in each set are
    drawn with a secret seed as well, and asked beside it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    format: int = Field(FORMAT, ge=FORMAT, le=FORMAT)
    models: list[str] = Field(min_length=1)
    suites: list[str] = Field(min_length=1)
    recipe: RecipeName = "quick"
    seed: int = Field(0, ge=0, lt=2**63)
    private_seed: bool = False
    asking: dict[str, Json] = {}
    settings: dict[str, dict[str, list[str]]] = {}

    @property
    def graded(self) -> bool:
        """Whether suites also ask in a way in which the first word of a reply is its answer, for its probability."""
        return bool(self.asking.get("logprobs")) and not self.asking.get("forced_answer")

    def joined(self, other: Choices) -> Choices:
        """These choices with the models and suites of an earlier evaluation in the same folder, which come first.

        A private seed of either is one of both. Raises `InputError` where recipe or seed differ: the sets would be
        others.
        """
        for name in ("recipe", "seed"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise InputError(
                    f"the folder holds an evaluation with {name} {theirs}, not {mine}: name another folder"
                )
        together = {
            name: list(dict.fromkeys([*getattr(other, name), *getattr(self, name)])) for name in ("models", "suites")
        }
        return self.model_copy(update={**together, "private_seed": self.private_seed or other.private_seed})

    def lines(self) -> Iterator[str]:
        """The file's lines: the choices, then a table of options."""
        for name in ("format", "models", "suites", "recipe", "seed", "private_seed"):
            yield f"{name} = {_toml(getattr(self, name))}"
        if self.asking:
            yield ""
            yield "[asking]"
            yield from (f"{name} = {_toml(value)}" for name, value in self.asking.items())
        for suite, levels in self.settings.items():
            yield ""
            yield f"[settings.{json.dumps(suite)}]"
            yield from (f"{json.dumps(name)} = {_toml(chosen)}" for name, chosen in levels.items())

    def write(self, folder: Path) -> Path:
        """The path of the file, after the choices were written to it."""
        return write_whole(folder / FILE, "\n".join([_HEAD, *self.lines(), ""]).encode())


def read_choices(path: Path) -> Choices:
    """The choices in a file, or in the one of a folder; raises `InputError`, in one line, for anything else."""
    place = path / FILE if path.is_dir() else path
    with os_errors(place, "read"):
        if place.stat().st_size > _LARGEST:
            raise InputError(f"{place} is larger than {_LARGEST:,} bytes: no evaluation's file is")
        content = place.read_bytes()
    try:
        facts = tomllib.loads(content.decode())
        return choices_from(facts)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: {' '.join(str(error).split())}") from error
    except InputError as error:
        raise InputError(f"{place}: {error}") from error


def choices_from(facts: Mapping[str, Any]) -> Choices:
    """Choices from plain values; suites that are left out are all that take part.

    Raises `InputError` for an unknown key or option, a value that is not allowed, and what is named twice.
    """
    facts = {name: value for name, value in facts.items() if value is not None}
    for name in facts:
        if name not in Choices.model_fields:
            raise unknown("key", name, Choices.model_fields)
    if "recipe" in facts and facts["recipe"] not in get_args(RecipeName):
        raise unknown("recipe", str(facts["recipe"]), get_args(RecipeName))
    facts.setdefault("suites", [suite.name for suite, _ in evaluated_suites()])
    try:
        choices = Choices.model_validate(facts)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None
    _require_known(choices)
    return choices


def _require_known(choices: Choices) -> None:
    """Raises `InputError` for an unknown option, suite or level, and for what is named twice."""
    for option in choices.asking:
        if option not in FLAGS:
            raise unknown("option", option, FLAGS)
    if "shard" in choices.asking:
        raise InputError("an evaluation has no shards: `run` asks the shards of a set, and `merge` joins them")
    if in_rounds := [name for name in ("stop_at", "max_questions") if name in choices.asking]:
        raise InputError(f"{in_rounds[0]}: an evaluation asks its designs whole; `run --stop-at` asks in rounds")
    for name in ("models", "suites"):
        named = getattr(choices, name)
        twice = [each for each in named if named.count(each) > 1]
        if twice:
            raise InputError(f"{name}: {twice[0]} is named twice: once is allowed")
    for suite in choices.suites:
        part_of(suite)
    for suite, levels in choices.settings.items():
        part_of(suite)[0].asked(levels)


def stated_options(options: Mapping[str, Any]) -> dict[str, Json]:
    """The options of a run that are stated, as a file has them: paths as texts."""
    values = {name: value for name, value in options.items() if value not in (None, {}, [], False)}
    return {name: str(value) if isinstance(value, Path) else value for name, value in values.items()}


def evaluated_suites() -> list[tuple[Suite, EvaluationPart]]:
    """The suites that take part in an evaluation, with what they add."""
    return [(suite, part) for suite in registry.all_suites() if (part := suite.evaluation) is not None]


def part_of(name: str) -> tuple[Suite, EvaluationPart]:
    """A suite that takes part in an evaluation; raises `InputError` for one that does not."""
    suite = registry.get(name)
    if suite.evaluation is None:
        names = ", ".join(each.name for each, _ in evaluated_suites())
        raise InputError(f"the suite {name} takes no part in an evaluation: {names} do")
    return suite, suite.evaluation


def _toml(value: Json) -> str:
    """A value of numbers, texts, lists and tables as TOML has it; a text of JSON is one of TOML."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
