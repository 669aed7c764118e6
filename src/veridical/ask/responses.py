"""The append-only file of responses; a process killed at any moment tears at most one line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import Self

from veridical.ask.folder import lock
from veridical.ask.response_lines import attempt_of, damaged_lines_error, lines_of, response_line
from veridical.ask.trial_table import no_collection
from veridical.base.files import LOCKS
from veridical.errors import InputError
from veridical.records import Response

_SYNC_SECONDS = 1.0


def every_response(path: Path) -> Iterator[Response]:
    """All responses of a file in the order of writing, each attempt once (see `contradictions`).

    A last line without a line feed is torn and not read; a missing file has no responses. Raises `InputError` with the
    line number if a complete line is not a response.
    """
    seen: set[tuple[str, int, int]] = set()
    stored = lines_of(path)
    for line in stored:
        if line.response is None:
            raise damaged_lines_error(path, line, stored)
        attempt = attempt_of(line.response)
        if attempt not in seen:
            seen.add(attempt)
            yield line.response


def last_attempts(responses: Iterable[Response]) -> dict[tuple[str, int], Response]:
    """The response that counts for each trial and repeat, which is that of the highest attempt."""
    last: dict[tuple[str, int], Response] = {}
    with no_collection():
        for response in responses:
            key = response.trial, response.repeat
            if key not in last or response.attempt > last[key].attempt:
                last[key] = response
    return last


def set_aside(path: Path, lines: Iterable[bytes]) -> Path:
    """Appends damaged lines to the file `responses.torn` beside a file of responses, and returns its path."""
    torn = path.with_suffix(".torn")
    with torn.open("ab") as aside:
        for line in lines:
            aside.write(line.rstrip(b"\n") + b"\n")
        aside.flush()
        os.fsync(aside.fileno())
    return torn


class Writer:
    """Appends responses, one complete line each, to a file that only one process at a time may hold.

    Each line is passed to the operating system before `append` returns, and synced to disk within about a second and at
    the close. A torn last line of a killed process is moved to `responses.torn` before anything is appended; `torn` has
    its content. Raises `InputError` if another process writes to the file, or if the disk is full; lines appended
    before stay complete.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            # Windows would write two bytes for the end of a line into a file that is not opened as binary.
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._file = os.open(path, flags, 0o666)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from error
        try:
            lock(self._file, path.parent)
            self._require_in_place()
            self.torn, self._size = self._set_torn_line_aside()
        except BaseException:
            os.close(self._file)
            raise
        self._synced = monotonic()

    def append(self, response: Response) -> None:
        """Writes one response as one line."""
        line = response_line(response)
        try:
            done = 0
            while done < len(line):
                done += os.write(self._file, line[done:])
            self._size += len(line)
            if monotonic() - self._synced >= _SYNC_SECONDS:
                self._sync()
        except OSError as error:
            os.ftruncate(self._file, self._size)
            raise self._full(error) from error

    def close(self) -> None:
        """Syncs everything to disk and releases the file."""
        try:
            self._sync()
        except OSError as error:
            raise self._full(error) from error
        finally:
            os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _sync(self) -> None:
        os.fsync(self._file)
        self._synced = monotonic()

    def _full(self, error: OSError) -> InputError:
        remedy = "earlier responses are stored; free some space and restart to continue"
        return InputError(f"{self._path} cannot be written: {error.strerror}; {remedy}")

    def _require_in_place(self) -> None:
        """Raises `InputError` if the opened file was replaced by another before it was locked.

        Windows replaces no file that is open, and on some of its network drives a file has another number each time.
        """
        if LOCKS and not os.path.samestat(os.fstat(self._file), self._path.stat()):
            raise InputError(f"another process is writing to {self._path.parent}: wait for it, or stop it")

    def _set_torn_line_aside(self) -> tuple[bytes, int]:
        content = self._path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            set_aside(self._path, [content[whole:]])
            os.ftruncate(self._file, whole)
        return content[whole:], whole
