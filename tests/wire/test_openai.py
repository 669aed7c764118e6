"""What OpenAI's client makes of everything that a server of either of its formats may send."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ask.server import Reply, Server, completion
from tests.wire.wired import KEY, Case, differences, fails, kept, refusal_of

CHAT, RESPONSES = "openai/gpt-4o", "openai/gpt-5"
DETAILS = {"cached_tokens": 3, "cache_write_tokens": 4}
COUNTED = {
    "prompt_tokens": 10,
    "completion_tokens": 2,
    "total_tokens": 12,
    "prompt_tokens_details": DETAILS,
    "completion_tokens_details": {"reasoning_tokens": 1},
}


def said(text: Any, *, finish: str = "stop", usage: Any = COUNTED, **message: Any) -> Reply:
    """A chat completion of the model `gpt-served`."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
    return Reply(body={**completion([choice], usage), "model": "gpt-served"})


def error(status: int, said: str = "no", code: Any = None, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, {"error": {"message": said, "type": "some", "param": None, "code": code}}, named)


def failures(good: Reply) -> dict[str, Case]:
    """What fails in both formats."""
    return {
        "429 once": Case(error(429), "answered", requests=2, then=good, facts={"text": "Yes"}),
        "429 with a time": Case(error(429, retry_after_ms="500"), "answered", requests=2, then=good, pause=0.5),
        "429": fails(error(429, code="rate_limit_exceeded"), "rate_limit", "HTTP 429 (rate_limit_exceeded)"),
        "429, no credit": fails(error(429, code="insufficient_quota"), "rate_limit", "HTTP 429 (insufficient_quota)"),
        "500": fails(error(500), "server"),
        "503, a page": fails(Reply(503, b"<html></html>", {"content-type": "text/html"}), "server", "HTTP 503"),
        "529": fails(error(529), "server"),
        "401": fails(error(401, KEY, "invalid_api_key"), "auth", "HTTP 401 (invalid_api_key)"),
        "403": fails(error(403), "auth"),
        "404": fails(error(404, code="model_not_found"), "not_found", "HTTP 404 (model_not_found)"),
        "400": fails(error(400, "Invalid image data.", "invalid_image"), "bad_request", "HTTP 400"),
        "400 as a text": fails(Reply(400, {"error": "bad"}), "bad_request", "HTTP 400"),
        "400 without a body": fails(Reply(400, b""), "bad_request", "HTTP 400"),
        "an overflow": Case(
            error(400, "maximum context length", "context_length_exceeded"),
            "error",
            facts={"error": "context_overflow", "text": ""},
        ),
        "a filtered prompt": kept(
            error(400, "Your prompt was flagged", "content_policy_violation"), "refused", refused=True, text=""
        ),
        "an invalid prompt": kept(error(400, "flagged", "invalid_prompt"), "refused", refused=True, text=""),
        "an error with HTTP 200": fails(
            Reply(body=error(502, code=502).body), "server", "HTTP 200 with an error (502)"
        ),
        "no JSON": fails(Reply(200, b'{"id": '), "not_json"),
        "a page": fails(Reply(200, b"<html>", {"content-type": "text/html"}), "not_json"),
        "an empty body": fails(Reply(200, b""), "not_json"),
        "cut": fails(Reply(cut=True), "connection"),
        "a torn body": fails(Reply(torn=True, body=good.body), "connection"),
    }


COUNTS = {"input_tokens": 10, "output_tokens": 2, "cached_tokens": 3, "cache_write_tokens": 4}
COMPLETIONS = {
    "plain": kept(said("Yes"), text="Yes", stop_reason="stop", served_model="gpt-served", **COUNTS),
    "null": kept(said(None), "unparsed", text=""),
    "length": kept(said("", finish="length"), "truncated", text="", stop_reason="max_tokens"),
    "a refusal": kept(said(None, refusal="I can't"), "refused", refused=True, text="I can't"),
    "a filter": kept(said("", finish="content_filter"), "refused", refused=True, text=""),
    "a filter in the middle": kept(said("The lin", finish="content_filter"), "refused", refused=True, text="The lin"),
    "a thought": kept(said("Yes", reasoning_content="hm"), text="Yes", reasoning="hm"),
    "content in parts": kept(said([{"type": "text", "text": "Ye"}, {"type": "text", "text": "s"}]), text="Yes"),
    "no usage": kept(said("Yes", usage=None), text="Yes", input_tokens=None, output_tokens=None),
    "a usage in part": kept(said("Yes", usage={"prompt_tokens": 10, "total_tokens": 12.0}), output_tokens=2),
    "no choices": fails(Reply(body=completion([])), "no_choices"),
}


def responded(*output: Any, usage: Any = "counted", **fields: Any) -> Reply:
    """A response of the model `gpt-served`."""
    counted = {
        "input_tokens": 10,
        "output_tokens": 2,
        "total_tokens": 12,
        "input_tokens_details": DETAILS,
        "output_tokens_details": {"reasoning_tokens": 1},
    }
    body = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-served",
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "output": list(output),
        "usage": counted if usage == "counted" else usage,
    }
    return Reply(body={**body, **fields})


def message(*content: Any) -> dict[str, Any]:
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": list(content)}


def text(said: str) -> dict[str, Any]:
    return {"type": "output_text", "text": said, "annotations": []}


def failed(code: str, said: str = "no") -> Reply:
    return responded(status="failed", error={"code": code, "message": said}, usage=None)


THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}], "content": None}
INCOMPLETE = {"status": "incomplete"}
RESPONDED = {
    "plain": kept(responded(message(text("Yes"))), text="Yes", stop_reason="stop", served_model="gpt-served", **COUNTS),
    "two parts": kept(responded(message(text("Ye"), text("s"))), text="Yes"),
    "a thought": kept(responded(THOUGHT, message(text("Yes"))), text="Yes", reasoning="hm"),
    "a hidden thought": kept(
        responded({**THOUGHT, "summary": [], "encrypted_content": "c2VjcmV0"}, message(text("Yes"))), reasoning=None
    ),
    "nothing said": kept(responded(), "unparsed", text=""),
    "length": kept(
        responded(**INCOMPLETE, incomplete_details={"reason": "max_output_tokens"}),
        "truncated",
        text="",
        stop_reason="max_tokens",
    ),
    "a refusal": kept(
        responded(message({"type": "refusal", "refusal": "I can't"})), "refused", refused=True, text="I can't"
    ),
    "a filter": kept(
        responded(**INCOMPLETE, incomplete_details={"reason": "content_filter"}), "refused", refused=True, text=""
    ),
    "a failure": fails(failed("server_error"), "server", "HTTP 200 with an error (server_error)"),
    "a failure by rate": fails(failed("rate_limit_exceeded"), "rate_limit"),
    "a failure by a picture": fails(failed("invalid_image"), "bad_request"),
    "a failure by policy": kept(failed("cyber_policy", "flagged"), "refused", refused=True, text=""),
    "no usage": kept(responded(message(text("Yes")), usage=None), text="Yes", input_tokens=None),
}
FIRST = {
    "a key": (
        error(401, f"Incorrect API key provided: {KEY}", "invalid_api_key"),
        "(HTTP 401 (invalid_api_key), it says: Incorrect API key provided: [redacted]): set OPENAI_API_KEY",
    ),
    "a name": (
        error(404, "The model `gpt-x` does not exist", "model_not_found"),
        "says: The model `gpt-x` does not exist): check the model's name 'openai/gpt-",
    ),
    "a picture": (
        error(400, "Invalid image data."),
        "(HTTP 400, it says: Invalid image data.): check the model's name 'openai/gpt-",
    ),
    "the network": (Reply(cut=True), "cannot be reached ("),
}


@pytest.fixture(autouse=True)
def _reached(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def test_each_completion_is_kept_and_each_fault_told_as_what_it_is(tmp_path: Path, server: Server):
    good = said("Yes")
    found = differences(tmp_path, server, CHAT, good, COMPLETIONS | failures(good), path="/v1/chat/completions".__eq__)
    assert not found, "\n".join(found)
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}


def test_so_is_each_response(tmp_path: Path, server: Server):
    good = responded(message(text("Yes")))
    found = differences(tmp_path, server, RESPONSES, good, RESPONDED | failures(good), path="/v1/responses".__eq__)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("model", [CHAT, RESPONSES])
@pytest.mark.parametrize("name", FIRST)
def test_the_first_failure_ends_the_run_in_the_servers_words(tmp_path: Path, server: Server, name: str, model: str):
    reply, told = FIRST[name]
    assert told in refusal_of(tmp_path, server, model, reply)
