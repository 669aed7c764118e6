"""The contents of client exceptions: HTTP status, body, requested pause, network error.

They are recognized by their attributes, not by their classes, so no provider's package is imported.
"""

from __future__ import annotations

import errno
import os
import re
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

from veridical.records import Json

_DELAY = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s")
_DEEPEST = 6


def client_error(error: Exception) -> BaseException:
    """The exception that a client raised, without its wrappers."""
    from tenacity import RetryError

    inner: BaseException = error
    if isinstance(error, RetryError):
        inner = error.last_attempt.exception() or error
    if type(inner).__name__ == "ModelGenerateError" and inner.__cause__ is not None:
        inner = inner.__cause__
    # Clients report anything that happens while they wait for a reply as a network failure.
    chain = _chain(inner)
    return next((each for each in chain if "ReplyError" in (base.__name__ for base in type(each).__mro__)), inner)


def body_of(error: BaseException) -> Json:
    """The body of the reply in a client's exception, decoded if the client decoded it."""
    for name in ("body", "details"):
        held = getattr(error, name, None)
        if isinstance(held, Mapping | list | str | bytes) and held:
            return held
    response = getattr(error, "response", None)
    if isinstance(response, Mapping):
        return response.get("Error") or {}
    try:
        text = getattr(response, "text", None)
    except Exception:  # noqa: BLE001 - a body that was not read, or is not text, is of no use
        return None
    return text if isinstance(text, str) else None


def status_of(error: BaseException) -> int | None:
    """The HTTP status of the reply in a client's exception; `None` if there is none, or it is a success."""
    response = getattr(error, "response", None)
    if isinstance(response, Mapping):
        held = response.get("ResponseMetadata")
        status = held.get("HTTPStatusCode") if isinstance(held, Mapping) else None
        return status if isinstance(status, int) and 300 <= status < 600 else None
    for holder in (error, response):
        names = ("status_code", "status", "code")
        status = next((value for name in names if isinstance(value := getattr(holder, name, None), int)), 0)
        if 300 <= status < 600:
            return status
    return None


def wait_of(error: BaseException) -> float:
    """The pause in seconds that the reply headers in a client's exception request."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    return seconds_to_wait(headers) if isinstance(headers, Mapping) else 0.0


def root_of(error: BaseException) -> BaseException:
    """The first exception of a chain."""
    return _chain(error)[-1]


def network_fact(error: BaseException) -> str:
    """The operating system's reason for a network error, else the error's name."""
    chain = _chain(error)
    reason = next(
        (reason for each in reversed(chain) if isinstance(each, OSError) and (reason := _system_reason(each))), None
    )
    name = type(chain[-1]).__name__
    return f"{name}: {reason}" if reason else name


def _system_reason(error: OSError) -> str | None:
    if isinstance(error, ssl.SSLError):
        return getattr(error, "verify_message", None) or error.reason
    number = error.errno or 0
    return os.strerror(number) if number in errno.errorcode else error.strerror


def _chain(error: BaseException | None) -> list[BaseException]:
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.append(error)
        group = getattr(error, "exceptions", None)
        error = group[0] if group else error.__cause__ or error.__context__
    return chain


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
