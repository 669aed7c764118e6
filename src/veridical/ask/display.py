"""The progress display of a run: live on a terminal, plain lines elsewhere, always on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Literal, Self

from veridical.base.format import span
from veridical.records import Response

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

Mode = Literal["auto", "live", "plain", "quiet"]
_EVERY_SECONDS = 10.0
_EVERY_PART = 0.1
_FIRST = 20
"""How many requests must have ended before a time is told."""
_LEFT = "{task.fields[left]}"
_WIDE = 100
_BESIDE = 47
"""What a row of a board takes besides the name and the bar: counts, rate and errors, time, and spaces."""


class Progress:
    """The events that `ask` reports; each trial counts once per repeat. This one shows nothing."""

    def start(self, done: int) -> None:
        """Asking begins; `done` trials already have a reply."""

    def advance(self, response: Response) -> None:
        """An attempt ended."""

    def connections(self, number: int, *, settled: bool) -> None:
        """So many stimuli are asked about at a time, until the end if that is `settled`."""

    def remark(self, line: str) -> None:
        """Something happened that a person should know, and asking goes on."""

    def stop(self, *, interrupted: bool, limit: str | None = None) -> None:
        """Asking ended: everything was asked, the user interrupted it, or it reached the named limit."""

    def abandon(self) -> None:
        """Asking failed; the failure is reported elsewhere."""


def progress(total: int, mode: Mode = "auto", title: str | None = None) -> Progress:
    """The progress of a run of `total` trials; `auto` is live if standard error is a terminal, else plain.

    `title` identifies the stage of the run.
    """
    if mode == "quiet":
        return Progress()
    if mode == "live" or (mode == "auto" and sys.stderr.isatty()):
        return Live(total, title)
    return LineProgress(total, title=title)


class AttemptCount:
    """The counts since the start, and their text; `requests` since the number of connections changed last."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = self.before = self.errors = self.tokens_in = self.tokens_out = 0
        self.requests = 0
        self.connections: int | None = None
        self.settled = True
        self.began = self.first = monotonic()

    def start(self, done: int) -> None:
        self.done = self.before = done
        self.began = monotonic()

    def add(self, response: Response) -> None:
        self.done += 1
        self.errors += response.error is not None
        if response.requests:
            self.first = self.first if self.requests else monotonic()
            self.requests += 1
        self.tokens_in += response.input_tokens or 0
        self.tokens_out += response.output_tokens or 0

    def connect(self, number: int, *, settled: bool) -> None:
        if self.connections not in (None, number):
            self.requests = 0
        self.connections, self.settled = number, settled

    def rate(self) -> float:
        return (self.done - self.before) / max(monotonic() - self.began, 1e-9)

    def left(self) -> str:
        """How long the rest takes at the rate since the first request, which goes alone; empty at the beginning.

        It begins with "<" while more connections may come, which would make it shorter.
        """
        if self.requests < _FIRST:
            return ""
        seconds = (monotonic() - self.first) / (self.requests - 1) * (self.total - self.done)
        return span(seconds) if self.settled else f"< {span(seconds)}"

    def short(self) -> str:
        return f"{self.rate():.1f}/s, {self.errors} {'error' if self.errors == 1 else 'errors'}"

    def facts(self) -> str:
        wide = "" if self.connections is None else f", {self.connections} at a time"
        return f"{self.short()}{wide}, {self.tokens_in:,} tokens in, {self.tokens_out:,} out"


class LineProgress(Progress):
    """A line at the start, about every 10 s or 10 %, and at the end."""

    def __init__(self, total: int, write: Callable[[str], object] | None = None, title: str | None = None) -> None:
        self._count = AttemptCount(total)
        opening = "" if title is None else f"{_printable(title)}: "
        write_line = write or (lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201 - its purpose
        self._write: Callable[[str], object] = lambda line: write_line(opening + line)
        self._last_line = (0, 0.0)

    def start(self, done: int) -> None:
        self._count.start(done)
        self._last_line = (done, monotonic())
        self._write(f"asking {self._count.total - done} of {self._count.total} trials")

    def advance(self, response: Response) -> None:
        count = self._count
        count.add(response)
        done, when = self._last_line
        if count.done - done >= _EVERY_PART * count.total or monotonic() - when >= _EVERY_SECONDS:
            self._last_line = (count.done, monotonic())
            about = "about" if count.settled else "at most"
            left = f", {about} {count.left().removeprefix('< ')} left" if count.left() else ""
            self._write(f"{count.done}/{count.total}, {count.facts()}{left}")

    def connections(self, number: int, *, settled: bool) -> None:
        self._count.connect(number, settled=settled)

    def remark(self, line: str) -> None:
        self._write(line)

    def stop(self, *, interrupted: bool, limit: str | None = None) -> None:
        count = self._count
        end = _end(interrupted, limit) or "ended"
        self._write(f"{end}: {count.done}/{count.total}, {count.facts()}, in {span(monotonic() - count.began)}")


class Live(Progress):
    """A bar with its counts, redrawn a few times a second."""

    def __init__(self, total: int, title: str | None = None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Bar

        self._count = AttemptCount(total)
        self._title = "" if title is None else _printable(title)
        named = (TextColumn("{task.description}", markup=False),) if self._title else ()
        columns = (*named, BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[facts]}"), TextColumn(_LEFT))
        self._bar = Bar(*columns, console=Console(stderr=True), redirect_stdout=False, redirect_stderr=False)
        self._task = self._bar.add_task(self._title, total=self._count.total, facts="", left="")

    def start(self, done: int) -> None:
        self._count.start(done)
        self._bar.update(self._task, completed=done)
        self._bar.start()

    def advance(self, response: Response) -> None:
        self._count.add(response)
        count = self._count
        self._bar.update(self._task, completed=count.done, facts=count.facts(), left=count.left())

    def connections(self, number: int, *, settled: bool) -> None:
        self._count.connect(number, settled=settled)

    def remark(self, line: str) -> None:
        self._bar.console.print(line, markup=False, highlight=False)

    def stop(self, *, interrupted: bool, limit: str | None = None) -> None:
        if end := _end(interrupted, limit):
            self._bar.update(self._task, facts=f"{end}, {self._count.facts()}", left="")
        self._bar.stop()

    def abandon(self) -> None:
        self._bar.remove_task(self._task)
        self._bar.stop()


class RunBoard:
    """One display of several runs by their names: a row each on a terminal, lines that begin with the name elsewhere.

    While it is entered, `of` gives the progress of a run, as `progress` does; a run may have several, one a stage.
    """

    def __init__(self, names: Sequence[str], mode: Mode = "auto") -> None:
        self._names, self._mode = list(names), mode
        self._bar: Bar | None = None
        self._rows: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        if self._mode == "live" or (self._mode == "auto" and sys.stderr.isatty()):
            self._bar = _bar()
            for name in self._names:
                self._rows[name] = self._bar.add_task(
                    _printable(name), total=None, facts="waiting", left="", start=False
                )
            self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._bar:
            self._bar.stop()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Within it nothing is drawn, so that a person can be asked."""
        if self._bar:
            self._bar.stop()
        yield
        if self._bar:
            self._bar.start()

    def of(self, name: str, total: int, stage: str | None = None) -> Progress:
        """The progress of a run, or of a `stage` of it, which has a row of its own."""
        if self._mode == "quiet":
            return Progress()
        title = name if stage is None else f"{name}, {stage}"
        if self._bar is None:
            return LineProgress(total, title=f"{title} ({self._names.index(name) + 1} of {len(self._names)})")
        if title not in self._rows:
            self._rows[title] = self._bar.add_task(_printable(title), total=total, facts="", left="")
        return _Row(total, self._bar, self._rows[title], _printable(title))

    def tell(self, name: str, what: str) -> None:
        """Says in a run's row what became of it."""
        if self._bar:
            self._bar.update(self._rows[name], facts=what)


class _Row(Progress):
    """A run on a board that others are on as well."""

    def __init__(self, total: int, bar: Bar, row: TaskID, name: str) -> None:
        self._count, self._bar, self._row, self._name = AttemptCount(total), bar, row, name

    def start(self, done: int) -> None:
        self._count.start(done)
        self._bar.start_task(self._row)
        self._bar.update(self._row, total=self._count.total, completed=done, facts="")

    def advance(self, response: Response) -> None:
        self._count.add(response)
        count = self._count
        self._bar.update(self._row, completed=count.done, facts=count.short(), left=count.left())

    def connections(self, number: int, *, settled: bool) -> None:
        self._count.connect(number, settled=settled)

    def remark(self, line: str) -> None:
        self._bar.console.print(f"{self._name}: {line}", markup=False, highlight=False)

    def stop(self, *, interrupted: bool, limit: str | None = None) -> None:
        self._bar.update(self._row, facts=_end(interrupted, limit) or self._count.short(), left="")
        self._bar.stop_task(self._row)

    def abandon(self) -> None:
        self._bar.update(self._row, facts="refused", left="")
        self._bar.stop_task(self._row)


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar
    from rich.table import Column

    console = Console(stderr=True)
    bar = 20 if console.width >= _WIDE else 10
    room = Column(overflow="ellipsis", no_wrap=True, max_width=max(8, console.width - bar - _BESIDE))
    name = TextColumn("{task.description}", markup=False, table_column=room)
    facts = TextColumn("{task.fields[facts]}", markup=False, table_column=Column(overflow="ellipsis", no_wrap=True))
    columns = (name, BarColumn(bar_width=bar), MofNCompleteColumn(), facts, TextColumn(_LEFT))
    return Bar(*columns, console=console, redirect_stdout=False, redirect_stderr=False)


def _printable(title: str) -> str:
    return "".join(char if char.isprintable() else " " for char in title)[:80]


def _end(interrupted: bool, limit: str | None) -> str | None:
    return "interrupted" if interrupted else f"stopped at {limit}" if limit else None
