"""The command line: the help of every verb, and of each suite's own commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from docs.pages.words import page
from veridical.cli import app
from veridical.cli.suite_verbs import VERBS
from veridical.suite import registry

PROGRAM = "veridical"
WIDTH = 88
"""Columns of the help: as many as fit the page."""

_INTRODUCTION = (
    "Every verb takes `--json` for machines and `--help`. Exit codes: 0 done; 1 replies are missing, a limit was "
    "reached, or a `--fail-if` condition holds; 2 wrong input, with one line that says what is allowed; 130 stopped by "
    "hand."
)

Command = Any
"""A command or its context: Typer has their types in a private module."""


def command_pages() -> dict[str, str]:
    """The page of the command line, by path."""
    top = typer.main.get_command(app)
    context = _context(top, PROGRAM, None)
    parts = [
        "# Command line",
        _INTRODUCTION,
        _help(top, context),
    ]
    for name in top.list_commands(context):  # type: ignore[attr-defined]
        parts += _sections(top.get_command(context, name), f"{PROGRAM} {name}", context, 2)  # type: ignore[attr-defined]
    for suite in registry.all_suites():
        if suite.commands is not None:
            group = typer.main.get_group(suite.commands)
            parts += _sections(group, f"{PROGRAM} {suite.name}", None, 2)
    return {"commands.md": page(*parts)}


def _sections(command: Command, path: str, parent: Command, level: int) -> Iterator[str]:
    name = path.split()[-1]
    context = _context(command, name if parent else path, parent)
    yield f"{'#' * level} `{path}`"
    yield _help(command, context)
    if name not in VERBS:  # the help of a suite's flags stands on the suite's page
        for inner in getattr(command, "commands", {}):
            yield from _sections(command.get_command(context, inner), f"{path} {inner}", context, level + 1)


def _context(command: Command, name: str, parent: Command) -> Command:
    return command.make_context(name, [], parent=parent, resilient_parsing=True, terminal_width=WIDTH)


def _help(command: Command, context: Command) -> str:
    return f"```text\n{command.get_help(context).strip()}\n```"
