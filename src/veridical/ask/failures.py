"""Classification of failed requests: the kind of failure, and whether to retry."""

from __future__ import annotations

import errno
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from veridical.ask.exceptions import (
    body_of,
    client_error,
    code_of,
    network_fact,
    own_words,
    root_of,
    seconds_in_body,
    status_in,
    status_of,
    wait_of,
    words,
)
from veridical.ask.size_refusals import SizeRefusal, size_refusal
from veridical.errors import InputError
from veridical.records import Json

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

_OF_STATUS: dict[int, Kind] = {401: "auth", 402: "auth", 403: "auth", 404: "not_found", 408: "timeout", 409: "server"}
# Providers' client libraries share these names, not their classes; the first match in an error's ancestry decides.
_NAMES: dict[Kind, str] = {
    "timeout": "AttemptTimeoutError StreamIdleTimeoutError APITimeoutError TimeoutException ServerTimeoutError "
    "ReadTimeoutError ConnectTimeoutError TimeoutError",
    "connection": "APIConnectionError TransportError ClientConnectionError ClientPayloadError HTTPClientError "
    "ConnectionError SSLError gaierror herror IncompleteRead NoStreamDataError StreamEndedError",
    "not_json": "NoJsonError APIResponseValidationError UnknownApiResponseError ContentTypeError DecodingError "
    "JSONDecodeError UnicodeDecodeError",
    "missing": "NoReplyInAnswersFile",
    "bad_request": "PromptRefused",
}
_OF_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_UNREACHABLE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EADDRNOTAVAIL}
_OVERFLOW = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum model length|max_model_len|input length|(?:prompt|input) is too long|"
    r"maximum number of (?:input )?tokens|too many input tokens",
    re.IGNORECASE,
)
# Google and xAI answer a wrong key with the status of a bad request.
_NO_KEY = re.compile(
    r"api[ _]key (?:not|is not|is in)\s?valid|(?:incorrect|invalid) api key|API_KEY_INVALID", re.IGNORECASE
)
_NO_QUOTA = re.compile(r"\bquota\b.*\blimit: 0\b", re.IGNORECASE | re.DOTALL)
# Parts of the names that servers use for failures that come with HTTP 200.
_CODES: dict[Kind, tuple[str, ...]] = {
    "rate_limit": ("rate_limit", "ratelimit", "resource_exhausted"),
    "auth": ("authentication", "permission"),
    "not_found": ("not_found",),
    "context_overflow": ("context_length",),
    "timeout": ("timeout",),
    "bad_request": ("invalid", "badrequest"),
}

_log = logging.getLogger("veridical.ask")


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A kind of failure with a short fact (`detail`, in our own words) and the stated `reason`.

    `reason` is the server's or else the client's own text, in one line of at most 2,000 characters. It may quote the
    request, so it is shown to the user and never stored. A `past` failure happened in another run and comes from a
    file of answers, so it is not retried. `size` says what a server takes that refused a request for its pictures.
    """

    kind: Kind
    detail: str
    reason: str = ""
    retry_after: float = 0.0
    past: bool = False
    size: SizeRefusal | None = None

    @property
    def again(self) -> bool:
        """Whether the same request may succeed later."""
        return self.kind in _AGAIN and not self.past


NO_CHOICES = Failure(kind="no_choices", detail="the reply has no choices")
NO_COMPLETION = Failure(kind="not_json", detail="the reply is not a chat completion")
CONTEXT_OVERFLOW = Failure(kind="context_overflow", detail="the context length is exceeded")


class ReplyError(Exception):
    """An error reply with HTTP 200; `body` is the whole body or the error in it."""

    def __init__(self, body: Json) -> None:
        super().__init__(words(body))
        self.body = body


class NoJsonError(ReplyError):
    """A reply with HTTP 200 whose `body`, a text, is not JSON; usually the page of a proxy."""


class StreamEndedError(ReplyError):
    """A streamed reply whose stream ended before the reply did."""


def failure_of(error: Exception, timeout: int) -> Failure:
    """The failure that an exception of a model call means; an `InputError` is raised again."""
    inner = client_error(error)
    if isinstance(inner, InputError):
        raise inner
    names = [base.__name__ for base in type(inner).__mro__]
    if "ErrorInAnswersFile" in names:
        past_kind: Kind = next((each for each in KINDS if str(inner) == each), "unknown")
        return Failure(kind=past_kind, detail="ErrorInAnswersFile", past=True)
    kind = next((_OF_NAME[name] for name in names if name in _OF_NAME), None)
    status = status_of(inner)
    if status is not None and kind != "not_json":
        return _of_status(inner, status)
    if isinstance(inner, OSError) and inner.errno in _UNREACHABLE:
        kind = "connection"
    if kind is not None:
        return _of_kind(inner, kind, timeout)
    if "OpenAIResponseError" in names and "non-ChatCompletion" in str(inner):
        return NO_COMPLETION
    if names[0] in ("ReplyError", "APIError", "OpenAIResponseError", "_UnclassifiedStreamError"):
        return failure_in_reply(body_of(inner) or {"code": getattr(inner, "code", None), "message": str(inner)})
    if _NO_QUOTA.search(str(inner)):
        return Failure(kind="auth", detail="a quota of 0", reason=own_words(inner))
    _log.debug("a model call failed in an unknown way", exc_info=inner)
    return Failure(kind="unknown", detail=names[0], reason=own_words(inner))


def failure_in_reply(body: Json) -> Failure:
    """The failure for an error with HTTP 200, by its stated status or name; otherwise a server failure.

    >>> found = failure_in_reply({"error": {"code": 429, "message": "slow down"}})
    >>> found.kind, found.detail, found.reason
    ('rate_limit', 'HTTP 200 with an error (429)', 'slow down')
    """
    reason, code, status = words(body), code_of(body), status_in(body)
    named = code.lower()
    if status is not None:
        kind = _kind_of_status(status, reason, code)
    else:
        kind = next((kind for kind, parts in _CODES.items() if any(part in named for part in parts)), "server")
        kind = "context_overflow" if kind == "bad_request" and _OVERFLOW.search(reason) else kind
    fact = str(status) if status is not None else code if kind != "bad_request" else ""
    return Failure(
        kind=kind,
        detail="HTTP 200 with an error" + (f" ({fact})" if fact else ""),
        reason=reason,
        retry_after=seconds_in_body(body),
    )


def _of_kind(error: BaseException, kind: Kind, timeout: int) -> Failure:
    if kind == "timeout":
        return Failure(kind=kind, detail=f"no reply within {timeout} s")
    if kind == "connection":
        return Failure(kind=kind, detail=network_fact(error), reason=own_words(root_of(error)))
    if kind == "missing":
        return Failure(kind=kind, detail="there is no reply to this trial")
    if kind == "bad_request":
        return Failure(kind=kind, detail="the prompt is not accepted", reason=own_words(error))
    sent = getattr(error, "doc", None) or body_of(error)
    return Failure(kind=kind, detail="the reply is not JSON", reason=words(sent))


def _of_status(error: BaseException, status: int) -> Failure:
    body = body_of(error)
    reason, code = words(body), code_of(body)
    kind = _kind_of_status(status, reason, code)
    if kind == "auth" and isinstance(body, Mapping) and _moderated(body):
        kind = "bad_request"
    if kind == "rate_limit" and _NO_QUOTA.search(reason):
        kind = "auth"
    size = size_refusal(status, f"{code} {reason}") if kind == "bad_request" else None
    return Failure(
        kind=kind,
        detail=f"HTTP {status}" + (f" ({code})" if code and kind != "bad_request" else ""),
        size=size,
        reason=reason if reason or getattr(error, "response", None) is not None else own_words(error),
        retry_after=wait_of(error) or seconds_in_body(body),
    )


def _kind_of_status(status: int, reason: str, code: str) -> Kind:
    if status == 429:
        return "rate_limit"
    if status >= 500:
        return "server"
    if status in _OF_STATUS:
        return _OF_STATUS[status]
    if not 400 <= status < 500:
        return "unknown"
    if status == 400 and _NO_KEY.search(f"{reason} {code}"):
        return "auth"
    return "context_overflow" if _OVERFLOW.search(f"{reason} {code}") else "bad_request"


def _moderated(body: Mapping[str, Json]) -> bool:
    """Whether a router refused the content of a request, not its sender (OpenRouter's 403 with reasons)."""
    inner = body.get("error")
    metadata = (inner if isinstance(inner, Mapping) else body).get("metadata")
    return isinstance(metadata, Mapping) and bool(metadata.keys() & {"reasons", "flagged_input"})
