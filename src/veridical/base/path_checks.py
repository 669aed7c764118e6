"""Checks that a path holds a run, a stimulus set, a file or a folder, before anything is read from it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from veridical.errors import InputError

RUN, MANIFEST, STUDY = "run.json", "manifest.json", "study.json"
COPY = "run.copy.json"
"""A second `run.json`: without it, nobody could say whose the stored replies are."""
STAGES = "stages"
"""The folder in a run for the later stages, each as `STAGE/FOLDER`."""
INSIDE = "inside"
"""The folder in a run for what was read from inside its model, each reading as `NAME`."""
DERIVED = ".derived"
"""The folder in a set or run for derived media, by rule: hidden, since Hugging Face's loaders skip hidden folders."""


def run_of(folder: Path) -> Path:
    """The run folder of a folder: itself, or the run that it is a stage of.

    >>> run_of(Path("run/stages/mark/judge-1")).as_posix(), run_of(Path("run")).as_posix()
    ('run', 'run')
    """
    return folder.parents[2] if folder.parent.parent.name == STAGES else folder


def derived_rule(file: str) -> str | None:
    """The first digits of a rule's digest, from the path of a medium that it derived; `None` for any other path.

    >>> derived_rule(".derived/0123456789abcdef/media/000000/000.png"), derived_rule("media/a.png")
    ('0123456789abcdef', None)
    """
    folder, _, rest = file.partition("/")
    rule, slash, _ = rest.partition("/")
    return rule if folder == DERIVED and slash else None


def holds_run(folder: Path) -> bool:
    """Whether a folder holds a run, even if its `run.json` was lost."""
    return (folder / RUN).exists() or (folder / COPY).exists()


def remedy(folder: Path, *, copied: bool | None = None) -> str:
    """What helps where the `run.json` of a run or stage is missing or damaged, as the end of a message.

    `copied` says whether its copy can be read (default: whether there is one).
    """
    command = f"; `veridical repair {run_of(folder)}`"
    if (folder / COPY).is_file() if copied is None else copied:
        return f"{command} restores it"
    return f"{command} sets the stage aside" if run_of(folder) != folder else ""


def require_run(folder: Path) -> None:
    """Raises `InputError` for a folder without a `run.json`."""
    _require(folder, RUN, f"{folder} holds no run: {RUN} is missing{remedy(folder)}", "run")


def require_set(folder: Path) -> None:
    """Raises `InputError` for a folder without the `manifest.json` of a stimulus set."""
    half = " (it is only partly made: make it again with the same options)" * (folder / ".parts").exists()
    _require(folder, MANIFEST, f"{folder} holds no stimulus set{half}", "stimulus set")


def require_study(folder: Path) -> None:
    """Raises `InputError` for a folder without a `study.json`."""
    _require(folder, STUDY, f"{folder} holds no study: {STUDY} is missing", "study")


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
