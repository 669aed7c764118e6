"""The Python API: what `veridical` exports, and what a suite or a reader of one's own is written with."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import veridical
from docs.pages.words import page

EXTENSION = {
    "veridical.suite.record": "The record of a suite",
    "veridical.suite.registry": "Registering a suite",
    "veridical.suite.parts": "The parts of a suite",
    "veridical.base.options": "Options and recipes",
    "veridical.suite.stages": "Stages and settings",
    "veridical.suite.prompts": "Prompts that users can replace",
    "veridical.answers": "Readers of replies",
    "veridical.judges": "Judges",
    "veridical.suite.training": "Training recipes",
    "veridical.rewards": "Rewards",
    "veridical.suite.evidence": "Outcomes of all stages",
    "veridical.suite.rates": "Rates by slice",
    "veridical.suite.opening": "The opening of a report",
    "veridical.suite.results": "Tables, figures and results",
    "veridical.observers": "Embedded observers",
    "veridical.records": "Records",
    "veridical.media.decode": "Reading media",
    "veridical.media.draw": "Drawing",
    "veridical.stats": "Statistics",
}
"""Modules for writing suites, readers, observers and rewards, and their headings."""


_INTRODUCTION = (
    "`import veridical as v` costs nothing: each name is loaded when it is first used. The command line is a thin "
    "layer over these functions."
)
_FOR_EXTENSION = (
    "What suites, readers and observers are written with. [Writing a suite](../writing-a-suite.md) has a whole suite "
    "that uses them."
)


def python_pages() -> dict[str, str]:
    """The pages of the API, by path."""
    exported = {name: getattr(veridical, name) for name in sorted(veridical.__all__)}
    functions = [name for name, each in exported.items() if inspect.isroutine(each)]
    others = [name for name in exported if name not in functions]
    parts = [
        "# Python API",
        _INTRODUCTION,
        "## Functions",
        *(_entry(f"veridical.{name}", exported[name]) for name in functions),
        "## Types and errors",
        *(_entry(f"veridical.{name}", exported[name]) for name in others),
        "## Options of a run",
        "`run`, `dry_run`, `plan` and `judge` take these keywords.",
        "```{eval-rst}\n.. autoclass:: veridical.base.run_options.RunOptions\n   :members:\n```",
    ]
    return {"python.md": page(*parts), "extending.md": _extending({id(each) for each in exported.values()})}


def _extending(shown: set[int]) -> str:
    parts = ["# Extension API", _FOR_EXTENSION]
    for module, heading in EXTENSION.items():
        entries = list(_entries(module, shown))
        if entries:
            parts += [f"## {heading}", f"Module `{module}`.", *entries]
    return page(*parts)


def _entries(module: str, shown: set[int]) -> Iterator[str]:
    """The documented functions and classes of a module that stand on no page yet."""
    loaded = import_module(module)
    for name in getattr(loaded, "__all__", vars(loaded)):
        each = getattr(loaded, name)
        if name.startswith("_") or not (inspect.isclass(each) or inspect.isfunction(each)) or id(each) in shown:
            continue
        if not hasattr(loaded, "__all__") and each.__module__ != module:
            continue
        shown.add(id(each))
        yield _entry(f"{module}.{name}", each)


def _entry(path: str, subject: Any) -> str:  # noqa: ANN401 (anything that a module holds)
    if not inspect.isclass(subject):
        directive = "autofunction" if callable(subject) else "autodata"
        return f"```{{eval-rst}}\n.. {directive}:: {path}\n```"
    members = "\n   :members:" if not issubclass(subject, BaseException) else ""
    return f"```{{eval-rst}}\n.. autoclass:: {path}{members}\n```"
