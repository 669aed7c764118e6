"""A circuit breaker: failures of one kind in a row, over all that are asked at a time, end a start of a run."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.ask.canary import in_words
from veridical.ask.failures import KINDS, Failure, Kind
from veridical.ask.redact import Redact
from veridical.errors import InputError, unknown
from veridical.records import Trial

STOP_AFTER: Mapping[str, int] = {"auth": 3, "connection": 20, "server": 20}
"""So many failures of a kind in a row stop a run; those of other kinds never do."""


def stop_after(stated: Mapping[str, int]) -> dict[str, int]:
    """The failures in a row that stop a run, by kind, with what is stated in place of `STOP_AFTER`; 0 is never.

    Raises `InputError` for a kind that is not known and a number below 0.

    >>> stop_after({"auth": 1, "timeout": 5})
    {'auth': 1, 'connection': 20, 'server': 20, 'timeout': 5}
    """
    for kind, number in stated.items():
        if kind not in KINDS:
            raise unknown("kind of failure", kind, KINDS)
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise InputError(f"stop_after {kind}={number}: a whole number from 0 up is allowed, 0 for never")
    return {**STOP_AFTER, **stated}


class Breaker:
    """Counts failures of one kind in a row; a reply, or a failure of another kind, begins the count anew."""

    def __init__(self, limits: Mapping[str, int], redact: Redact) -> None:
        self._limits, self._redact = limits, redact
        self._kind: Kind | None = None
        self._row = 0

    def add(self, failure: Failure | None, trial: Trial) -> str | None:
        """Why nothing more should be sent, once so many failures have come in a row; else `None`."""
        if failure is not None and failure.past:
            return None
        kind = None if failure is None else failure.kind
        self._row = self._row + 1 if kind == self._kind else 1
        self._kind = kind
        limit = 0 if kind is None else self._limits.get(kind, 0)
        if failure is None or not limit or self._row < limit:
            return None
        return f"{limit} failures in a row of the kind {kind} ({in_words(failure, trial, self._redact)})"
