"""What Anthropic's client makes of everything that a server of its format may send."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.ask.plans import plan
from tests.ask.server import Reply, Server
from tests.wire.wired import KEY, ONE_BY_ONE, Case, differences, fails, kept, put, refusal_of
from veridical.ask import Sampling
from veridical.errors import InputError

MODEL = "anthropic/claude-sonnet-5"
# As many as ask for no stream.
SHORT = Sampling(max_tokens=100)
COUNTED = {
    "input_tokens": 10,
    "output_tokens": 2,
    "cache_creation_input_tokens": 4,
    "cache_read_input_tokens": 3,
    "output_tokens_details": {"thinking_tokens": 0},
}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said, "citations": None}


def message(*content: Any, stop: str = "end_turn", usage: Any = COUNTED, **fields: Any) -> Reply:
    """A message of the model `claude-served`."""
    body = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-served", "content": list(content)}
    return Reply(body={**body, "stop_reason": stop, "stop_sequence": None, "usage": usage, **fields})


def error(status: int, kind: str, said: str = "no", **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"type": "error", "error": {"type": kind, "message": said}, "request_id": "req_1"}
    return Reply(status, body, named)


GOOD = message(text("Yes"))
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
CASES = {
    "plain": kept(
        GOOD,
        text="Yes",
        stop_reason="stop",
        input_tokens=17,
        output_tokens=2,
        cached_tokens=3,
        cache_write_tokens=4,
        served_model="claude-served",
    ),
    "two blocks of text": kept(message(text("Ye"), text("s")), text="Yes"),
    "thinking": kept(message(THOUGHT, text("Yes")), text="Yes", reasoning="hm"),
    "thinking that nobody counted": kept(
        message(THOUGHT, text("Yes"), usage={"input_tokens": 10, "output_tokens": 2}), text="Yes", reasoning="hm"
    ),
    "thinking that is not shown": kept(
        message({"type": "redacted_thinking", "data": "c2VjcmV0"}, text("Yes")), text="Yes", reasoning=None
    ),
    "nothing said": kept(message(), "unparsed", text=""),
    "length": kept(message(stop="max_tokens"), "truncated", text="", stop_reason="max_tokens"),
    "a refusal": kept(message(text("I w"), stop="refusal"), "refused", refused=True, text="I w"),
    "a refusal with a reason": kept(
        message(stop="refusal", stop_details={"type": "refusal", "category": "cyber", "explanation": "no"}),
        "refused",
        refused=True,
        text="",
    ),
    "a filter": kept(
        error(400, "invalid_request_error", "Output blocked by content filtering policy"),
        "refused",
        refused=True,
        text="",
        input_tokens=None,
    ),
    "an overflow": Case(
        error(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        "error",
        facts={"error": "context_overflow", "text": ""},
    ),
    "429 once": Case(error(429, "rate_limit_error"), "answered", requests=2, then=GOOD, facts={"text": "Yes"}),
    "429 with a time": Case(
        error(429, "rate_limit_error", retry_after="0.5"), "answered", requests=2, then=GOOD, pause=0.5
    ),
    "429": fails(error(429, "rate_limit_error"), "rate_limit", "HTTP 429 (rate_limit_error)"),
    "529": fails(error(529, "overloaded_error", "Overloaded"), "server", "HTTP 529 (overloaded_error)"),
    "500": fails(error(500, "api_error"), "server"),
    "504": fails(error(504, "timeout_error"), "server"),
    "503, a page": fails(Reply(503, b"<html><title>Down</title></html>", {"content-type": "text/html"}), "server"),
    "401": fails(error(401, "authentication_error", f"invalid {KEY}"), "auth", "HTTP 401 (authentication_error)"),
    "403": fails(error(403, "permission_error"), "auth"),
    "404": fails(error(404, "not_found_error", "model: x"), "not_found", "HTTP 404 (not_found_error)"),
    "400": fails(error(400, "invalid_request_error", "bad picture"), "bad_request", "HTTP 400"),
    "413": fails(
        error(413, "request_too_large", "Request exceeds the maximum size"),
        "bad_request",
        "HTTP 413: the server takes smaller requests",
    ),
    "too many pictures": fails(
        error(400, "invalid_request_error", "too many images and documents: 120 + 0 > 100"),
        "bad_request",
        "HTTP 400: the server takes at most 100 pictures in one request",
    ),
    "a picture of too many bytes": fails(
        error(400, "invalid_request_error", "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum"),
        "bad_request",
        "HTTP 400: the server takes pictures of at most 5 MB",
    ),
    "400 without a body": fails(Reply(400, b""), "bad_request", "HTTP 400"),
    "an error with HTTP 200": fails(
        Reply(200, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        "server",
        "HTTP 200 with an error (overloaded_error)",
    ),
    "no JSON": fails(Reply(200, b'{"id": '), "not_json"),
    "a page": fails(Reply(200, b"<html>", {"content-type": "text/html"}), "not_json"),
    "an empty body": fails(Reply(200, b""), "not_json"),
    "cut": fails(Reply(cut=True), "connection"),
    "a torn body": fails(Reply(torn=True, body=GOOD.body), "connection"),
    "no usage": kept(message(text("Yes"), usage=None), text="Yes", input_tokens=None, output_tokens=None),
    "a usage in part": kept(
        message(text("Yes"), usage={"input_tokens": 10, "output_tokens": 2}), input_tokens=10, cached_tokens=None
    ),
    "content that is a text": kept(message(content="Yes"), text="Yes"),
}


def events(*parts: dict[str, Any]) -> Reply:
    """A stream of events."""
    lines = "".join(f"event: {part['type']}\ndata: {json.dumps(part)}\n\n" for part in parts)
    return Reply(200, lines.encode(), {"content-type": "text/event-stream"})


def streamed(*blocks: tuple[dict[str, Any], dict[str, Any]], stop: str = "end_turn", usage: Any = COUNTED) -> Reply:
    """A message as a stream: each block as it starts, and what is added to it."""
    start = {**message().body, "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    parts: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, (block, delta) in enumerate(blocks):
        parts += [
            {"type": "content_block_start", "index": index, "content_block": block},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    stopped = {"stop_reason": stop, "stop_sequence": None}
    parts.append({"type": "message_delta", "delta": stopped, "usage": {"output_tokens": 2}})
    return events(*parts, {"type": "message_stop"})


SAYS = text(""), {"type": "text_delta", "text": "Yes"}
THINKS = {"type": "thinking", "thinking": "", "signature": ""}, {"type": "thinking_delta", "thinking": "hm"}
STARTED = {"type": "message_start", "message": {**message().body, "stop_reason": None}}
STREAMED = {
    "plain": kept(
        streamed(SAYS),
        text="Yes",
        input_tokens=17,
        output_tokens=2,
        cached_tokens=3,
        cache_write_tokens=4,
        served_model="claude-served",
    ),
    "thinking": kept(streamed(THINKS, SAYS), text="Yes", reasoning="hm"),
    "thinking that nobody counted": kept(
        streamed(THINKS, SAYS, usage={"input_tokens": 10, "output_tokens": 1}), text="Yes", reasoning="hm"
    ),
    "length": kept(streamed(stop="max_tokens"), "truncated", text=""),
    "a refusal": kept(streamed(stop="refusal"), "refused", refused=True),
    "overloaded in the middle": fails(
        events(STARTED, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        "server",
        "HTTP 529 (overloaded_error)",
    ),
    "an unknown error in the middle": fails(
        events(STARTED, {"type": "error", "error": {"type": "odd_error", "message": "odd"}}), "server"
    ),
    "a filter in the middle": kept(
        events(STARTED, {"type": "error", "error": {"type": "invalid_request_error", "message": "content filtering"}}),
        "refused",
        refused=True,
        text="",
    ),
    "429": fails(error(429, "rate_limit_error"), "rate_limit"),
    "cut": fails(Reply(cut=True), "connection"),
    "no stream": fails(Reply(200, b"<html>", {"content-type": "text/html"}), "not_json"),
    "an empty stream": fails(events(), "connection"),
    "an ended stream": fails(events(STARTED), "connection"),
}


@pytest.fixture(autouse=True)
def _reached(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url.removesuffix("/v1"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


def test_each_reply_is_kept_and_each_fault_told_as_what_it_is(tmp_path: Path, server: Server):
    found = differences(tmp_path, server, MODEL, GOOD, CASES, path="/v1/messages".__eq__, sampling=SHORT)
    assert not found, "\n".join(found)
    assert all(KEY in str(request.headers) for request in server.requests)


def test_so_is_each_stream(tmp_path: Path, server: Server):
    found = differences(tmp_path, server, MODEL, streamed(SAYS), STREAMED, path="/v1/messages".__eq__)
    assert not found, "\n".join(found)
    assert all(request.body["stream"] for request in server.requests)


FIRST = {
    "a key": (
        error(401, "authentication_error", f"invalid x-api-key {KEY}"),
        "(HTTP 401 (authentication_error), it says: invalid x-api-key [redacted]): set ANTHROPIC_API_KEY",
    ),
    "a name": (
        error(404, "not_found_error", "model: claude-x"),
        "(HTTP 404 (not_found_error), it says: model: claude-x): check the model's name 'anthropic/claude-sonnet-5'",
    ),
    "a picture": (
        error(400, "invalid_request_error", "Could not process image"),
        "(HTTP 400, it says: Could not process image): check the model's name 'anthropic/claude-sonnet-5', and that",
    ),
    "credit": (error(402, "billing_error", "Your credit balance is too low"), "says: Your credit balance is too low)"),
    "the network": (Reply(cut=True), "cannot be reached ("),
}


@pytest.mark.parametrize("name", FIRST)
def test_the_first_failure_ends_the_run_in_the_servers_words(tmp_path: Path, server: Server, name: str):
    reply, told = FIRST[name]
    assert told in refusal_of(tmp_path, server, MODEL, reply)


@pytest.mark.parametrize("setting", ["temperature", "top_p"])
def test_sampling_that_would_be_left_out_in_silence_is_refused(tmp_path: Path, setting: str):
    with pytest.raises(
        InputError, match=rf"^{setting} 0\.5: the provider of model '{MODEL}' does not support it; leave it out$"
    ):
        put(tmp_path, MODEL, plan(1, 1), ONE_BY_ONE, Sampling(**{setting: 0.5}))
