"""The registry of suites. Packages offer theirs under the entry point group `veridical.suites`."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points

from veridical.errors import unknown
from veridical.suite.record import Suite

_BUILT_IN = {"viprobe": "veridical.suites.viprobe"}
_REGISTERED: dict[str, Suite] = {}


def register(suite: Suite) -> Suite:
    """Makes a suite known under its name for this process, in place of one of the same name, and returns it."""
    _REGISTERED[suite.name] = suite
    return suite


def names() -> tuple[str, ...]:
    """The names of all known suites, sorted."""
    return tuple(sorted({*_BUILT_IN, *_REGISTERED, *(point.name for point in entry_points(group="veridical.suites"))}))


def get(name: str) -> Suite:
    """The suite of that name; raises `InputError` with the nearest name where there is none."""
    if name in _REGISTERED:
        return _REGISTERED[name]
    if name in _BUILT_IN:
        return register(import_module(_BUILT_IN[name]).SUITE)
    for point in entry_points(group="veridical.suites", name=name):
        return register(point.load())
    raise unknown("suite", name, names())
