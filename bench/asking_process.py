"""A client in a process of its own: started with a terminal, watched, and measured when it has ended."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep, time

_PAGE = 4096 if sys.platform == "win32" else os.sysconf("SC_PAGE_SIZE")
_MB = 1e6
_LOOKS_EVERY = 0.02
_AT_MOST = 900.0
# `ru_maxrss` is in bytes on macOS, in KiB elsewhere.
_MAXRSS = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Ended:
    """A process that has ended: seconds since the epoch, CPU seconds, peak resident megabytes, the end of its output.

    `resident` has the megabytes when so many lines were in the watched file.
    """

    code: int
    began: float
    ended: float
    cpu: float
    peak: float
    said: str
    resident: dict[int, float] = field(default_factory=dict)


def launched(command: Sequence[str], log: Path, *, watched: Path | None = None, every: int = 1000) -> Ended:
    """What came of a command whose standard error is a terminal, so that it shows its progress as it does to people.

    Resident memory is noted whenever `every` more lines are in the file `watched` (where the system has `/proc`).
    """
    terminal, theirs = os.openpty()
    drained = threading.Thread(target=_drain, args=(terminal, log.with_suffix(".terminal")), daemon=True)
    drained.start()
    began = time()
    with log.open("wb") as out:
        process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=theirs, env=_environment()
        )
    os.close(theirs)
    watch = _Watch(process.pid, watched, every)
    until = monotonic() + _AT_MOST
    # `wait4` alone tells the peak memory of one child; `process` must not reap it first.
    while (found := os.wait4(process.pid, os.WNOHANG))[0] == 0:
        watch.look()
        if monotonic() > until:
            process.kill()
        sleep(_LOOKS_EVERY)
    ended = time()
    _, status, used = found
    process.returncode = os.waitstatus_to_exitcode(status)
    drained.join(timeout=5)
    return Ended(
        code=process.returncode,
        began=began,
        ended=ended,
        cpu=used.ru_utime + used.ru_stime,
        peak=used.ru_maxrss * _MAXRSS / _MB,
        said=_last_line(log, log.with_suffix(".terminal")),
        resident=watch.resident,
    )


class _Watch:
    """Counts the lines of a growing file and notes a process's resident memory at every so many."""

    def __init__(self, pid: int, file: Path | None, every: int) -> None:
        self.resident: dict[int, float] = {}
        self._memory = Path(f"/proc/{pid}/statm")
        self._file, self._every = file, every
        self._lines = self._read = 0

    def look(self) -> None:
        if self._file is None or not self._file.exists():
            return
        with self._file.open("rb") as file:
            file.seek(self._read)
            new = file.read()
        self._read += len(new)
        self._lines += new.count(b"\n")
        reached = self._lines // self._every * self._every
        if reached and reached not in self.resident:
            with suppress(OSError):
                self.resident[reached] = int(self._memory.read_text().split()[1]) * _PAGE / _MB


def _environment() -> dict[str, str]:
    return {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "OPENAI_API_KEY": "none"}


def _drain(terminal: int, into: Path) -> None:
    # The end of the other side is an error on Linux, an empty read elsewhere.
    with into.open("wb") as file, suppress(OSError):
        while data := os.read(terminal, 65536):
            file.write(data)
    os.close(terminal)


def _last_line(*logs: Path) -> str:
    lines = [line.strip() for log in logs for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
