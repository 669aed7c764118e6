"""Finding files that somebody else made: inside one folder, of bounded size."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from veridical.errors import InputError

LARGEST_FILE = 1024 * 2**20


def inside(folder: Path, name: str) -> Path | None:
    """The file of that relative name in a folder, or `None` where there is none.

    Raises `InputError` for a name that is no relative path inside the folder, or a link that leads out of it.

    >>> inside(Path("mine"), "../etc/passwd")
    Traceback (most recent call last):
    ...
    veridical.errors.InputError: '../etc/passwd' is no path inside mine
    """
    path = PurePosixPath(name)
    outside = InputError(f"{name!r} is no path inside {folder}")
    if not name or "\0" in name or "\\" in name or path.is_absolute() or ".." in path.parts:
        raise outside
    try:
        place = (folder / path).resolve()
        if not place.is_relative_to(folder.resolve()):
            raise outside
        return place if place.is_file() else None
    except OSError as error:
        raise InputError(f"{name!r} cannot be a file in {folder}: {error.strerror}") from error


def content_of(path: Path) -> bytes:
    """The bytes of a file; raises `InputError` where it cannot be read, or is larger than any medium may be."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(f"{path} is larger than {LARGEST_FILE >> 20} MB, the most that is read of a medium")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
