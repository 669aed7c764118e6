"""The first word of a command: a verb, or the name of a suite that has commands of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any

import typer
from typer.core import TyperGroup

from veridical.cli.remote_words import takes_urls
from veridical.errors import InputError

Click = Any
"""A context, command or formatter: Typer has their types in a private module."""

USAGE: type[typer.BadParameter] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""Typer's base class of all usage errors; it is public only through its subclasses."""

ORDER = (
    *("evaluate", "profile", "board"),
    *("suites", "make", "import", "describe", "check", "share", "derive", "gallery"),
    *("models", "plan", "run", "judge", "merge", "status", "repair", "pack", "trials", "people", "adopt", "whitebox"),
    *("metrics", "report", "compare", "rescore", "export", "demo"),
)


class Front(TyperGroup):
    """The verbs, in the order of use; a word that is not a verb is looked up among the suites."""

    def list_commands(self, ctx: Click) -> list[str]:
        listed = super().list_commands(ctx)
        if ctx.resilient_parsing:  # a shell completes the first word, which may be a suite
            listed += [name for name in _suites() if _has_commands(name)]
        return [*(name for name in ORDER if name in listed), *(name for name in listed if name not in ORDER)]

    def get_command(self, ctx: Click, cmd_name: str) -> Click:
        command = super().get_command(ctx, cmd_name) or commands_of(cmd_name)
        return command and takes_urls(_readable(command))

    def resolve_command(self, ctx: Click, args: list[str]) -> Click:
        try:
            return super().resolve_command(ctx, args)
        except USAGE as error:
            near = get_close_matches(args[0], _suites())
            if near and "Did you mean" not in error.message:
                error.message = f"{error.message.rstrip('.')}. Did you mean {near[0]!r}?"
            raise


def _readable(command: Click) -> Click:
    """The command with arguments that may be repeated shown as `RUN… <path>`, and not with the type of the list."""
    for each in getattr(command, "commands", {}).values():
        _readable(each)
    for each in command.params:
        if each.param_type_name == "argument" and each.nargs == -1:
            each.get_usage_pieces = partial(_usage, each)
            each.get_help_record = partial(_row, each.get_help_record)
    return command


def _usage(argument: Click, _: Click) -> list[str]:
    name = argument.metavar or argument.name
    return [f"{{{name}}}…" if argument.required else f"[{name}]…"]


def _row(record: Callable[[Click], tuple[str, str]], ctx: Click) -> tuple[str, str]:
    name, text = record(ctx)
    return re.sub(r" <list\[(\w+)]>$", lambda kind: f"… <{kind[1].lower()}>", name), text


def commands_of(name: str) -> Click:
    """The commands of the suite of that name, or with that word for them, as a group; `None` if there is none.

    Raises `InputError` for a suite without commands of its own.
    """
    from veridical.suite import registry

    suite = name if name in _suites() else _grouped().get(name)
    if suite is None:
        return None
    commands = registry.get(suite).commands
    if not isinstance(commands, typer.Typer):
        problem = "has no commands of its own" if commands is None else "has commands that are not a typer.Typer"
        raise InputError(f"the suite '{suite}' {problem}; `veridical make|plan|run {name}` and the other verbs take it")
    group = typer.main.get_group(commands)
    group.name = name
    return group


def _grouped() -> dict[str, str]:
    """The suites whose commands have a word of their own, by that word."""
    from veridical.suite import registry

    return {suite.group: suite.name for suite in registry.all_suites() if suite.group is not None}


def _has_commands(name: str) -> bool:
    from veridical.suite import registry

    try:
        return "commands" in registry.get(name).parts
    except InputError:
        return False


def _suites() -> Sequence[str]:
    from veridical.suite import registry

    return registry.names()
