"""What Google's client makes of everything that a server of its format may send."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ask.plans import DEFAULTS, plan
from tests.ask.server import Reply, Server
from tests.wire.wired import KEY, ONE_BY_ONE, Case, differences, fails, kept, refusal_of
from veridical.ask import Run, ask, open_model, progress
from veridical.records import Media, Message, Text

MODEL = "google/gemini-2.5-flash"
COUNTED = {
    "promptTokenCount": 10,
    "candidatesTokenCount": 2,
    "thoughtsTokenCount": 3,
    "cachedContentTokenCount": 4,
    "totalTokenCount": 15,
}
ASKED = {"promptTokenCount": 10, "totalTokenCount": 10}


def content(candidate: dict[str, Any] | None, usage: Any = COUNTED, **fields: Any) -> Reply:
    """A reply of the model `gemini-served` with a candidate, or none."""
    body = {"modelVersion": "gemini-served", "responseId": "r1", "usageMetadata": usage, **fields}
    return Reply(body=body if candidate is None else {"candidates": [candidate], **body})


def candidate(*parts: Any, finish: str | None = "STOP", **fields: Any) -> dict[str, Any]:
    said = {"content": {"role": "model", "parts": list(parts)}} if parts else {}
    return {**said, "finishReason": finish, "index": 0, **fields}


def error(status: int, state: str, said: str = "no", *details: Any, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    inner = {"code": status, "message": said, "status": state, "details": list(details)}
    return Reply(status, {"error": inner}, named)


SAYS = {"text": "Yes"}
GOOD = content(candidate(SAYS))
RATING = {"category": "HARM_CATEGORY_HARASSMENT", "probability": "HIGH", "blocked": True}
RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.5s"}
HELD = {"error": None, "text": "", "refused": True}
CASES = {
    "plain": kept(
        GOOD,
        text="Yes",
        stop_reason="stop",
        input_tokens=10,
        output_tokens=5,
        cached_tokens=4,
        served_model="gemini-served",
    ),
    "two parts": kept(content(candidate({"text": "Ye"}, {"text": "s"})), text="Yes"),
    "thoughts": kept(content(candidate({"text": "hm", "thought": True}, SAYS)), text="Yes", reasoning="hm"),
    "a signature": kept(content(candidate({**SAYS, "thoughtSignature": "c2ln"})), text="Yes", reasoning=None),
    "nothing said": kept(content(candidate()), "unparsed", text=""),
    "length": kept(content(candidate(finish="MAX_TOKENS")), "truncated", text="", stop_reason="max_tokens"),
    "a blocked prompt": Case(
        content(None, ASKED, promptFeedback={"blockReason": "SAFETY", "safetyRatings": [RATING]}), "refused", facts=HELD
    ),
    "a prompt blocked with words": Case(
        content(None, ASKED, promptFeedback={"blockReason": "OTHER", "blockReasonMessage": "no"}), "refused", facts=HELD
    ),
    "a prompt blocked for no reason": Case(content(None, None, promptFeedback={}), "refused", facts=HELD),
    "a blocked candidate": Case(content(candidate(finish="SAFETY", safetyRatings=[RATING])), "refused", facts=HELD),
    "a candidate blocked in the middle": kept(
        content(candidate({"text": "The lin"}, finish="RECITATION")), "refused", refused=True, text="The lin"
    ),
    "a forbidden candidate": Case(content(candidate(finish="PROHIBITED_CONTENT")), "refused", facts=HELD),
    "a call of a function": kept(
        content(candidate(finish="MALFORMED_FUNCTION_CALL", finishMessage="Malformed function call: print(")),
        "unparsed",
        text="",
    ),
    "another end": kept(content(candidate(finish="OTHER")), "unparsed", text="", stop_reason="unknown"),
    "an end that nobody knows": kept(content(candidate(SAYS, finish="NEW_REASON")), text="Yes", stop_reason="unknown"),
    "no candidates": fails(content(None, ASKED), "no_choices"),
    "no candidates and no counts": fails(content(None, None), "no_choices"),
    "what inspect-ai would say": kept(content(candidate({"text": "(no content)"})), text="(no content)"),
    "429 once": Case(error(429, "RESOURCE_EXHAUSTED"), "answered", requests=2, then=GOOD, facts={"text": "Yes"}),
    "429 with a time": Case(
        error(429, "RESOURCE_EXHAUSTED", retry_after="0.5"), "answered", requests=2, then=GOOD, pause=0.5
    ),
    "429 with a time in the body": Case(
        error(429, "RESOURCE_EXHAUSTED", "no", {"@type": "x"}, RETRY), "answered", requests=2, then=GOOD, pause=0.5
    ),
    "429": fails(error(429, "RESOURCE_EXHAUSTED"), "rate_limit", "HTTP 429 (RESOURCE_EXHAUSTED)"),
    "429, no quota": fails(error(429, "RESOURCE_EXHAUSTED", "You exceeded your quota, limit: 0, model: x"), "auth"),
    "503": fails(error(503, "UNAVAILABLE", "The model is overloaded."), "server", "HTTP 503 (UNAVAILABLE)"),
    "500": fails(error(500, "INTERNAL"), "server"),
    "500, a page": fails(Reply(500, b"<html></html>", {"content-type": "text/html"}), "server"),
    "504": fails(error(504, "DEADLINE_EXCEEDED"), "server"),
    "400, a key": fails(error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."), "auth"),
    "401": fails(error(401, "UNAUTHENTICATED", KEY), "auth", "HTTP 401 (UNAUTHENTICATED)"),
    "403": fails(error(403, "PERMISSION_DENIED"), "auth"),
    "404": fails(error(404, "NOT_FOUND", "models/x is not found"), "not_found", "HTTP 404 (NOT_FOUND)"),
    "404, a page": fails(Reply(404, b"<title>No</title>", {"content-type": "text/html"}), "not_found"),
    "400": fails(error(400, "INVALID_ARGUMENT", "Unable to process input image"), "bad_request", "HTTP 400"),
    "400 in a list": fails(Reply(400, [error(400, "INVALID_ARGUMENT").body]), "bad_request", "HTTP 400"),
    "an overflow": Case(
        error(400, "INVALID_ARGUMENT", "The input token count (2) exceeds the maximum number of tokens allowed (1)."),
        "error",
        facts={"error": "context_overflow", "text": ""},
    ),
    "an error with HTTP 200": fails(Reply(200, error(503, "UNAVAILABLE").body), "no_choices"),
    "no JSON": fails(Reply(200, b'{"candidates": '), "not_json"),
    "a page": fails(Reply(200, b"<html>", {"content-type": "text/html"}), "not_json"),
    "an empty body": fails(Reply(200, b""), "no_choices"),
    "cut": fails(Reply(cut=True), "connection"),
    "a torn body": fails(Reply(torn=True, body=GOOD.body), "connection"),
    "no usage": kept(content(candidate(SAYS), None), text="Yes", input_tokens=None, output_tokens=None),
    "a usage in part": kept(content(candidate(SAYS), {"promptTokenCount": 10}), text="Yes", input_tokens=10),
}
FIRST = {
    "a key": (
        error(400, "INVALID_ARGUMENT", f"API key not valid: {KEY}"),
        "says: API key not valid: [redacted]): set GOOGLE_API_KEY or GEMINI_API_KEY",
    ),
    "a name": (
        error(404, "NOT_FOUND", "models/x is not found for v1"),
        "(HTTP 404 (NOT_FOUND), it says: models/x is not found for v1): check the model's name 'google/",
    ),
    "no quota": (
        error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota. * Quota exceeded for metric: x, limit: 0"),
        "refuses the key (a quota of 0: You exceeded your current quota.",
    ),
    "the network": (Reply(cut=True), "cannot be reached (ServerDisconnectedError"),
}


@pytest.fixture(autouse=True)
def _reached(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_BASE_URL", server.url.removesuffix("/v1"))
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)


def test_each_reply_is_kept_and_each_fault_told_as_what_it_is(tmp_path: Path, server: Server):
    path = "/v1/models/gemini-2.5-flash:generateContent"
    found = differences(tmp_path, server, MODEL, GOOD, CASES, path=path.__eq__)
    assert not found, "\n".join(found)
    assert {request.headers["x-goog-api-key"] for request in server.requests} == {KEY}


@pytest.mark.parametrize("name", FIRST)
def test_the_first_failure_ends_the_run_in_the_servers_words(tmp_path: Path, server: Server, name: str):
    reply, told = FIRST[name]
    assert told in refusal_of(tmp_path, server, MODEL, reply)


def test_a_clip_is_uploaded_byte_for_byte_and_named_in_the_request(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
):
    from google.genai.types import File
    from inspect_ai.model._providers import google

    uploaded: list[Any] = []

    async def upload(_client: Any, clip: Any) -> File:
        uploaded.append(clip)
        return File(uri="https://example.org/files/1", mime_type="video/mp4")

    monkeypatch.setattr(google, "file_for_content", upload)
    server.behaviour = lambda _: GOOD
    clip = b"\0\0\0\x18ftypisom" + b"m" * 99
    shown = Message("user", (Media("media/a.mp4", "0", "video"), Text("What breaks?")))
    trial = replace(plan(1, 1)[0], messages=(shown,))
    run = Run.start(tmp_path, {"model": MODEL, "suite": "toy"}, {}, [trial], factors={})
    model = open_model(MODEL, base_url=None, model_args={}, sampling=DEFAULTS, policy=ONE_BY_ONE)
    ask(run, [trial], model, media=lambda _: clip, policy=ONE_BY_ONE, progress=progress(1, "quiet"))
    assert [(each.video, each.format) for each in uploaded] == [
        (f"data:video/mp4;base64,{b64encode(clip).decode()}", "mp4")
    ]
    (request,) = server.requests
    named = {"file_uri": "https://example.org/files/1", "mime_type": "video/mp4"}
    assert request.body["contents"][-1]["parts"] == [{"fileData": named}, {"text": "What breaks?"}]
