"""What routers and servers of one's own send in OpenAI's format, in the shapes that each of them has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ask.server import Reply, Server, completion, said
from tests.wire.wired import KEY, Case, differences, fails, kept, refusal_of

GOOD = said("Yes")
LIMITED = {"retry-after": "0.5"}


def routed(code: int, words: str, raw: Any = None, **metadata: Any) -> dict[str, Any]:
    """An error of OpenRouter's, with what the provider behind it said."""
    behind = {"raw": raw, "provider_name": "Some"} if raw is not None else {}
    return {"error": {"code": code, "message": words, "metadata": {**behind, **metadata}}, "user_id": "user_1"}


def served(code: int, words: str, kind: str) -> dict[str, Any]:
    """An error of vLLM's and SGLang's."""
    return {"object": "error", "message": words, "type": kind, "param": None, "code": code}


LONG = "This model's maximum context length is 2048 tokens. However, you requested 9000 tokens."
INPUT = [{"loc": ["body", "top_p"], "msg": "Input should be less than 1", "input": {"messages": "equally long"}}]
OPENROUTER = {
    "plain": kept(
        Reply(body={**GOOD.body, "model": "anthropic/claude-x", "provider": "Some"}),
        text="Yes",
        served_model="anthropic/claude-x",
    ),
    "a cache": kept(
        said(
            "Yes",
            usage={
                "prompt_tokens": 10,
                "completion_tokens": 2,
                "total_tokens": 12,
                "prompt_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 4},
                "cost": 0.01,
            },
        ),
        input_tokens=10,
        cached_tokens=3,
        cache_write_tokens=4,
    ),
    "a thought": kept(said("Yes", reasoning="hm"), text="Yes", reasoning="hm"),
    "a thought in details": kept(
        said("Yes", reasoning="hm", reasoning_details=[{"type": "reasoning.text", "text": "hm", "index": 0}]),
        text="Yes",
        reasoning="hm",
    ),
    "content in parts": kept(said([{"type": "text", "text": "Yes"}]), text="Yes"),
    "429": fails(Reply(429, routed(429, "Rate limited")), "rate_limit"),
    "502": fails(Reply(502, routed(502, "Provider returned error", '{"error": "down"}')), "server"),
    "401": fails(Reply(401, routed(401, "User not found.")), "auth"),
    "402": fails(Reply(402, routed(402, "Insufficient credits")), "auth"),
    "403, what was asked": fails(Reply(403, routed(403, "flagged", reasons=["x"], flagged_input="y")), "bad_request"),
    "404": fails(Reply(404, routed(404, "No endpoints found for x.")), "not_found"),
    "400": fails(Reply(400, routed(400, "Provider returned error", "bad picture")), "bad_request", "HTTP 400"),
    "an overflow behind": fails(
        Reply(400, routed(400, "Provider returned error", {"error": {"message": LONG}})), "context_overflow"
    ),
    "an error with HTTP 200": fails(Reply(200, routed(502, "no provider")), "server", "HTTP 200 with an error (502)"),
    "a limit with HTTP 200": fails(Reply(200, routed(429, "slow")), "rate_limit", "HTTP 200 with an error (429)"),
    "an error for a choice": fails(
        Reply(
            body=completion(
                [
                    {
                        "index": 0,
                        "finish_reason": "error",
                        "error": {"code": 502, "message": "cut"},
                        "message": {"content": "Y"},
                    }
                ]
            )
        ),
        "server",
        "HTTP 200 with an error (502)",
    ),
    "no JSON": fails(Reply(200, b"{"), "not_json"),
    "cut": fails(Reply(cut=True), "connection"),
}
OLLAMA = {
    "plain": kept(GOOD, text="Yes"),
    "a thought": kept(said("Yes", reasoning="hm"), text="Yes", reasoning="hm"),
    "length": kept(said("", finish="length"), "truncated"),
    "404": fails(Reply(404, {"error": "model 'x' not found"}), "not_found"),
    "400": fails(Reply(400, {"error": {"message": "no images", "type": "api_error", "code": None}}), "bad_request"),
    "500": fails(Reply(500, {"error": "llama runner process has terminated"}), "server"),
    "503": fails(Reply(503, {"error": "server busy, please try again"}), "server"),
    "an error with HTTP 200": fails(Reply(200, {"error": "out of memory"}), "server", "HTTP 200 with an error"),
    "cut": fails(Reply(cut=True), "connection"),
}
VLLM = {
    "plain": kept(GOOD, text="Yes"),
    "a thought": kept(said("Yes", reasoning_content="hm"), text="Yes", reasoning="hm"),
    "no details": kept(
        said(
            "Yes",
            usage={"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12, "prompt_tokens_details": None},
        ),
        input_tokens=10,
        cached_tokens=None,
    ),
    "400": fails(Reply(400, served(400, "bad picture", "BadRequestError")), "bad_request"),
    "422": fails(Reply(422, {"detail": INPUT}), "bad_request", "HTTP 422"),
    "404": fails(Reply(404, served(404, "The model `x` does not exist.", "NotFoundError")), "not_found"),
    "an overflow": Case(
        Reply(400, served(400, LONG, "BadRequestError")), "error", facts={"error": "context_overflow", "text": ""}
    ),
    "an overflow in an error": Case(
        Reply(400, {"error": served(400, LONG, "BadRequestError")}),
        "error",
        facts={"error": "context_overflow", "text": ""},
    ),
    "500": fails(Reply(500, served(500, "EngineCore died", "InternalServerError")), "server"),
    "500 as text": fails(Reply(500, b"Internal Server Error", {"content-type": "text/plain"}), "server"),
    "401": fails(Reply(401, {"error": "Unauthorized"}), "auth"),
    "429 with a time": Case(Reply(429, {"detail": "busy"}, LIMITED), "answered", requests=2, then=GOOD, pause=0.5),
    "cut": fails(Reply(cut=True), "connection"),
}
PROVIDERS = {
    "openrouter/some/model": ("OPENROUTER", OPENROUTER),
    "ollama/some-model": ("OLLAMA", OLLAMA),
    "vllm/some-model": ("VLLM", VLLM),
    "openai-api/my-lab/some-model": ("MY_LAB", VLLM | OPENROUTER),
}
# inspect-ai asks every model of one name at the first place that it was given for it in a process.
FIRST = {
    "a key": (
        "openrouter/some/model",
        Reply(401, routed(401, f"No auth credentials found: {KEY}")),
        "(HTTP 401, it says: No auth credentials found: [redacted]): set OPENROUTER_API_KEY",
    ),
    "what stands behind": (
        "openrouter/some/model",
        Reply(400, routed(400, "Provider returned error", '{"error": {"message": "Image too small"}}')),
        "(HTTP 400, it says: Provider returned error: Image too small): check the model's name 'openrouter/some/model'",
    ),
    "a name": (
        "ollama/some-model",
        Reply(404, {"error": 'model "x" not found, try pulling it first'}),
        "it says: model \"x\" not found, try pulling it first): check the model's name 'ollama/some-model' and the",
    ),
    "what FastAPI refuses": (
        "vllm/one-model",
        Reply(422, {"detail": INPUT}),
        "(HTTP 422, it says: body.top_p: Input should be less than 1): check",
    ),
    "a service of one's own": (
        "openai-api/my-lab/some-model",
        Reply(403, b"<html><head><title>403 Forbidden</title></head></html>", {"content-type": "text/html"}),
        "refuses the key (HTTP 403, it says: 403 Forbidden): set MY_LAB_API_KEY",
    ),
    "the network": ("vllm/another-model", Reply(cut=True), "cannot be reached ("),
}


@pytest.fixture(autouse=True)
def _reached(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, _ in PROVIDERS.values():
        monkeypatch.setenv(f"{name}_BASE_URL", server.url)
        monkeypatch.setenv(f"{name}_API_KEY", KEY)


@pytest.mark.parametrize("model", PROVIDERS)
def test_each_reply_is_kept_and_each_fault_told_as_what_it_is(tmp_path: Path, server: Server, model: str):
    cases = PROVIDERS[model][1]
    found = differences(tmp_path, server, model, GOOD, cases, path="/v1/chat/completions".__eq__)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", FIRST)
def test_the_first_failure_ends_the_run_in_the_servers_words(tmp_path: Path, server: Server, name: str):
    model, reply, told = FIRST[name]
    assert told in refusal_of(tmp_path, server, model, reply)
