"""Redaction of keys and credentials in everything that is written or shown."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from veridical.errors import InputError
from veridical.records import Json

REDACTED = "[redacted]"
_SHORTEST = 6
_KEY_VARIABLE = re.compile(r"_(?:API_KEY|ACCESS_KEY|TOKEN|SECRET)$", re.IGNORECASE)
_SECRET_NAME = re.compile(
    r"(?:api[_-]?key|access[_-]?key|token|secret|password|authorization|headers|query)$", re.IGNORECASE
)

Redact = Callable[[str], str]


def clean_endpoint(url: str) -> str:
    """An endpoint as scheme, host, port and path, without user info, query, fragment and trailing slash.

    Raises `InputError`, which does not repeat the URL, if it is not an http or https URL with a host.

    >>> clean_endpoint("https://me:pw@api.example.org:8443/v1/?key=123#top")
    'https://api.example.org:8443/v1'
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise InputError("the base URL cannot be read: the form is http://HOST:PORT/v1") from error
    if parts.scheme not in ("http", "https") or not host:
        raise InputError("the base URL has no scheme or host: the form is http://HOST:PORT/v1")
    place = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, place if port is None else f"{place}:{port}", parts.path.rstrip("/"), "", ""))


def redactor(endpoint: str | None = None, *, keys: Iterable[str] = ()) -> Redact:
    """A function that replaces every known secret in a text with `[redacted]`.

    Secrets are the values of environment variables named like keys (`..._API_KEY`, `..._ACCESS_KEY`, `..._TOKEN`,
    `..._SECRET`), the `keys`, and the user info and query values of the endpoint. They are recognized raw,
    percent-encoded in any way, inside base64, and in hexadecimal. Values of fewer than 6 characters are not secrets.

    >>> hide = redactor(keys=["sesame-open"])
    >>> hide("sesame-open, s%65same%2dopen, " + b64encode(b"user:sesame-open").decode())
    '[redacted], [redacted], dXNlcjp[redacted]g=='
    """
    values = {value for name, value in os.environ.items() if _KEY_VARIABLE.search(name)}
    values.update(keys)
    if endpoint:
        values |= secrets_in_url(endpoint)
    values |= {unquote(value) for value in values}
    # A key that was read with a trailing line feed may appear without it.
    values |= {value.strip() for value in values}
    secrets = sorted((value for value in values if len(value) >= _SHORTEST), key=len, reverse=True)
    if not secrets:
        return lambda text: text
    encoded = {core for value in secrets for core in _in_base64(value)}
    literal = map(re.escape, [*secrets, *sorted(encoded, key=len, reverse=True)])
    plain = re.compile("|".join([*literal, *map(_hexadecimal, secrets)]))
    percent = re.compile("|".join(map(_percent_encoded, secrets)))

    def redact(text: str) -> str:
        # The patterns for percent-encoding are slow, and useless without these characters.
        return plain.sub(REDACTED, percent.sub(REDACTED, text) if "%" in text or "+" in text else text)

    return redact


def secrets_in_url(url: str) -> set[str]:
    """The user info of a URL and its parts, and its query and the values there."""
    parts = urlsplit(url)
    values = {parts.query, *(value for _, value in parse_qsl(parts.query))}
    user, at, _ = parts.netloc.rpartition("@")
    if at:
        values |= {user, *user.split(":", 1)}
    return values


def _percent_encoded(secret: str) -> str:
    """A pattern in which any character may be percent-encoded, and a space may be a plus sign."""
    parts = []
    for char in secret:
        bytes_of = char.encode("utf-8", "surrogatepass")
        code = "".join(f"%(?i:{byte:02x})" for byte in bytes_of)
        parts.append(f"(?:{re.escape(char)}|{code}{'|[+]' if char == ' ' else ''})")
    return "".join(parts)


def _hexadecimal(secret: str) -> str:
    """A pattern of the bytes in hexadecimal of either case, bare, with a separator between them, or escaped."""
    return (
        "(?i:"
        + r"(?:[:,\s-]|,?\s?0x|\\x)?".join(f"{byte:02x}" for byte in secret.encode("utf-8", "surrogatepass"))
        + ")"
    )


def _in_base64(secret: str) -> set[str]:
    """The substrings that a secret leaves in the base64 of any longer text, for its three possible offsets."""
    content = secret.encode("utf-8", "surrogatepass")
    cores = set()
    for before in range(3):
        # The first and last characters of a group also depend on the neighbors, unless the groups end there.
        text = b64encode(bytes(before) + content).decode().rstrip("=")
        whole = len(text) if (before + len(content)) % 3 == 0 else len(text) - 1
        core = text[(0, 2, 3)[before] : whole]
        cores |= {core, core.translate(str.maketrans("+/", "-_"))}
    return {core for core in cores if len(core) >= _SHORTEST}


def without_secrets(value: Json, redact: Redact) -> Json:
    """A JSON value with secrets redacted, and with all texts in headers, queries, and under names of keys redacted.

    >>> without_secrets({"model_args": {"api_key": "x", "stream": True}}, str)
    {'model_args': {'api_key': '[redacted]', 'stream': True}}
    """
    if isinstance(value, Mapping):
        return {
            key: without_secrets(inner, _all if _SECRET_NAME.search(key) else redact) for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_secrets(inner, redact) for inner in value]
    return redact(value) if isinstance(value, str) else value


def _all(_: str) -> str:
    return REDACTED


def one_line(text: str, longest: int = 200) -> str:
    """A text as one line of printable characters, truncated to a length.

    >>> one_line("no\\x1b[31m such\\n  model", longest=12)
    'no [31m such'
    """
    printable = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(printable.split())[:longest].rstrip()
