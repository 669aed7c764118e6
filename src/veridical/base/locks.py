"""Exclusive locks on open files and folders; they end when the descriptor is closed, also by a crash.

Windows has no such locks and cannot open folders; some network file systems have none either. There, processes that
write to one folder are not kept apart.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:
    LOCKS = False
else:
    LOCKS = True
"""Whether this platform locks open files."""


def lock(file: int) -> None:
    """Locks an open file or folder for this process, after waiting for a process that holds the lock."""
    if LOCKS:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)


def lock_now(file: int) -> bool:
    """Locks an open file or folder for this process; false if another process holds the lock."""
    if LOCKS:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
    return True


def opened_folder(folder: Path) -> int | None:
    """A descriptor of a folder, open for locking; `None` where there are no locks."""
    return os.open(folder, os.O_RDONLY) if LOCKS else None
