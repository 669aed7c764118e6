"""The options of a suite's sets as flags, made from its record alone."""

from __future__ import annotations

import inspect
import json
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from pathlib import PurePath
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import typer

from veridical.base.run_options import NumberRange
from veridical.cli.common import comma_list
from veridical.errors import InputError

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from veridical.base.options import Options, Recipe

SetWords = dict[str, Any]
"""Values of options by name, `None` where the recipe decides."""

_PLAIN = (int, float, bool)
_ITEM = {int: "N", float: "X"}


class SetFlag(NamedTuple):
    """An option as a flag: its name in the record, its name as a parameter, and the type of its value."""

    name: str
    parameter: str
    kind: Any

    @property
    def shown(self) -> str:
        return f"--{self.parameter.replace('_', '-')}"


def flags(options: type[Options], taken: Collection[str]) -> list[SetFlag]:
    """The flags of a suite's options, its own after those of every suite; `set_NAME` where a verb has the name."""
    return [
        SetFlag(name, f"set_{name}" if name in taken else name, _without_none(field.annotation))
        for name, field in options.model_fields.items()
    ]


def parameters(
    options: type[Options], recipes: Mapping[str, Recipe], recipe: str | None, taken: Collection[str]
) -> Iterator[inspect.Parameter]:
    """The parameters that Typer makes flags of; `recipe` is the default."""
    for flag in flags(options, taken):
        field = options.model_fields[flag.name]
        if flag.name == "recipe":
            text = "Named design" + (f", listed below. Default: {recipe}." if recipe else ".")
        else:
            text = _help(flag.name, field, recipes)
        literal = get_args(flag.kind) if get_origin(flag.kind) is Literal else ()
        words = [*recipes] if flag.name == "recipe" else [*map(str, literal)]
        completed = words.copy if words else None
        option = typer.Option(flag.shown, metavar=_metavar(flag.kind), help=text, autocompletion=completed)
        if flag.kind is bool:
            option = typer.Option(f"{flag.shown}/--no-{flag.shown.removeprefix('--')}", help=text)
        kind = flag.kind if flag.kind in _PLAIN else str
        yield inspect.Parameter(
            flag.parameter, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
        )


def values(options: type[Options], taken: Collection[str], words: Mapping[str, Any]) -> SetWords:
    """The options that words on the command line state; raises `InputError` for an unreadable one."""
    return {flag.name: _value(flag, words[flag.parameter]) for flag in flags(options, taken)}


def _value(flag: SetFlag, word: Any) -> Any:  # noqa: ANN401 (a suite may have options of any type)
    if word is None or flag.kind in (str, *_PLAIN) or get_origin(flag.kind) is Literal or _is_text(flag.kind):
        return word
    if (item := _item(flag.kind)) is not None:
        kind = item if item in (int, float) else str
        try:
            return [kind(part) for part in comma_list(word) or []]
        except InputError as error:
            raise InputError(f"{flag.shown} {error}") from None
        except ValueError:
            what = "whole numbers" if kind is int else "numbers"
            raise InputError(f"{flag.shown} '{word}': comma-separated {what} are allowed") from None
    try:
        return json.loads(word)
    except ValueError:
        raise InputError(f"{flag.shown} '{word}': JSON is allowed") from None


def _without_none(annotation: Any) -> Any:  # noqa: ANN401
    """The type of an option that may be left out, without `None`."""
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
        return kinds[0] if len(kinds) == 1 else str
    return annotation


def _item(kind: Any) -> Any:  # noqa: ANN401
    """The type of the items of a sequence, `None` for anything else."""
    origin = get_origin(kind) or kind
    if isinstance(origin, type) and issubclass(origin, Sequence | Set) and not _is_text(origin):
        return next(iter(get_args(kind)), str)
    return None


def _is_text(kind: Any) -> bool:  # noqa: ANN401
    return isinstance(kind, type) and issubclass(kind, str | PurePath)


def _metavar(kind: Any) -> str | None:  # noqa: ANN401
    if get_origin(kind) is Literal:
        return "|".join(map(str, get_args(kind)))
    if (item := _item(kind)) is not None:
        name = "|".join(map(str, get_args(item))) if get_origin(item) is Literal else _ITEM.get(item, "NAME")
        return f"{name},…"
    if kind in (str, *_PLAIN) or _is_text(kind):
        return None
    return "JSON"


def _help(name: str, field: FieldInfo, recipes: Mapping[str, Recipe]) -> str:
    """The help of an option: its description, its range, its default, and the values of recipes."""
    default = _shown(field.get_default()) if not field.is_required() else ""
    values = {key: _shown(recipe.values[name]) for key, recipe in recipes.items() if name in recipe.values}
    others = "; ".join(f"{key}: {value}" for key, value in values.items() if value != default)
    if default:
        ending = f"Default: {default}" + (f" ({others})." if others else ".")
    else:
        ending = f"Recipe {others}." if others else ""
    return " ".join(filter(None, (field.description, _range(field), ending)))


def _range(field: FieldInfo) -> str:
    """The numbers that an option takes, as a sentence: "" where its type alone says it."""
    bounds = {
        name: getattr(each, name)
        for each in field.metadata
        for name in ("ge", "le", "multiple_of")
        if hasattr(each, name)
    }
    if "ge" not in bounds or (len(bounds) == 1 and bounds["ge"] <= 1):
        return ""
    steps = f", in steps of {bounds['multiple_of']}" if "multiple_of" in bounds else ""
    return f"{NumberRange(bounds['ge'], bounds.get('le'))}{steps}."


def _shown(value: Any) -> str:  # noqa: ANN401
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple | list | set | frozenset) else str(value)
