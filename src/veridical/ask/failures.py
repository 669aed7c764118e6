"""What a failed request means: which kind of failure it is, and whether to ask again."""

from __future__ import annotations

import errno
import logging
import os
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Literal, get_args

from veridical.errors import InputError

Kind = Literal[
    "timeout",
    "rate_limit",
    "server",
    "connection",
    "auth",
    "not_found",
    "bad_request",
    "no_choices",
    "context_overflow",
    "not_json",
    "too_large",
    "missing",
    "unknown",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
_AGAIN: frozenset[Kind] = frozenset({"timeout", "rate_limit", "server", "connection"})

_OF_STATUS: dict[int, Kind] = {401: "auth", 403: "auth", 404: "not_found", 408: "timeout", 409: "server"}
# Providers' client libraries share these names, not their classes; the first that an error's ancestry holds decides.
_OF_NAME: dict[str, Kind] = {
    "AttemptTimeoutError": "timeout",
    "APITimeoutError": "timeout",
    "TimeoutException": "timeout",
    "TimeoutError": "timeout",
    "APIConnectionError": "connection",
    "TransportError": "connection",
    "ClientConnectionError": "connection",
    "ConnectionError": "connection",
    "APIResponseValidationError": "not_json",
    "JSONDecodeError": "not_json",
    "NoReplyInAnswersFile": "missing",
    "PromptRefused": "bad_request",
}
_OVERFLOW = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum model length|max_model_len|input length|prompt is too long",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{2,59}")

_log = logging.getLogger("veridical.ask")


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A kind of failure with a short fact about it (`detail`, free of anybody's text), and the server's own `reason`.

    `reason` may quote the request: it is for the person who started the run, and is never stored. A failure that is
    `past` was met by another run, and is told again by a file: nothing is to be done about it now.
    """

    kind: Kind
    detail: str
    reason: str = ""
    retry_after: float = 0.0
    past: bool = False

    @property
    def again(self) -> bool:
        """Whether the same request may succeed a little later."""
        return self.kind in _AGAIN and not self.past


def failure_of(error: Exception, timeout: int) -> Failure:
    """What an exception of a model call means; `InputError`, which says it already, is raised again."""
    from tenacity import RetryError

    inner = error.last_attempt.exception() if isinstance(error, RetryError) else error
    if isinstance(inner, InputError):
        raise inner
    names = [base.__name__ for base in type(inner).__mro__]
    if "ErrorInAnswersFile" in names:
        told: Kind = next((each for each in KINDS if str(inner) == each), "unknown")
        return Failure(kind=told, detail="ErrorInAnswersFile", past=True)
    kind = next((_OF_NAME[name] for name in names if name in _OF_NAME), None)
    status = _status(inner)
    if inner is not None and status is not None and kind != "not_json":
        return _of_status(inner, status)
    if kind == "timeout":
        return Failure(kind="timeout", detail=f"no reply within {timeout} s")
    if kind == "connection":
        return Failure(kind="connection", detail=_network_reason(inner))
    if kind == "not_json":
        return Failure(kind="not_json", detail="the reply is no JSON")
    if kind == "bad_request":
        return Failure(kind="bad_request", detail="the prompt is not taken", reason=str(inner))
    if kind == "missing":
        return Failure(kind="missing", detail="there is no reply to this trial")
    if "OpenAIResponseError" in names:
        foreign = "non-ChatCompletion" in str(inner)
        return Failure(kind="not_json" if foreign else "server", detail="the reply is no chat completion")
    _log.debug("a model call failed in a way that is not known", exc_info=inner)
    return Failure(kind="unknown", detail=names[0])


def _of_status(error: BaseException, status: int) -> Failure:
    body = next(
        (held for one in (error, error.__cause__) if isinstance(held := getattr(one, "body", None), Mapping)), {}
    )
    reason, code = str(body.get("message") or ""), str(body.get("code") or "")
    kind = kind_of_status(status, f"{reason} {code}")
    named = f" ({code})" if _CODE.fullmatch(code) and kind != "bad_request" else ""
    return Failure(kind=kind, detail=f"HTTP {status}{named}", reason=reason, retry_after=_retry_after(error))


def kind_of_status(status: int, reason: str = "") -> Kind:
    """The kind of failure that an HTTP status stands for, with the reason that came with it.

    >>> kind_of_status(503), kind_of_status(400, "prompt is too long"), kind_of_status(200)
    ('server', 'context_overflow', 'unknown')
    """
    if status in _OF_STATUS:
        return _OF_STATUS[status]
    if status == 429:
        return "rate_limit"
    if 400 <= status < 500:
        return "context_overflow" if _OVERFLOW.search(reason) else "bad_request"
    return "server" if status >= 500 else "unknown"


def _status(error: BaseException | None) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "code"):
            value = getattr(holder, name, None)
            if isinstance(value, int) and 300 <= value < 600:
                return value
    return None


def _retry_after(error: BaseException | None) -> float:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return seconds_to_wait(headers) if isinstance(headers, Mapping) else 0.0


def seconds_to_wait(headers: Mapping[str, str]) -> float:
    """The pause that a reply's headers ask for, in seconds; 0 where they ask for none that can be read.

    >>> seconds_to_wait({"retry-after": "1.5"}), seconds_to_wait({"retry-after-ms": "250"})
    (1.5, 0.25)
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        try:
            seconds = float(value) * unit
        except ValueError:
            seconds = _until(value) if unit == 1.0 else 0.0
        if isfinite(seconds) and seconds > 0:
            return seconds
    return 0.0


def _until(date: str) -> float:
    try:
        then = parsedate_to_datetime(date)
    except ValueError:
        return 0.0
    return (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds()


def _network_reason(error: BaseException | None) -> str:
    """What the operating system said at the root of a network error, else the error's name."""
    name, said = type(error).__name__, None
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, OSError):
            said = _system_reason(error) or said
        name = type(error).__name__
        group = getattr(error, "exceptions", None)
        error = group[0] if group else error.__cause__ or error.__context__
    return f"{name}: {said}" if said else name


def _system_reason(error: OSError) -> str | None:
    if isinstance(error, ssl.SSLError):
        return error.reason
    number = error.errno or 0
    return os.strerror(number) if number in errno.errorcode else error.strerror
