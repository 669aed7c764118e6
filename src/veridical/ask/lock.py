"""One lock for a whole run folder, its stages included: only one process at a time plans, asks or writes there."""

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
    """Within it the run folder, which is made where it is missing, is this process's alone.

    One that was made and that nothing was written to is gone afterwards. Raises `InputError` where another process has
    it, and where it cannot be made.
    """
    there = folder.exists()
    place = _opened(folder)
    try:
        if place is not None:
            lock(place, folder)
        yield
    finally:
        if not there:
            with suppress(OSError):
                folder.rmdir()
        if place is not None:
            os.close(place)


def lock(file: int, folder: Path) -> None:
    """Locks an open file or folder; raises `InputError`, naming the run folder, where another process has it."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"another process is writing to {folder}: wait for it, or stop it") from None
    except OSError:
        # Some network file systems know no locks; a run there is as safe as before, less the guard against a second.
        return


def _opened(folder: Path) -> int | None:
    """A folder open for locking; `None` where the system opens none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return None if sys.platform == "win32" else os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise InputError(f"{folder} cannot be used: {error.strerror}") from error
