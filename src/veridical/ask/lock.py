"""One lock for a whole run folder with its stages: only one process at a time plans, asks or writes in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from veridical.base.locks import lock_now, opened_folder
from veridical.errors import InputError


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Locks the run folder for this process; a missing folder is created.

    A created folder that stays empty is removed afterwards. Raises `InputError` if another process holds the lock, or
    if the folder cannot be created.
    """
    existed = folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = opened_folder(folder)
    except OSError as error:
        raise InputError(f"{folder} cannot be used: {error.strerror}") from error
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
    if not lock_now(file):
        raise InputError(f"another process is writing to {folder}: wait for it, or stop it")
