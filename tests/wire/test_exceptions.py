"""What the exceptions mean that clients and their transports really raise."""

from __future__ import annotations

import errno
import json
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest
from tenacity import Future, RetryError

from tests.ask.plans import plan
from tests.ask.server import Server
from tests.wire.wired import KEY, ONE_BY_ONE, put
from veridical.ask.failures import Failure, failure_of
from veridical.errors import InputError


def chained(error: Exception, cause: BaseException) -> Exception:
    error.__cause__ = cause
    return error


def of_httpx(name: str, cause: BaseException | None = None) -> Exception:
    import httpx

    error = getattr(httpx, name)("said by httpx")
    return chained(error, cause) if cause else error


def of_httpx2(name: str) -> Exception:
    import httpx2

    return getattr(httpx2, name)("said by httpx2")


def of_aiohttp(name: str) -> Exception:
    import aiohttp
    from aiohttp.client_reqrep import ConnectionKey
    from yarl import URL

    where = ConnectionKey("host", 443, True, True, None, None, None)
    made: dict[str, Callable[[], Exception]] = {
        "ClientConnectorDNSError": lambda: aiohttp.ClientConnectorDNSError(
            where, socket.gaierror(-2, "Name not known")
        ),
        "ClientOSError": lambda: aiohttp.ClientOSError(errno.ECONNRESET, "reset"),
        "ContentTypeError": lambda: aiohttp.ContentTypeError(
            aiohttp.RequestInfo(URL("http://host"), "POST", {}, URL("http://host")),  # type: ignore[arg-type]
            (),
            status=200,
            message="unexpected mimetype: text/html",
        ),
    }
    return made.get(name, lambda: getattr(aiohttp, name)("said by aiohttp"))()


def of_openai(name: str, cause: BaseException | None = None) -> Exception:
    import httpx2
    import openai

    error: Exception = getattr(openai, name)(request=httpx2.Request("POST", "http://host"))
    return chained(error, cause) if cause else error


def of_anthropic(name: str, status: int | None = None) -> Exception:
    import anthropic
    import httpx2

    request = httpx2.Request("POST", "http://host")
    if status is None:
        return getattr(anthropic, name)(request=request)
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    response = httpx2.Response(status, request=request, json=body, headers={"retry-after": "7"})
    return getattr(anthropic._exceptions, name)("Overloaded", response=response, body=body)


def of_google(name: str, status: int, body: object) -> Exception:
    from google.genai import errors

    return getattr(errors, name)(status, body)


def of_aws(status: int, code: str) -> Exception:
    from botocore.exceptions import ClientError

    held = {"Error": {"Code": code, "Message": "Too many"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(held, "Converse")


def of_inspect(name: str) -> Exception:
    from inspect_ai.model import _model

    if name == "ModelGenerateError":
        return _model.ModelGenerateError("Request: THE REQUEST", provider_message="said by the provider")
    return getattr(_model, name)(5)


def retried(error: Exception) -> Exception:
    future = Future(1)
    future.set_exception(error)
    return RetryError(future)


REFUSED = ConnectionRefusedError(errno.ECONNREFUSED, "refused")
GOOGLE = {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}
BAD_CERTIFICATE = ssl.SSLCertVerificationError(1, "certificate verify failed")
BAD_CERTIFICATE.verify_message = "self-signed certificate"
ERRORS: dict[str, tuple[Callable[[], Exception], str, str]] = {
    "httpx, refused": (lambda: of_httpx("ConnectError", REFUSED), "connection", "Connection refused"),
    "httpx, no answer": (lambda: of_httpx("RemoteProtocolError"), "connection", "RemoteProtocolError"),
    "httpx, slow": (lambda: of_httpx("ReadTimeout"), "timeout", "no reply within 5 s"),
    "httpx, no room": (lambda: of_httpx("PoolTimeout"), "timeout", "no reply within 5 s"),
    "httpx, garbled": (lambda: of_httpx("DecodingError"), "not_json", "the reply is not JSON"),
    "httpx2, cut": (lambda: of_httpx2("ReadError"), "connection", "ReadError"),
    "httpx2, slow": (lambda: of_httpx2("ConnectTimeout"), "timeout", "no reply within 5 s"),
    "aiohttp, no name": (lambda: of_aiohttp("ClientConnectorDNSError"), "connection", "Name not known"),
    "aiohttp, reset": (lambda: of_aiohttp("ClientOSError"), "connection", "Connection reset by peer"),
    "aiohttp, cut": (lambda: of_aiohttp("ServerDisconnectedError"), "connection", "ServerDisconnectedError"),
    "aiohttp, torn": (lambda: of_aiohttp("ClientPayloadError"), "connection", "ClientPayloadError"),
    "aiohttp, slow": (lambda: of_aiohttp("SocketTimeoutError"), "timeout", "no reply within 5 s"),
    "aiohttp, a page": (lambda: of_aiohttp("ContentTypeError"), "not_json", "the reply is not JSON"),
    "OpenAI, refused": (lambda: of_openai("APIConnectionError", REFUSED), "connection", "Connection refused"),
    "OpenAI, slow": (lambda: of_openai("APITimeoutError"), "timeout", "no reply within 5 s"),
    "Anthropic, slow": (lambda: of_anthropic("APITimeoutError"), "timeout", "no reply within 5 s"),
    "Anthropic, overloaded": (lambda: of_anthropic("OverloadedError", 529), "server", "HTTP 529 (overloaded_error)"),
    "Google, overloaded": (lambda: of_google("ServerError", 503, GOOGLE), "server", "HTTP 503 (UNAVAILABLE)"),
    "Google, a list": (lambda: of_google("ServerError", 503, [GOOGLE]), "server", "HTTP 503 (UNAVAILABLE)"),
    "Google, no body": (lambda: of_google("ClientError", 400, None), "bad_request", "HTTP 400"),
    "Google, an odd body": (lambda: of_google("ClientError", 429, "slow down"), "rate_limit", "HTTP 429"),
    "AWS, throttled": (lambda: of_aws(429, "ThrottlingException"), "rate_limit", "HTTP 429 (ThrottlingException)"),
    "AWS, denied": (lambda: of_aws(403, "AccessDeniedException"), "auth", "HTTP 403 (AccessDeniedException)"),
    "inspect-ai, slow": (lambda: of_inspect("AttemptTimeoutError"), "timeout", "no reply within 5 s"),
    "inspect-ai, a stalled stream": (lambda: of_inspect("StreamIdleTimeoutError"), "timeout", "no reply within 5 s"),
    "inspect-ai, a failure": (lambda: of_inspect("ModelGenerateError"), "unknown", "ModelGenerateError"),
    "no name": (lambda: socket.gaierror(-2, "Name or service not known"), "connection", "Name or service not known"),
    "no certificate": (lambda: BAD_CERTIFICATE, "connection", "self-signed certificate"),
    "no road": (lambda: OSError(errno.EHOSTUNREACH, "x"), "connection", "No route to host"),
    "no file": (lambda: FileNotFoundError(errno.ENOENT, "x"), "unknown", "FileNotFoundError"),
    "a broken pipe": (lambda: BrokenPipeError(errno.EPIPE, "x"), "connection", "Broken pipe"),
    "slow": (lambda: TimeoutError(), "timeout", "no reply within 5 s"),
    "no JSON": (lambda: json.JSONDecodeError("x", "<html>", 0), "not_json", "the reply is not JSON"),
    "no UTF-8": (lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x"), "not_json", "the reply is not JSON"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_exception_has_its_kind_alone_and_where_it_was_retried(name: str):
    make, kind, fact = ERRORS[name]
    failure = failure_of(make(), timeout=5)
    assert (failure.kind, failure.detail.endswith(fact)) == (kind, True), failure
    assert failure.again is (kind in ("timeout", "rate_limit", "server", "connection"))
    assert "THE REQUEST" not in failure.reason
    assert failure_of(retried(make()), timeout=5) == failure


def test_what_a_client_says_where_no_server_did_is_the_reason():
    assert failure_of(ValueError("odd\nthing"), 5) == Failure(kind="unknown", detail="ValueError", reason="odd thing")
    assert failure_of(of_inspect("ModelGenerateError"), 5).reason == "said by the provider"
    assert failure_of(of_httpx("RemoteProtocolError"), 5).reason == "said by httpx"


def test_what_an_overloaded_server_asks_for_is_heard():
    assert failure_of(of_anthropic("OverloadedError", 529), 5).retry_after == 7.0


def test_a_server_without_encryption_at_an_encrypted_address_is_told_as_such(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("OPENAI_BASE_URL", server.url.replace("http:", "https:"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(InputError, match=r"cannot be reached \(SSLError: \w*WRONG_VERSION_NUMBER"):
        put(tmp_path, "openai/gpt-4o", plan(2, 1), ONE_BY_ONE)
