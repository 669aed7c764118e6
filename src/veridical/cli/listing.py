"""Verbs that list names: suites, models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from veridical.cli.common import JsonFlag, app, print_wrapped, show, suites_with

if TYPE_CHECKING:
    from veridical.observers import Observer
    from veridical.records import Json
    from veridical.suite.record import Suite

_NOTHING_MORE = "messages"


@app.command()
def suites(as_json: JsonFlag = False) -> None:
    """List the suites: recipes, options, settings and families."""
    complete = [suite for suite in suites_with("design") if suite.options and suite.recipes]
    if as_json:
        show([_facts(suite) for suite in complete])
        return
    for suite in complete:
        print_wrapped(f"{suite.name}: {suite.title} ({suite.citation})", 2)
        for line in _lines(suite):
            print_wrapped(f"  {line}".rstrip(), 4)


@app.command()
def models(as_json: JsonFlag = False) -> None:
    """List the embedded observers, general ones and each suite's."""
    from veridical.observers import GENERAL

    groups = {"general": GENERAL, **{suite.name: suite.observers for suite in suites_with("observers")}}
    groups = {name: observers for name, observers in groups.items() if observers}
    if as_json:
        show([_observer(group, name, each) for group, members in groups.items() for name, each in members.items()])
        return
    widest = max((len(name) for members in groups.values() for name in members), default=0)
    for group, members in groups.items():
        typer.echo(f"{group}:")
        for name, observer in members.items():
            print_wrapped(f"  veridical/{name:<{widest}}  {observer.help}{_marked(observer)}", widest + 14)


def _facts(suite: Suite) -> dict[str, Json]:
    properties = suite.options.model_json_schema()["properties"]
    return {
        "name": suite.name,
        "title": suite.title,
        "citation": suite.citation,
        "recipes": {name: asdict(recipe) for name, recipe in suite.recipes.items()},
        "options": {
            name: {key: value for key, value in properties[name].items() if key != "title"}
            for name in suite.options.model_fields
        },
        "settings": {name: list(levels) for name, levels in suite.asking.settings.items()},
        "families": list(suite.design.families),
    }


def _lines(suite: Suite) -> Iterator[str]:
    """What a suite offers, without the options that every suite has."""
    from veridical.base.options import Options

    for name, recipe in suite.recipes.items():
        yield f"recipe {name}: {recipe.note}"
    for name, field in suite.options.model_fields.items():
        if name not in Options.model_fields:
            yield f"option {name}: {field.description or ''}"
    for name, levels in suite.asking.settings.items():
        yield f"setting {name}: {', '.join(levels)}"
    yield f"families: {', '.join(suite.design.families)}"


def _observer(group: str, name: str, observer: Observer) -> dict[str, Json]:
    facts: Mapping[str, Json] = {"suite": None if group == "general" else group, "name": f"veridical/{name}"}
    return {**facts, "help": observer.help, "sees": observer.sees, "reads": observer.reads}


def _marked(observer: Observer) -> str:
    """What an observer sees besides messages, which is all that a model sees."""
    if observer.sees == _NOTHING_MORE:
        return ""
    return f" [sees the {observer.sees}{f': {observer.reads}' if observer.reads else ''}]"
