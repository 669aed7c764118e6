"""The tasks of a study: those of every suite, answers and grades, and those that a suite's record names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from veridical.base.path_checks import holds_run
from veridical.errors import InputError, unknown
from veridical.people.answers import ANSWER
from veridical.people.grades import GRADE
from veridical.records import canonical
from veridical.suite.people_tasks import PeopleTask
from veridical.suite.record import Suite
from veridical.suite.registry import get
from veridical.verbs.results.result import open_run
from veridical.verbs.sets import open_with_suite

GENERAL: Mapping[str, PeopleTask] = {"answer": ANSWER, "grade": GRADE}


def tasks_of(suite: Suite) -> dict[str, PeopleTask]:
    """The tasks that people can be given with sets or runs of a suite, by name."""
    return {**GENERAL, **suite.people}


def task_of(suite: str, name: str) -> PeopleTask:
    """A task of a suite; raises `InputError`, with the nearest name, where there is none."""
    tasks = tasks_of(get(suite))
    if name not in tasks:
        raise unknown(f"task of {suite}", name, tasks)
    return tasks[name]


def suite_of(places: Sequence[Path]) -> str:
    """The one suite of sets and runs; raises `InputError` for several."""
    names = list(dict.fromkeys(_suite(place) for place in places))
    if len(names) != 1:
        raise InputError(f"{', '.join(map(str, places))}: of {' and '.join(names)}: one suite is needed")
    return names[0]


def _suite(place: Path) -> str:
    return open_run(place).suite.name if holds_run(place) else open_with_suite(place)[1].name


def identity_of(place: Path) -> str:
    """The hash of a set's rows, or of a run's identity; raises `InputError` where there is neither."""
    if not holds_run(place):
        return open_with_suite(place)[0].digest
    return sha256(canonical(open_run(place).run.identity).encode()).hexdigest()
