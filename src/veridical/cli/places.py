"""Checks of paths on the command line, before anything heavy is loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from veridical.base.places import RUN, require_file, require_folder, require_run, require_set
from veridical.errors import InputError

Callback = Callable[[Any], Any]


def _checked(check: Callable[[Path], None]) -> Callback:
    """A callback for Typer, which checks the path or paths of an argument; raises `InputError` as `check` does."""

    def callback(value: Any) -> Any:  # noqa: ANN401 (a path, several, or none)
        for path in value if isinstance(value, list | tuple) else [value]:
            if path is not None:
                check(path)
        return value

    return callback


def _run_or_set(path: Path) -> None:
    if not (path / RUN).exists():
        require_set(path)


def _no_file(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} cannot be used: Not a directory")


def _exists(path: Path) -> None:
    if not path.exists():
        raise InputError(f"{path} cannot be read: No such file or directory")


a_run = _checked(require_run)
a_set = _checked(require_set)
a_run_or_set = _checked(_run_or_set)
a_file = _checked(require_file)
a_folder_of_prompts = _checked(lambda path: require_folder(path, "prompts"))
a_folder_to_be = _checked(_no_file)
something = _checked(_exists)
