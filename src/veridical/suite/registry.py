"""The registry of suites: the folders of `suites/`, entry points `veridical.suites` of other packages, users' files."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NamedTuple

from veridical.errors import InputError, unknown
from veridical.suite.record import Suite
from veridical.suite.suite_files import VARIABLE, is_suite_file, load_suite, named_files

GROUP = "veridical.suites"
_REGISTERED: dict[str, Suite] = {}
_WARNED: set[str] = set()


class BrokenSuiteWarning(UserWarning):
    """A suite of an installed package, or of a user's file, cannot be loaded."""


def register(suite: Suite | Path | str, *, replace: bool = False) -> Suite:
    """Registers a suite, or the one in a file, under its name for this process, and returns it.

    Raises `InputError` for a name that is taken, unless `replace` is true, for a factor or setting that is named like
    a general column, and for a file without a suite.
    """
    if not isinstance(suite, Suite):
        return _of_file(Path(suite))
    if not replace and suite.name in names():
        raise InputError(f"a suite is called '{suite.name}' already: register it with replace=True to take its place")
    _ = suite.design  # an invalid suite is refused here, not in the middle of a run
    _REGISTERED[suite.name] = suite
    return suite


def found_as(suite: Suite) -> str | None:
    """The word by which another process finds a suite: its name, or its file; `None` if only this process has it."""
    if suite.files:
        return str(suite.files[0])
    same = (offer.load() is suite for offer in _offered() if offer.name == suite.name)
    return suite.name if any(same) else None


def names() -> tuple[str, ...]:
    """The names of all available suites, sorted; none is loaded but those in files that the environment names."""
    _load_named_files()
    return tuple(sorted({*_REGISTERED, *(point.name for point in _offered())}))


def get(name: str, file: str | None = None) -> Suite:
    """The suite of that name, or the one in the file that the name is the path of.

    Raises `InputError` if there is none, with the nearest name, or if it cannot be loaded. `file` is what a set or run
    says that its suite was in; it is never run, and only named in the error.
    """
    if is_suite_file(name):
        return _of_file(Path(name))
    if name in _REGISTERED:
        return _REGISTERED[name]
    for offer in _offered():
        if offer.name == name:
            return _loaded(offer)
    accepted = names()
    if name in _REGISTERED:
        return _REGISTERED[name]
    if file is not None:
        raise InputError(f"the suite '{name}' was in the file {file}: set {VARIABLE} to where it is now")
    raise unknown("suite", name, accepted)


def later_stages(name: str) -> tuple[str, ...]:
    """The stages of a suite after the first that models are asked in; empty if the suite cannot be loaded."""
    try:
        return get(name).later_stages
    except InputError:
        return ()


def all_suites(*, whole: bool = False) -> Iterator[Suite]:
    """All suites, sorted by name; one that cannot be loaded is left out, with a warning of one line.

    With `whole`, the design and asking of each are loaded as well.
    """
    for name in names():
        try:
            suite = get(name)
            if whole:
                _ = suite.design
        except InputError as error:
            _warn_once(name, error)
        else:
            yield suite


def _warn_once(name: str, error: InputError) -> None:
    if name not in _WARNED:
        _WARNED.add(name)
        warnings.warn(str(error), BrokenSuiteWarning, stacklevel=3)


def _load_named_files() -> None:
    """Registers the suites in the files that the environment names; one that cannot be loaded is a warning."""
    for path in named_files():
        try:
            _of_file(path)
        except InputError as error:
            _warn_once(str(path), error)


def _of_file(path: Path) -> Suite:
    """The suite in a file, registered; raises `InputError` for a name that another suite has."""
    suite = load_suite(path)
    known = _REGISTERED.get(suite.name)
    if known is not suite:
        file = suite.files[0]
        if known is not None and known.files[:1] == (file,):
            known = None
        if known is not None or suite.name in (offer.name for offer in _offered()):
            place = f" in {known.files[0]}" if known is not None and known.files else ""
            raise InputError(f"{path}: a suite is called '{suite.name}' already{place}: choose another name")
        _ = suite.design  # an invalid suite is refused here, not in the middle of a run
        _REGISTERED[suite.name] = suite
    return suite


class _Offer(NamedTuple):
    name: str
    load: Callable[[], Any]


def _offered() -> Iterator[_Offer]:
    """The suites of the library first, so that nothing takes their names, then those of packages."""
    for module in _folders():
        for suite in vars(module).values():
            if isinstance(suite, Suite):
                yield _Offer(suite.name, partial(_same, suite))
    for point in entry_points(group=GROUP):
        yield _Offer(point.name, point.load)


@cache
def _folders() -> tuple[ModuleType, ...]:
    """The packages of `suites/`; each holds its record, or several, and imports next to nothing."""
    spec = find_spec(GROUP)
    places = spec.submodule_search_locations if spec else None
    return tuple(import_module(f"{GROUP}.{each.name}") for each in iter_modules(places or ()))


def _same(suite: Suite) -> Suite:
    return suite


def _loaded(offer: _Offer) -> Suite:
    try:
        suite = offer.load()
    except Exception as error:
        detail = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"the suite '{offer.name}' cannot be loaded: {type(error).__name__}: {detail}") from error
    if not isinstance(suite, Suite):
        raise InputError(f"the suite '{offer.name}' cannot be loaded: its entry point is no Suite")
    _REGISTERED.setdefault(offer.name, suite)
    return suite
