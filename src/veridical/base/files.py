"""Atomic file writes, so that a reader never sees a partial file, exclusive locks, names, untrusted JSON.

Locks on open files and folders end when the descriptor is closed, also by a crash. Windows has no such locks and cannot
open folders; some network file systems have none either. There, processes that write to one folder are not kept apart.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path
from shutil import rmtree
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

from veridical.errors import InputError

_STEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")

_LONGEST = 100_000_000


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


def lock_file(path: Path) -> int | None:
    """A descriptor of a file that is there to be locked, locked by it; `None` if another process holds the lock."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    if lock_now(file):
        return file
    os.close(file)
    return None


@contextmanager
def os_errors(place: object, done: str, remedy: str = "") -> Iterator[None]:
    """Turns an `OSError` of its block into an `InputError`: what cannot be `done` to which place, why, and the remedy.

    >>> with os_errors("a.csv", "read", "; save it again"):
    ...     raise FileNotFoundError(2, "No such file or directory")
    Traceback (most recent call last):
    veridical.errors.InputError: a.csv cannot be read: No such file or directory; save it again
    """
    try:
        yield
    except OSError as error:
        raise InputError(f"{place} cannot be {done}: {error.strerror or error}{remedy}") from error


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Locks a folder for this process; a missing folder is created.

    A created folder that stays empty is removed afterwards. Raises `InputError` if another process holds the lock, or
    if the folder cannot be created.
    """
    existed = folder.exists()
    with os_errors(folder, "used"):
        folder.mkdir(parents=True, exist_ok=True)
        place = opened_folder(folder)
    try:
        if place is not None:
            require_lock(place, folder)
        yield
    finally:
        if not existed:
            with suppress(OSError):
                folder.rmdir()
        if place is not None:
            os.close(place)


@contextmanager
def new_folder(place: Path) -> Iterator[Path]:
    """A temporary folder beside `place`, which becomes `place` if the block ends without an error, else is removed.

    What a process that was killed left in it is removed. Raises `InputError` if `place` holds anything, if it cannot be
    written, and while another process writes it.
    """
    place = place if place.name not in ("", "..") else place.resolve()
    temporary = place.with_name(f".{place.name}.tmp")
    with os_errors(place, "written"):
        if place.exists() and not (place.is_dir() and not any(place.iterdir())):
            raise InputError(f"{place} is not empty: choose a new or empty folder")
    with folder_lock(temporary):
        try:
            with os_errors(temporary, "written"):
                for left in temporary.iterdir():
                    rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
            yield temporary
            with os_errors(place, "written"):
                if place.exists():
                    place.rmdir()
                temporary.rename(place)
        except BaseException:
            rmtree(temporary, ignore_errors=True)
            raise


def require_lock(file: int, folder: Path) -> None:
    """Locks an open file or folder; raises `InputError`, naming the folder, if another process holds the lock."""
    if not lock_now(file):
        raise InputError(f"another process is writing to {folder}: wait for it, or stop it")


@contextmanager
def replace_atomically(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, which replaces `path` atomically if the block ends without an error.

    After a crash the file has the old content or the new; the next write overwrites a leftover temporary file. If two
    processes write the same file, one waits for the other. Missing folders are created. Raises `OSError` if the file
    cannot be written.
    """
    with locked_temporary(path) as temporary:
        yield temporary
        flush_to_disk(temporary)
        if path.is_dir():  # the error of `replace` names the temporary file
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
        temporary.replace(path)


def write_whole(path: Path, data: bytes) -> Path:
    """Writes the bytes to the path atomically, as `replace_atomically` does, and returns the path."""
    with replace_atomically(path) as temporary:
        temporary.write_bytes(data)
    return path


@contextmanager
def locked_temporary(path: Path) -> Iterator[Path]:
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


def flush_to_disk(path: Path) -> None:
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


def check_stems(kind: str, names: Iterable[str]) -> None:
    """Raises `InputError` where a name cannot be a file's, or where two differ by nothing but case."""
    seen: set[str] = set()
    for name in names:
        if not _STEM.fullmatch(name):
            raise InputError(f"{kind} name {name!r}: allowed are letters, digits, '_', '-' and '.', at most 100")
        if name.lower() in seen:
            raise InputError(f"{kind} name {name!r}: there are two of it; names must differ by more than case")
        seen.add(name.lower())


class Shape(BaseModel):
    """The required fields of a JSON object; other fields are allowed."""

    model_config = ConfigDict(extra="ignore", strict=True)


def read_json(path: Path) -> Any:  # noqa: ANN401 (JSON)
    """The value in a JSON file.

    Raises `InputError` for a file that cannot be read or is very large, ValueError for one that is not JSON or is
    nested too deeply.
    """
    with os_errors(path, "read"):
        if path.stat().st_size > _LONGEST:
            raise InputError(f"{path} is damaged: it is larger than {_LONGEST:,} bytes")
        return from_json(path.read_bytes())


def require_format(place: Path, value: Any, supported: int, *, what: str, again: str) -> None:  # noqa: ANN401 (JSON)
    """Raises `InputError` if a value does not state the supported format; `again` is the verb that recreates it."""
    stated = value.get("format") if isinstance(value, dict) else None
    if type(stated) is not int or stated != supported:
        version = str(stated)[:20]
        raise InputError(
            f"{place} is a {what} of format {version}, but this version reads {supported}: {again} it again"
        )


def require_shape(path: Path, value: Any, shape: type[BaseModel]) -> None:  # noqa: ANN401 (JSON)
    """Raises `InputError`, naming the place in the file, if a value does not have the required shape."""
    try:
        shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path} is damaged: {where}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None
