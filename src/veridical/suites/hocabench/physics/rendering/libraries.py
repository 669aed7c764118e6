"""Libraries of the system that a renderer draws with, found without risk to this process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec

from veridical.base.requirements import extra_needed
from veridical.errors import InputError

_SECONDS = 120


@dataclass(frozen=True, slots=True)
class DrawingLibrary:
    """A library that the packages of a renderer load, by the name or file that an environment variable states.

    `candidates` gives what is tried where the variable states nothing, the best first; `probe` is a script that draws
    something and prints "drawn by" and the library's version.
    """

    kind: str
    packages: tuple[str, ...]
    variable: str
    candidates: Callable[[], Iterable[str]]
    probe: str
    missing: str
    """What a message says where no candidate works."""
    cure: str

    def require(self) -> tuple[str, str]:
        """The first value of the variable that works, which it has from then on, and the version of the library.

        Each is tried in a process of its own, since a library that does not fit may abort. Raises `InputError` where a
        package is missing, or no library works.
        """
        with extra_needed("rendered", "a rendered clip"):
            for package in self.packages:
                if find_spec(package) is None:
                    raise ModuleNotFoundError(name=package.replace("_", "-"))
        return _working(self)


@lru_cache(maxsize=4)
def _working(library: DrawingLibrary) -> tuple[str, str]:
    stated = os.environ.get(library.variable)
    for value in (stated,) if stated else library.candidates():
        if version := _version(library, value):
            os.environ[library.variable] = value
            return value, version
    which = f"{library.variable}={stated} does not work" if stated else library.missing
    raise InputError(f"a rendered clip needs {library.kind}, and {which}: {library.cure}")


def _version(library: DrawingLibrary, value: str) -> str | None:
    """The version of the library that the variable names by this value; `None` where it does not draw."""
    try:
        done = subprocess.run(  # noqa: S603 (our own interpreter and text)
            [sys.executable, "-c", library.probe],
            env={**os.environ, library.variable: value},
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith("drawn by ")]
    return lines[0].removeprefix("drawn by ") if lines and done.returncode == 0 else None
