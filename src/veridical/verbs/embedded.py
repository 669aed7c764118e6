"""Embedded observers by name: `veridical/NAME` is one of the run's suite, or a general one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from veridical.errors import InputError, unknown
from veridical.judges import EMBEDDED as JUDGES
from veridical.observers import GENERAL, Observer
from veridical.suite import registry
from veridical.suite.record import Suite

PREFIX = "veridical/"
SUITE, RUN = "suite", "run"
"""Model arguments that a run gives and that define nothing: its suite, and its folder."""


def observer_of(model: str, suite: Suite) -> Observer | None:
    """The observer that a model's name means in a run of this suite: the suite's own, or a general one.

    `None` for a model that is not embedded. Raises `InputError`, with the nearest name, for one that there is not.
    """
    return of_suite(model.removeprefix(PREFIX), suite) if model.startswith(PREFIX) else None


def of_suite(name: str, suite: Suite) -> Observer:
    """The observer of that name for trials of a suite; raises `InputError` where there is none."""
    offered = {**GENERAL, **JUDGES, **suite.observers}
    if name not in offered:
        raise _nobody(name, offered)
    return offered[name]


def of_any_suite(name: str) -> Observer:
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
    for suite in registry.every():
        try:
            yield suite.name, suite.observers
        except InputError:
            continue


def _nobody(name: str, offered: Iterable[str]) -> InputError:
    return unknown("embedded model", f"{PREFIX}{name}", [f"{PREFIX}{each}" for each in offered])
