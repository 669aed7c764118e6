"""What client exceptions and error bodies say: HTTP status, requested pause, network error, and the stated reason.

Exceptions are recognized by their attributes, not by their classes, so no provider's package is imported.
"""

from __future__ import annotations

import errno
import json
import os
import re
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from math import isfinite

from veridical.ask.redact import one_line
from veridical.records import Json

_DELAY = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s")
_DEEPEST_DELAY = 6


def client_error(error: Exception) -> BaseException:
    """The exception that a client raised, without its wrappers."""
    inner: BaseException = error
    if type(error).__name__ == "RetryError" and (last := getattr(error, "last_attempt", None)):
        inner = last.exception() or error
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
    delays = (_DELAY.fullmatch(text) for text in _delays(body, _DEEPEST_DELAY))
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


_LONGEST = 2000
_DEEPEST = 8
_MOST_ITEMS = 3
# Keys of a server's sentence: OpenAI, Anthropic and Google nest `message` in `error`, Ollama has only `error`,
# FastAPI (vLLM, SGLang) `detail`, gateways `errors`, OAuth `error_description`, problem+json `title`.
_SENTENCES = ("error", "message", "Message", "msg", "detail", "errors", "error_description", "error_message", "title")
_CODES = ("code", "status", "type", "Code", "reason")
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_HIDDEN = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*>", re.IGNORECASE | re.DOTALL)
_IS_HTML = re.compile(r"\s*<(?:!doctype|html|head|title|body|h1|\?xml)\b", re.IGNORECASE)
# Encoded media and keys.
_ENCODED = re.compile(r"data:[\w/+.-]*;base64,\S*|[A-Za-z0-9+/=_-]{80,}")
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{2,59}")


def words(body: Json) -> str:
    """The message in the body of an error, in one line of at most 2,000 characters; empty if there is none.

    These shapes are read, in any nesting: `error.message`, `error` or `detail` as a text, FastAPI's list of problems
    (without the repeated input), JSON within a text (OpenRouter's `error.metadata.raw`), plain text, and the title of a
    page.

    >>> words({"error": {"message": "Provider returned error", "metadata": {"raw": '{"detail": "no such model"}'}}})
    'Provider returned error: no such model'
    >>> words({"detail": [{"loc": ["body", "messages"], "msg": "Field required", "input": {"model": "m"}}]})
    'body.messages: Field required'
    >>> words("<html><title>502 Bad Gateway</title><body>nginx</body></html>")
    '502 Bad Gateway'
    """
    return one_line(_ENCODED.sub("…", _words(body, _DEEPEST)), longest=_LONGEST)


def code_of(body: Json) -> str:
    """The server's own name of a failure, such as `model_not_found` or `RESOURCE_EXHAUSTED`; empty if it has none.

    >>> code_of({"error": {"code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED"}})
    'RESOURCE_EXHAUSTED'
    """
    for level in _levels(body):
        names = [level.get(name) for name in ("code", "Code", "status")]
        kind = level.get("type")
        names += [kind] if isinstance(kind, str) and kind.endswith("_error") else []
        own_name = next((name for name in names if isinstance(name, str) and _CODE.fullmatch(name)), None)
        if own_name:
            return own_name
    return ""


def status_in(body: Json) -> int | None:
    """The HTTP status in the body of an error, whatever the status of the reply; `None` if there is none.

    >>> status_in({"error": {"code": 502, "message": "no provider"}}), status_in({"error": "down"})
    (502, None)
    """
    for level in _levels(body):
        for name in ("code", "status", "status_code"):
            value = level.get(name)
            if isinstance(value, str) and value.isdecimal() and len(value) == 3:
                value = int(value)
            if isinstance(value, int) and not isinstance(value, bool) and 400 <= value < 600:
                return value
    return None


def own_words(error: BaseException) -> str:
    """The message of an exception, in one line; a pydantic error is given without the invalid input."""
    errors = getattr(error, "errors", None)
    if type(error).__name__ == "ValidationError" and callable(errors):
        return words([{"loc": each["loc"], "msg": each["msg"]} for each in errors(include_url=False)])
    # The full text of inspect-ai's own exception repeats the request.
    text = getattr(error, "provider_message", None) or str(error)
    return one_line(_ENCODED.sub("…", str(text)), longest=_LONGEST)


def _levels(body: Json) -> Iterator[Mapping[str, Json]]:
    """An error's body and its nested `error` objects, the innermost first."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    levels: list[Mapping[str, Json]] = []
    while isinstance(body, Mapping) and len(levels) < _DEEPEST:
        levels.append(body)
        body = body.get("error")
    yield from reversed(levels)


def _words(body: Json, depth: int) -> str:
    if depth == 0 or body is None or isinstance(body, bool | int | float):
        return ""
    if isinstance(body, bytes):
        body = body.decode("utf-8", "replace")
    if isinstance(body, str):
        return _of_text(body, depth)
    if isinstance(body, list | tuple):
        parts = [_words(item, depth - 1) for item in body[:_MOST_ITEMS]]
        return "; ".join(filter(None, parts))
    return _of_object(body, depth) if isinstance(body, Mapping) else ""


def _of_object(body: Mapping[str, Json], depth: int) -> str:
    sentences = [text for name in _SENTENCES if (text := _words(body.get(name), depth - 1))]
    text = next((text for text in sentences if " " in text.strip()), sentences[0] if sentences else "")
    place = body.get("loc")
    if text and isinstance(place, list | tuple):
        text = f"{'.'.join(map(str, place))}: {text}"
    raw = body.get("metadata")
    inner = _words(raw.get("raw"), depth - 1) if isinstance(raw, Mapping) else ""
    if inner and inner not in text:
        text = f"{text}: {inner}" if text else inner
    return text or next((code for name in _CODES if isinstance(code := body.get(name), str)), "")


def _of_text(text: str, depth: int) -> str:
    text = text[: 10 * _LONGEST]
    if text.lstrip()[:1] in ("{", "["):
        try:
            inner = _words(json.loads(text), depth - 1)
        except (ValueError, RecursionError):
            inner = ""
        return inner or text
    if _IS_HTML.match(text):
        text = text[:_LONGEST]
        title = _TITLE.search(text)
        return unescape(title[1] if title and title[1].strip() else _HIDDEN.sub(" ", text))
    return text
