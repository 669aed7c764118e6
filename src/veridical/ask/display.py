"""Telling people how a run goes: live on a terminal, in plain lines elsewhere, always on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Literal, Protocol

from veridical.records import Response

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

Mode = Literal["auto", "live", "plain", "quiet"]
_EVERY_SECONDS = 10.0
_EVERY_PART = 0.1


class Progress(Protocol):
    """What `ask` tells: how many trials (each counts once per repeat) need no asking, each response, and the end."""

    def start(self, done: int) -> None:
        """Asking begins; `done` trials have a reply from earlier."""

    def advance(self, response: Response) -> None:
        """An attempt ended."""

    def stop(self, *, interrupted: bool, limit: str | None = None) -> None:
        """Asking ended: because all was asked, because somebody interrupted it, or at a limit, which is named."""

    def abandon(self) -> None:
        """Asking failed, and the failure will be told elsewhere."""


def progress(total: int, mode: Mode = "auto", title: str | None = None) -> Progress:
    """The progress of a run of `total` trials; `auto` is live where standard error is a terminal, else plain.

    `title` tells the stages of a run apart.
    """
    if mode == "quiet":
        return Quiet()
    if mode == "live" or (mode == "auto" and sys.stderr.isatty()):
        return Live(total, title)
    return Plain(total, title=title)


class Quiet:
    """Tells nothing."""

    def start(self, done: int) -> None: ...

    def advance(self, response: Response) -> None: ...

    def stop(self, *, interrupted: bool, limit: str | None = None) -> None: ...

    def abandon(self) -> None: ...


class _Count:
    """What was counted since the start, and how it reads."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = self.before = self.errors = self.tokens_in = self.tokens_out = 0
        self.began = monotonic()

    def start(self, done: int) -> None:
        self.done = self.before = done
        self.began = monotonic()

    def add(self, response: Response) -> None:
        self.done += 1
        self.errors += response.error is not None
        self.tokens_in += response.input_tokens or 0
        self.tokens_out += response.output_tokens or 0

    def rate(self) -> float:
        return (self.done - self.before) / max(monotonic() - self.began, 1e-9)

    def facts(self) -> str:
        errors = f"{self.errors} {'error' if self.errors == 1 else 'errors'}"
        return f"{self.rate():.1f}/s, {errors}, {self.tokens_in:,} tokens in, {self.tokens_out:,} out"


class Plain:
    """A line at the start, about every 10 s or 10 %, and at the end."""

    def __init__(self, total: int, write: Callable[[str], object] | None = None, title: str | None = None) -> None:
        self._count = _Count(total)
        opening = "" if title is None else f"{_printable(title)}: "
        told = write or (lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201 - its purpose
        self._write: Callable[[str], object] = lambda line: told(opening + line)
        self._told = (0, 0.0)

    def start(self, done: int) -> None:
        self._count.start(done)
        self._told = (done, monotonic())
        self._write(f"asking {self._count.total - done} of {self._count.total} trials")

    def advance(self, response: Response) -> None:
        count = self._count
        count.add(response)
        done, when = self._told
        if count.done - done >= _EVERY_PART * count.total or monotonic() - when >= _EVERY_SECONDS:
            self._told = (count.done, monotonic())
            left = (count.total - count.done) / max(count.rate(), 1e-9)
            self._write(f"{count.done}/{count.total}, {count.facts()}, about {_span(left)} left")

    def stop(self, *, interrupted: bool, limit: str | None = None) -> None:
        count = self._count
        end = _end(interrupted, limit) or "ended"
        self._write(f"{end}: {count.done}/{count.total}, {count.facts()}, in {_span(monotonic() - count.began)}")

    def abandon(self) -> None: ...


class Live:
    """A bar with its counts, drawn anew a few times a second."""

    def __init__(self, total: int, title: str | None = None) -> None:
        self._count = _Count(total)
        self._title = "" if title is None else _printable(title)
        self._bar: Bar | None = None

    def start(self, done: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        named = (TextColumn("{task.description}", markup=False),) if self._title else ()
        columns = (*named, BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[facts]}"), TimeRemainingColumn())
        self._bar = Bar(*columns, console=Console(stderr=True), redirect_stdout=False, redirect_stderr=False)
        self._count.start(done)
        self._task = self._bar.add_task(self._title, total=self._count.total, completed=done, facts="")
        self._bar.start()

    def advance(self, response: Response) -> None:
        self._count.add(response)
        if self._bar:
            self._bar.update(self._task, completed=self._count.done, facts=self._count.facts())

    def stop(self, *, interrupted: bool, limit: str | None = None) -> None:
        if self._bar:
            if end := _end(interrupted, limit):
                self._bar.update(self._task, facts=f"{end}, {self._count.facts()}")
            self._bar.stop()

    def abandon(self) -> None:
        if self._bar:
            self._bar.remove_task(self._task)
            self._bar.stop()


def _printable(title: str) -> str:
    return "".join(char if char.isprintable() else " " for char in title)[:80]


def _end(interrupted: bool, limit: str | None) -> str | None:
    return "interrupted" if interrupted else f"stopped at {limit}" if limit else None


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(min(seconds, 3_599_999)), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
