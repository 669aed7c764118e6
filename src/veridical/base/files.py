"""Writing files so that a reader never meets half of one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to, which takes its place in one step where the block ends without an error.

    After a crash there is the old content or the new; what a kill leaves of the other is written over the next time. Of
    two processes that write the same file one waits for the other. Missing folders are made. Raises `OSError` where the
    place cannot be written to.
    """
    with alone(path) as temporary:
        yield temporary
        synced(temporary)
        temporary.replace(path)


def write_whole(path: Path, data: bytes) -> Path:
    """The path, after the bytes took its place in one step, as with `replacing`."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)
    return path


@contextmanager
def alone(path: Path) -> Iterator[Path]:
    """The place where what is to take a file's place is written, this process's alone until the block ends.

    The block moves it away; where it ends with an error, nothing is left.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    file = _locked(temporary)
    try:
        yield temporary
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        if file is not None:
            os.close(file)


def synced(path: Path) -> None:
    """Brings a file to the disk."""
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _locked(place: Path) -> int | None:
    """A place open and locked for this process; `None` where the system locks nothing that is to be moved."""
    if sys.platform == "win32":
        return None
    while True:
        file = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
        # Some network file systems know no locks; two processes that write at once there are as safe as before.
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), place.stat()):
                return file
        os.close(file)  # the process that had it has moved it away
