"""The options of a run as flags, made from what `base.run_options` declares, and the reading of their words."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

import typer

from veridical.base.run_options import FLAGS, KINDS, RunOptions
from veridical.cli.common import Callback, a_file, a_folder_of_prompts, levels, pairs
from veridical.errors import InputError

if TYPE_CHECKING:
    from veridical.records import Json

_REPEATED = {"base_url"}
"""The options that may have several values, each with a flag of its own."""
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_CHECKED: Mapping[str, Callback] = {"prompts": a_folder_of_prompts, "models": a_file, "prices": a_file}


def flag(name: str) -> Any:  # noqa: ANN401 (an annotation)
    """The annotation of a parameter that Typer makes the flag of an option of a run of."""
    declared = FLAGS[name]
    kinds = get_args(KINDS[name])
    names = declared.names or (f"--{name.replace('_', '-')}",)
    words = f"{declared.help} Allowed: {declared.allowed_words}." if declared.allowed else declared.help
    option = typer.Option(*names, metavar=declared.metavar, help=words, callback=_CHECKED.get(name))
    if not kinds:
        return Annotated[bool, option]
    kind = Path if Path in kinds else kinds[0]
    kind = list[str] if name in _BY_KEY or name in _REPEATED else str if name == "time_limit" else kind
    return Annotated[kind | None, option]


def flags(names: Iterable[str] = FLAGS) -> list[inspect.Parameter]:
    """The parameters of options of a run, `None`, or false, where they are not stated."""
    hints = {name: flag(name) for name in names}
    return [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=False if get_args(hint)[0] is bool else None, annotation=hint
        )
        for name, hint in hints.items()
    ]


def own_parameters(verb: Callable[..., None]) -> list[inspect.Parameter]:
    """The parameters that a verb names itself, with the annotations that Typer reads."""
    hints = get_type_hints(verb, include_extras=True)
    named = [each for each in inspect.signature(verb).parameters.values() if each.kind is not each.VAR_KEYWORD]
    return [each.replace(annotation=hints.get(each.name, each.empty), kind=each.KEYWORD_ONLY) for each in named]


def takes(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator for a verb that takes these options of a run as further keywords, by their words."""

    def taking(verb: Callable[..., None]) -> Callable[..., None]:
        every = sorted([*own_parameters(verb), *flags(names)], key=lambda each: each.name == "as_json")
        described: Any = verb
        described.__signature__ = inspect.Signature(every)
        described.__annotations__ = {each.name: each.annotation for each in every}
        return verb

    return taking


def options_of(words: Mapping[str, Any]) -> RunOptions:
    """The words as the keywords that Python takes; raises `InputError` for one that cannot be read."""
    read: dict[str, Any] = dict(words)
    read |= {name: parse(words[name] or []) for name, parse in _BY_KEY.items() if name in words}
    for name in _REPEATED & words.keys():
        every = words[name] or [None]
        read[name] = every[0] if len(every) == 1 else every
    if "time_limit" in words:
        read["time_limit"] = seconds(words["time_limit"])
    options: RunOptions = {**read}  # type: ignore[typeddict-item]
    return options


def _by_key(option: str, allowed: str, *, numbers: bool = False) -> Callable[[list[str]], dict[str, Json]]:
    """What reads KEY=VALUE words, each key once; raises `InputError` for others."""

    def read(texts: list[str]) -> dict[str, Json]:
        values: dict[str, Json] = {}
        for text in texts:
            key, equals, value = (part.strip() for part in text.partition("="))
            if not key or not equals or not value or (numbers and not (value.isdecimal() and len(value) < 10)):
                raise InputError(f"{option} '{text}': {allowed} is allowed, such as {_EXAMPLES[option]}")
            if key in values:
                raise InputError(f"{option} {key} is given twice: once is allowed")
            values[key] = int(value) if numbers else value
        return values

    return read


_EXAMPLES = {"--role": "captioner=openai/some-model", "--stop-after": "server=50", "--served": "engine=vllm"}
_BY_KEY: Mapping[str, Callable[[list[str]], dict[str, Json]]] = {
    "settings": levels,
    "model_args": pairs,
    "served": _by_key("--served", "KEY=VALUE"),
    "roles": _by_key("--role", "ROLE=M"),
    "stop_after": _by_key("--stop-after", "KIND=N", numbers=True),
}
"""The options that have a value by key, with what reads their words."""


def seconds(text: str | None) -> float | None:
    """A time in words as seconds.

    >>> seconds("90"), seconds("1.5h"), seconds("45m")
    (90.0, 5400.0, 2700.0)
    """
    if text is None:
        return None
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _SECONDS else (text, "s")
    try:
        duration = float(number) * _SECONDS[unit]
    except ValueError:
        duration = math.nan
    if not (math.isfinite(duration) and duration > 0):
        raise InputError(f"--time-limit '{text}': a time above 0 is allowed, such as 90, 90s, 45m or 2h")
    return duration
