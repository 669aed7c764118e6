"""One lock for a whole run folder with its stages: only one process at a time plans, asks or writes in it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from veridical.errors import InputError

if sys.platform != "win32":
    import fcntl


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Locks the run folder for this process; a missing folder is created.

    A created folder that stays empty is removed afterwards. Raises `InputError` if another process holds the lock, or
    if the folder cannot be created.
    """
    existed = folder.exists()
    place = _opened(folder)
    try:
        if place is not None:
            lock(place, folder)
        yield
    finally:
        if not existed:
            with suppress(OSError):
                folder.rmdir()
        if place is not None:
            os.close(place)


def lock(file: int, folder: Path) -> None:
    """Locks an open file or folder; raises `InputError`, naming the run folder, if another process holds the lock."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"another process is writing to {folder}: wait for it, or stop it") from None
    except OSError:
        # Some network file systems have no locks; a run works there, but without the guard against a second process.
        return


def _opened(folder: Path) -> int | None:
    """A descriptor of a folder, open for locking; `None` on Windows, which cannot open folders."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return None if sys.platform == "win32" else os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise InputError(f"{folder} cannot be used: {error.strerror}") from error
