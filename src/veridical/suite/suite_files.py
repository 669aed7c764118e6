"""Suites in files of a user's own: a file that is named is run, and its top-level `suite` is the record."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from veridical.errors import InputError
from veridical.suite.record import Suite

VARIABLE = "VERIDICAL_SUITES"
"""The environment variable with the paths of files that hold suites, as PATH separates its folders."""
ATTRIBUTE, SUFFIX = "suite", ".py"
_LOADED: dict[Path, tuple[str, Suite]] = {}


def is_suite_file(name: str) -> bool:
    """Whether a word names a file instead of a suite.

    >>> is_suite_file("my_suite.py"), is_suite_file("my-suite")
    (True, False)
    """
    return name.endswith(SUFFIX)


def named_files() -> Iterator[Path]:
    """The files that the environment variable names."""
    yield from (Path(name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name.strip())


def load_suite(path: Path) -> Suite:
    """The suite in a file, which is run unless it was already and has not changed since.

    Raises `InputError`, in one line, for a file that cannot be read, that fails, or that holds no suite.
    """
    place = path.resolve()
    try:
        digest = sha256(place.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    stored = _LOADED.get(place)
    if stored is None or stored[0] != digest:
        suite = _run(path, place)
        _LOADED[place] = digest, suite if suite.files else replace(suite, files=(place,))
    return _LOADED[place][1]


def _run(path: Path, place: Path) -> Suite:
    name = f"veridical_suite_file_{place.stem}"
    spec = spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(place)]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        detail = " ".join(str(error).split())
        where = f"{path}, line {line}" if line else str(path)
        raise InputError(f"{where}: {type(error).__name__}: {detail}") from error
    finally:
        if not isinstance(getattr(module, ATTRIBUTE, None), Suite):
            sys.modules.pop(name, None)
    suite = getattr(module, ATTRIBUTE, None)
    if not isinstance(suite, Suite):
        raise InputError(f"{path} holds no suite: a top-level `{ATTRIBUTE} = veridical.simple_suite(…)` is needed")
    return suite
