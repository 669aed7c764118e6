"""The pause that a server requests, in the headers of a reply or in the body of an error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

from veridical.records import Json

_DELAY = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s")
_DEEPEST = 6


def seconds_to_wait(headers: Mapping[str, str]) -> float:
    """The pause that a reply's headers request, in seconds; 0 if they request none or it cannot be read.

    >>> seconds_to_wait({"retry-after": "1.5"}), seconds_to_wait({"retry-after-ms": "250"})
    (1.5, 0.25)
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        try:
            seconds = float(value) * unit
        except (TypeError, ValueError):
            seconds = _until(value) if unit == 1.0 else 0.0
        if isfinite(seconds) and seconds > 0:
            return seconds
    return 0.0


def seconds_in_body(body: Json) -> float:
    """The pause that the body of an error requests, in seconds, as in Google's `RetryInfo`; 0 if there is none.

    >>> seconds_in_body({"error": {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo",
    ...                                         "retryDelay": "7.5s"}]}})
    7.5
    """
    delays = (_DELAY.fullmatch(text) for text in _delays(body, _DEEPEST))
    return max((float(delay[1]) for delay in delays if delay), default=0.0)


def _delays(body: Json, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if isinstance(body, Mapping):
        delay = body.get("retryDelay")
        if isinstance(delay, str):
            yield delay
        for inner in body.values():
            yield from _delays(inner, depth - 1)
    elif isinstance(body, list):
        for inner in body:
            yield from _delays(inner, depth - 1)


def _until(date: object) -> float:
    """The seconds until an HTTP date; 0 if it cannot be read or is out of range."""
    try:
        then = parsedate_to_datetime(str(date))
        return (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError, TypeError, IndexError, AttributeError):
        return 0.0
