"""Atomic file writes: a reader never sees a partial file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from veridical.base.locks import LOCKS, lock


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, which replaces `path` atomically if the block ends without an error.

    After a crash the file has the old content or the new; the next write overwrites a leftover temporary file. If two
    processes write the same file, one waits for the other. Missing folders are created. Raises `OSError` if the file
    cannot be written.
    """
    with alone(path) as temporary:
        yield temporary
        synced(temporary)
        temporary.replace(path)


def write_whole(path: Path, data: bytes) -> Path:
    """Writes the bytes to the path atomically, as `replacing` does, and returns the path."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)
    return path


@contextmanager
def alone(path: Path) -> Iterator[Path]:
    """A temporary path for the new content of a file, locked for this process until the block ends.

    The block moves it into place. If the block ends with an error, the temporary file is deleted.
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
    """Flushes a file to the disk."""
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _locked(place: Path) -> int | None:
    """A descriptor of the file, open and locked; `None` where there are no locks: Windows cannot move an open file."""
    if not LOCKS:
        return None
    while True:
        file = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
        lock(file)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file), place.stat()):
                return file
        os.close(file)  # the process that held the lock has moved the file away
