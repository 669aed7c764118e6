"""How a start of a run ends early: signals, a failed first request, and consecutive failures of one kind."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

from veridical.ask.failures import KINDS, Failure, Kind
from veridical.ask.models import key_variable
from veridical.ask.redact import Redact, clean_endpoint, one_line
from veridical.ask.request_limits import pictures_in
from veridical.ask.size_refusals import SizeRefusal
from veridical.errors import InputError, unknown
from veridical.records import Text, Trial

STOP_AFTER: Mapping[str, int] = {"auth": 3, "connection": 20, "server": 20}
"""The number of consecutive failures of a kind that stops a run; other kinds never stop it."""

SYSTEMATIC: frozenset[Kind] = frozenset({"auth", "not_found", "connection"})
"""Failures that would affect every other trial as well."""


def run_to_end(work: Coroutine[Any, Any, None], stopped: threading.Event) -> None:
    """Runs a coroutine to its end; if a loop already runs in this thread, in a loop of another thread.

    There, the first SIGINT or SIGTERM does what it does in `cancelled_by_signals`.
    """
    if not _in_a_loop():
        asyncio.run(work)
        return
    loop: asyncio.AbstractEventLoop | None = None
    task: asyncio.Task[None] | None = None

    async def watched() -> None:
        nonlocal loop, task
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
        if not stopped.is_set():
            await task

    def cancel() -> None:
        stopped.set()
        if loop and task:
            loop.call_soon_threadsafe(task.cancel)

    with ThreadPoolExecutor(1) as pool, _on_signal(cancel):
        pool.submit(asyncio.run, watched()).result()


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@contextmanager
def _on_signal(stop: Callable[[], None], loop: asyncio.AbstractEventLoop | None = None) -> Iterator[None]:
    """Calls the function (in the loop, if given) on the first SIGINT or SIGTERM; a second one has its usual effect."""
    earlier: dict[signal.Signals, Callable[..., Any] | int] = {}

    def restore() -> None:
        for number, handler in earlier.items():
            if loop:
                loop.remove_signal_handler(number)
            signal.signal(number, handler)
        earlier.clear()

    def first(*_: object) -> None:
        restore()
        stop()

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            earlier[number] = signal.getsignal(number) or signal.SIG_DFL
            if loop is None:
                signal.signal(number, first)
                continue
            try:
                loop.add_signal_handler(number, first)
            except NotImplementedError:  # Windows: Ctrl-C then raises KeyboardInterrupt once the file is closed
                del earlier[number]
                break
    try:
        yield
    finally:
        restore()


@contextmanager
def cancelled_by_signals(stopped: threading.Event) -> Iterator[None]:
    """The first SIGINT or SIGTERM sets the event and cancels the task; a second one has its usual effect."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()

    def stop() -> None:
        stopped.set()
        if task:
            task.cancel()

    with _on_signal(stop, loop):
        yield


def stop_after(stated: Mapping[str, int]) -> dict[str, int]:
    """The number of consecutive failures that stops a run, by kind: `STOP_AFTER` with the stated overrides; 0 is never.

    Raises `InputError` for an unknown kind and a number below 0.

    >>> stop_after({"auth": 1, "timeout": 5})
    {'auth': 1, 'connection': 20, 'server': 20, 'timeout': 5}
    """
    for kind, number in stated.items():
        if kind not in KINDS:
            raise unknown("kind of failure", kind, KINDS)
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise InputError(f"stop_after {kind}={number}: a whole number of at least 0 is allowed, 0 for never")
    return {**STOP_AFTER, **stated}


class Breaker:
    """Counts consecutive failures of one kind; a reply or a failure of another kind restarts the count."""

    def __init__(self, limits: Mapping[str, int], redact: Redact) -> None:
        self._limits, self._redact = limits, redact
        self._kind: Kind | None = None
        self._row = 0

    def add(self, failure: Failure | None, trial: Trial) -> str | None:
        """Why nothing more should be sent, once a limit of consecutive failures is reached; else `None`."""
        if failure is not None and failure.past:
            return None
        kind = None if failure is None else failure.kind
        self._row = self._row + 1 if kind == self._kind else 1
        self._kind = kind
        limit = 0 if kind is None else self._limits.get(kind, 0)
        if failure is None or not limit or self._row < limit:
            return None
        row = f"{limit} failure{'s' if limit > 1 else ''} in a row"
        return f"{row} of the kind {kind} ({failure_text(failure, trial, self._redact)})"


class TooManyPicturesError(InputError):
    """A server takes at most so many pictures in one request, and no trial has as few."""

    def __init__(self, text: str, most: int) -> None:
        super().__init__(text)
        self.most = most


class ModelEndpoint(NamedTuple):
    """A model, by inspect-ai's name for it, and its endpoint; its text is for people and has no secrets.

    >>> str(ModelEndpoint("openai-api/veridical/m", "http://me:pw@host:8000/v1"))
    "'m' at http://host:8000/v1"
    """

    model: str
    endpoint: str | None

    @property
    def name(self) -> str:
        """The model's name as the user stated it."""
        return self.model.removeprefix("openai-api/veridical/")

    def __str__(self) -> str:
        return f"'{self.name}' at {clean_endpoint(self.endpoint)}" if self.endpoint else f"'{self.name}'"


def refusal(
    failure: Failure, trial: Trial, place: ModelEndpoint, redact: Redact, better: str | None = None
) -> InputError:
    """The one-line error that ends a run at its first trial: the problem, the place, and what to do.

    `better` is an endpoint of the same server that takes questions.
    """
    if failure.size is not None:
        return _too_large(failure.size, len(pictures_in(trial)), place)
    name, url = f"'{place.name}'", " and the base URL" if place.endpoint else ""
    network = "check the base URL and that the server runs" if place.endpoint else "check the network"
    problems = {
        "auth": ("refuses the key", f"set {key_variable(place.model)}, or what models.toml names, to a valid key"),
        "not_found": ("is not there", f"check the model's name {name}{url}"),
        "connection": ("cannot be reached", network),
    }
    other = "refuses the first trial", f"check the model's name {name}, and that it takes media and these settings"
    problem, remedy = problems.get(failure.kind, other)
    remedy = f"the server answers at {better}, give that as the base URL" if better else remedy
    reason = failure_text(failure, trial, redact)
    return InputError(f"the model {place} {problem} ({reason}): {remedy}; nothing more was sent")


def refusal_of_servers(place: ModelEndpoint, failures: str) -> InputError:
    """The one-line error that ends a run whose first trial no server took; `failures` has the words of each."""
    what, remedy = ("server", "check the base URLs, the model's name and the key")
    if place.endpoint is None:
        what, remedy = ("copy", "check the nodes of the cluster and their logs")
    return InputError(
        f"no {what} of the model '{place.name}' takes the first trial ({failures}): {remedy}; nothing more was sent"
    )


def _too_large(size: SizeRefusal, shown: int, place: ModelEndpoint) -> InputError:
    if size.pictures is None:
        return InputError(f"the model {place} {size.takes}: {size.remedy(shown)}; nothing more was sent")
    text = f"the model {place} {size.takes}, the first trial has {shown:,}: {size.remedy(shown)}; nothing more was sent"
    return TooManyPicturesError(text, size.pictures)


def failure_text(failure: Failure, trial: Trial, redact: Redact) -> str:
    """A failure in one line: its detail, and the stated reason unless that repeats the request."""
    fact, reason = redact(failure.detail), one_line(redact(failure.reason), longest=160)
    if reason and fact.rpartition(": ")[2] not in reason and not _quotes(reason, trial):
        fact += f", it says: {reason}" if fact.startswith("HTTP") else f": {reason}"
    return fact


def stops(failure: Failure, *, answered: bool) -> bool:
    """Whether a failure of the very first request ends a run, because it would affect every other trial.

    Any failure that is not transient counts as one, unless something was `answered` before. A reply that is missing
    from a file of answers never ends a run.
    """
    if failure.past or failure.kind == "missing":
        return False
    return failure.kind in SYSTEMATIC or not (failure.again or answered)


def _quotes(reason: str, trial: Trial) -> bool:
    """Whether a server's reason repeats the request: an encoded picture, or any longer line of its text."""
    texts = [part.text for message in trial.messages for part in message.parts if isinstance(part, Text)]
    lines = (" ".join(line.split()) for text in texts for line in text.splitlines())
    return "base64" in reason or any(line[:40] in reason for line in lines if len(line) >= 8)
