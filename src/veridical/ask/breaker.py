"""A circuit breaker: consecutive failures of one kind, over all concurrent requests, end a start of a run."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.ask.canary import in_words
from veridical.ask.failures import KINDS, Failure, Kind
from veridical.ask.redact import Redact
from veridical.errors import InputError, unknown
from veridical.records import Trial

STOP_AFTER: Mapping[str, int] = {"auth": 3, "connection": 20, "server": 20}
"""The number of consecutive failures of a kind that stops a run; other kinds never stop it."""


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
        return f"{limit} failures in a row of the kind {kind} ({in_words(failure, trial, self._redact)})"
