"""The append-only file of responses: read, and written so that a kill at any moment tears one line at most."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from veridical.ask.lock import lock
from veridical.ask.response_lines import attempt_of, damaged, lines_of, written
from veridical.errors import InputError
from veridical.records import Response

_SYNC_SECONDS = 1.0


def every_response(path: Path) -> Iterator[Response]:
    """All responses of a file in the order in which they were written, each attempt once (see `contradictions`).

    A last line without its line feed is torn and not read; a missing file holds none. Raises `InputError` with the
    line's number where a whole line is no response.
    """
    seen: set[tuple[str, int, int]] = set()
    for line in lines_of(path):
        if line.response is None:
            raise damaged(path, line)
        attempt = attempt_of(line.response)
        if attempt not in seen:
            seen.add(attempt)
            yield line.response


def last_attempts(responses: Iterable[Response]) -> dict[tuple[str, int], Response]:
    """The response that counts for each trial and repeat: that of the highest attempt."""
    found: dict[tuple[str, int], Response] = {}
    for response in responses:
        key = response.trial, response.repeat
        if key not in found or response.attempt > found[key].attempt:
            found[key] = response
    return found


def set_aside(path: Path, lines: Iterable[bytes]) -> Path:
    """The file beside a file of responses with what was damaged in it (`responses.torn`), after lines were added."""
    torn = path.with_suffix(".torn")
    with torn.open("ab") as aside:
        for line in lines:
            aside.write(line.rstrip(b"\n") + b"\n")
        aside.flush()
        os.fsync(aside.fileno())
    return torn


class Writer:
    """Appends responses, one whole line each, to a file that only one process at a time may hold.

    Each line is with the operating system when `append` returns, and on the disk within about a second of asking, and
    at the close. A torn last line, left by a kill, is moved to a file beside it (`responses.torn`) before anything is
    appended; `torn` holds what it was. Raises `InputError` where another process writes to the file, or where the disk
    takes no more; what was appended before stays whole.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
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
        line = written(response)
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
        """Brings everything to the disk and lets the file go."""
        try:
            self._sync()
        except OSError as error:
            raise self._full(error) from error
        finally:
            os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _sync(self) -> None:
        os.fsync(self._file)
        self._synced = monotonic()

    def _full(self, error: OSError) -> InputError:
        remedy = "what came before is stored; free some space and start again to go on"
        return InputError(f"{self._path} cannot be written: {error.strerror}; {remedy}")

    def _require_in_place(self) -> None:
        """Raises `InputError` where the file that was opened gave way to another before it was locked."""
        opened, there = os.fstat(self._file), self._path.stat()
        if (opened.st_dev, opened.st_ino) != (there.st_dev, there.st_ino):
            raise InputError(f"another process is writing to {self._path.parent}: wait for it, or stop it")

    def _set_torn_line_aside(self) -> tuple[bytes, int]:
        content = self._path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            set_aside(self._path, [content[whole:]])
            os.ftruncate(self._file, whole)
        return content[whole:], whole
