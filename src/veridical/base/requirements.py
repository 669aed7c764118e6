"""Which requirement of the package an error comes from, where the installed packages do not fit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from traceback import walk_tb

from packaging.requirements import Requirement

from veridical.errors import InputError

PACKAGE = "veridical"


@contextmanager
def extra_needed(extra: str, what: str) -> Iterator[None]:
    """Turns a package that is missing into an `InputError`, which says what needs it and which extra has it.

    >>> with extra_needed("providers", "model 'openai/gpt-4o'"):
    ...     import no_such_package
    Traceback (most recent call last):
    veridical.errors.InputError: model 'openai/gpt-4o' needs no_such_package: pip install "veridical[providers]"
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "a package").partition(".")[0]
        raise InputError(f'{what} needs {missing}: pip install "{PACKAGE}[{extra}]"') from None


def versions_of(*packages: str) -> dict[str, str]:
    """The versions of these packages, of those that are installed."""
    found = {}
    for package in packages:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def misfit(error: BaseException) -> str | None:
    """One line that says which package is missing, out of its range or broken; `None` if all fit.

    A package counts as broken if the error was raised while it was imported.
    """
    for requirement in _requirements():
        needed = f"{requirement.name}{requirement.specifier}"
        cure = f"pip install '{needed}'"
        try:
            installed = version(requirement.name)
        except PackageNotFoundError:
            return f"the package {requirement.name} is not installed: {cure}"
        if not requirement.specifier.contains(installed, prereleases=True):
            return f"{requirement.name} {installed} is installed, {needed} is needed: {cure}"
    if not isinstance(error, ImportError):
        return None
    broken, reason = _loaded_in_vain(error), " ".join(str(error).split())
    if broken is not None:
        return f"the package {broken} cannot be loaded ({reason}): pip install --force-reinstall {broken}"
    missing = (error.name or PACKAGE).partition(".")[0]
    return None if missing == PACKAGE else f"the package {missing} is not installed: pip install {missing}"


def _requirements() -> Iterator[Requirement]:
    """What the core requires; none where the package runs from a folder without being installed."""
    try:
        stated = requires(PACKAGE) or []
    except PackageNotFoundError:
        return
    for each in map(Requirement, stated):
        if each.marker is None or each.marker.evaluate({"extra": ""}):
            yield each


def _loaded_in_vain(error: ImportError) -> str | None:
    """The distribution whose import raised the error: a module that is missing, or the last that was being loaded."""
    loaded = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
    modules = [error.name or "", *reversed(loaded)]
    distributions = packages_distributions()
    for module in modules:
        root = module.partition(".")[0]
        if root in distributions and root != PACKAGE and root not in sys.stdlib_module_names:
            return distributions[root][0]
    return None
