"""Checks that a path holds a run, a stimulus set, a file or a folder, before anything is read from it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from veridical.errors import InputError

RUN, MANIFEST = "run.json", "manifest.json"


def require_run(folder: Path) -> None:
    """Raises `InputError` for a folder without a `run.json`."""
    _require(folder, RUN, f"{folder} holds no run: {RUN} is missing", "run")


def require_set(folder: Path) -> None:
    """Raises `InputError` for a folder without the `manifest.json` of a stimulus set."""
    half = " (it is only partly made: make it again with the same options)" * (folder / ".parts").exists()
    _require(folder, MANIFEST, f"{folder} holds no stimulus set{half}", "stimulus set")


def require_file(path: Path) -> None:
    """Raises `InputError` for a path that is not a file."""
    if not path.is_file():
        raise InputError(f"{path} cannot be read: {'Is a directory' if path.is_dir() else 'No such file or directory'}")


def require_folder(path: Path, what: str) -> None:
    """Raises `InputError`, which begins with `what`, for a path that is not a folder."""
    if not path.is_dir():
        raise InputError(f"{what} {path}: {'Not a directory' if path.exists() else 'No such file or directory'}")


def path_from(start: Path, place: Path) -> str:
    """The relative path, with slashes, that leads from the folder `start` to a place; absolute from another drive.

    >>> path_from(Path("a/b"), Path("a/c/d.png"))
    '../c/d.png'
    """
    try:
        return Path(os.path.relpath(place, start)).as_posix()
    except ValueError:  # on Windows no path leads from one drive to another
        return place.resolve().as_posix()


def sort_paths(paths: Iterable[Path]) -> list[Path]:
    """Paths, sorted alike on every platform: Windows would sort them without regard to case.

    >>> from pathlib import PureWindowsPath
    >>> [path.name for path in sort_paths([PureWindowsPath("b.mp4"), PureWindowsPath("C.mp4")])]
    ['C.mp4', 'b.mp4']
    """
    return sorted(paths, key=lambda path: path.parts)


def _require(folder: Path, name: str, missing: str, what: str) -> None:
    if folder.is_file():
        raise InputError(f"{folder} is not a folder, so it holds no {what}")
    if not (folder / name).exists():
        raise InputError(missing)
