"""Writing files so that a reader never meets half of one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TEMPORARY = re.compile(r"\.(.+?)(?:\.[\d-]+)?\.tmp")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to, which takes its place in one step where the block ends without an error.

    After a crash there is the old content or the new. Each process has a place of its own, so that of two which write
    the same file the last one wins. Missing folders are made. Raises `OSError` where the place cannot be written to.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_of(path)
    try:
        yield temporary
        synced(temporary)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_whole(path: Path, data: bytes) -> Path:
    """The path, after the bytes took its place in one step, as with `replacing`."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)
    return path


def temporary_of(path: Path, number: int | None = None) -> Path:
    """Where this process writes what is to take a file's place; by `number`, where that comes in several parts."""
    part = "" if number is None else f"-{number}"
    return path.with_name(f".{path.name}.{os.getpid()}{part}.tmp")


def is_temporary(name: str, of: str) -> bool:
    """Whether a file of this name is what a kill left of writing the file `of`.

    >>> is_temporary(".run.json.4711.tmp", "run.json"), is_temporary("run.json", "run.json")
    (True, False)
    """
    found = _TEMPORARY.fullmatch(name)
    return found is not None and found[1] == of


def synced(path: Path) -> None:
    """Brings a file to the disk."""
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)
