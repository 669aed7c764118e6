"""Replies are read as servers write them; what is none is a failure of its kind, and nothing raises."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import READERS, plan, put, trial_of
from tests.ask.server import Reply, Server, completion, said
from veridical.ask import Policy, Run
from veridical.ask.clients import ModelReply as Replied
from veridical.ask.clients.completion import read_completion, token_count
from veridical.ask.failures import KINDS, Failure

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)
KEYS = ("choices", "message", "content", "type", "text", "refusal", "reasoning", "usage", "error", "code", "model")
SHAPED = st.recursive(
    JSON, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
)


def read(message: Any = None, **choice: Any) -> Replied | Failure:
    body = completion([{"index": 0, "message": message, "finish_reason": "stop", **choice}])
    return read_completion(json.dumps(body).encode())


def text_part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


MESSAGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "text": ({"content": "Yes"}, {"text": "Yes", "reasoning": None, "refused": False}),
    "parts": ({"content": [text_part("Ye"), text_part("s")]}, {"text": "Yes"}),
    "output parts": ({"content": [{"type": "output_text", "text": "Yes"}]}, {"text": "Yes"}),
    "bare parts": ({"content": ["Ye", "s"]}, {"text": "Yes"}),
    "thinking part": (
        {"content": [{"type": "thinking", "thinking": [text_part("hm")]}, text_part("Yes")]},
        {"text": "Yes", "reasoning": "hm"},
    ),
    "refusal part": ({"content": [{"type": "refusal", "refusal": "I won't"}]}, {"text": "I won't"}),
    "reasoning_content": ({"content": "Yes", "reasoning_content": "hm"}, {"text": "Yes", "reasoning": "hm"}),
    "reasoning": ({"content": "Yes", "reasoning": "hm"}, {"text": "Yes", "reasoning": "hm"}),
    "reasoning_details": (
        {"content": "Yes", "reasoning_details": [{"type": "reasoning.text", "text": "a"}, {"summary": "b"}, {}]},
        {"text": "Yes", "reasoning": "a\n\nb"},
    ),
    "a think block": ({"content": "<think>\nhm\n</think>\n\nYes"}, {"text": "Yes", "reasoning": "hm"}),
    "a block never ended": ({"content": "<think>hm Yes"}, {"text": "<think>hm Yes", "reasoning": None}),
    "nothing": ({"content": None}, {"text": ""}),
    "no content": ({}, {"text": ""}),
    "no parts": ({"content": []}, {"text": ""}),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_is_read_as_servers_write_it(name: str):
    message, expected = MESSAGES[name]
    reply = read(message)
    assert {key: getattr(reply, key) for key in expected} == expected


FOREIGN: dict[str, tuple[Any, str]] = {
    "an error": ({"error": {"message": "m", "code": 502}}, "server"),
    "an error with a word": ({"error": {"message": "m", "code": "rate_limited"}}, "rate_limit"),
    "an error of the request": ({"error": {"message": "m", "code": "400"}}, "bad_request"),
    "an error of the key": ({"error": {"message": "m", "code": 401}}, "auth"),
    "an error of the length": ({"error": {"message": "prompt is too long", "code": 400}}, "context_overflow"),
    "an error in a choice": (completion([{"error": {"code": 429, "message": "slow"}, "message": {}}]), "rate_limit"),
    "a word": ("Yes", "not_json"),
    "a list": ([1], "not_json"),
    "no choices": ({"id": "x"}, "no_choices"),
    "choices of another kind": ({"choices": {"a": 1}}, "not_json"),
    "a choice of another kind": ({"choices": ["Yes"]}, "not_json"),
    "no message": ({"choices": [{"text": "Yes"}]}, "no_choices"),
    "an empty list": ({"choices": []}, "no_choices"),
    "null": ({"choices": None}, "no_choices"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_no_reply_is_a_failure_of_its_kind(name: str):
    body, kind = FOREIGN[name]
    failure = read_completion(json.dumps(body).encode())
    assert isinstance(failure, Failure)
    assert failure.kind == kind


USAGES: dict[str, tuple[Any, tuple[int | None, int | None, int | None]]] = {
    "whole": (
        {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
        (9, 2, 4),
    ),
    "floats": ({"prompt_tokens": 9.0, "completion_tokens": 2.0}, (9, 2, None)),
    "halves": ({"prompt_tokens": 9, "completion_tokens": 2.5}, (None, None, None)),
    "partial": ({"prompt_tokens": 9}, (None, None, None)),
    "with a total": ({"prompt_tokens": 9, "total_tokens": 11}, (9, 2, None)),
    "too many": ({"prompt_tokens": 2**63, "completion_tokens": -1}, (None, None, None)),
    "words": ({"prompt_tokens": "9", "completion_tokens": True, "prompt_tokens_details": 3}, (None, None, None)),
    "a list": ([1, 2], (None, None, None)),
    "null": (None, (None, None, None)),
}


@pytest.mark.parametrize("name", USAGES)
def test_a_good_reply_is_kept_whatever_the_counts_are(tmp_path: Path, server: Server, name: str):
    usage, expected = USAGES[name]
    server.behaviour = lambda _: said("Yes", usage=usage)
    put(tmp_path, server.url, plan(1, 1))
    row = Run.open(tmp_path).outcomes(READERS).row(0, named=True)
    assert (row["status"], row["answer"]) == ("answered", "Yes")
    assert (row["input_tokens"], row["output_tokens"], row["cached_tokens"]) == expected


@given(SHAPED)
def test_any_json_is_a_reply_or_a_failure(body: Any):
    assert is_told(read_completion(json.dumps(body).encode("utf-8", "surrogatepass")))


@given(SHAPED, SHAPED, SHAPED)
def test_any_message_choice_and_usage_too(message: Any, choice: Any, usage: Any):
    inner = {**(choice if isinstance(choice, dict) else {}), "message": message}
    body = {"choices": [inner], "usage": usage}
    assert is_told(read_completion(json.dumps(body).encode("utf-8", "surrogatepass")))


@given(st.binary())
def test_any_bytes_too(body: bytes):
    assert is_told(read_completion(body))


def is_told(found: Replied | Failure) -> bool:
    """Whether what was found is a failure of a known kind, or a reply whose texts are texts and counts are counts."""
    if isinstance(found, Failure):
        return found.kind in KINDS
    texts = (found.text, found.reasoning, found.served_model)
    counts = (found.input_tokens, found.output_tokens, found.cached_tokens)
    return all(isinstance(each, str | None) for each in texts) and all(token_count(each) == each for each in counts)


def test_json_nested_without_end_is_no_json():
    failure = read_completion(b"[" * 1_000_000)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.detail) == ("not_json", "the reply is not JSON")
    assert len(failure.reason) <= 2000


def packed(reply: Reply, how: str) -> Reply:
    """A reply whose body is compressed."""
    content = json.dumps(reply.body).encode()
    body = gzip.compress(content) if how == "gzip" else zlib.compress(content)
    return Reply(body=body, headers={"content-encoding": how})


@pytest.mark.parametrize("how", ["gzip", "deflate"])
def test_a_packed_reply_is_unpacked(tmp_path: Path, server: Server, how: str):
    server.behaviour = lambda _: packed(said("Yes"), how)
    put(tmp_path, server.url, plan(1, 1))
    assert Run.open(tmp_path).outcomes(READERS)["answer"].to_list() == ["Yes"]


@pytest.mark.parametrize("status", [200, 500])
def test_a_small_packed_reply_that_unpacks_to_a_giant_one_holds_up_nobody(tmp_path: Path, server: Server, status: int):
    bomb = Reply(status, gzip.compress(bytes(200_000_000)), {"content-encoding": "gzip"})
    trials = plan(30, 1)
    bad = {trial.id for trial in trials[5:10]}
    server.behaviour = lambda request: bomb if trial_of(request) in bad else said("Yes")
    policy = Policy(max_connections=4, max_requests=2, attempt_timeout=60, backoff=0.01)
    put(tmp_path, server.url, trials, policy)
    rows = Run.open(tmp_path).outcomes(READERS)
    assert set(rows.filter(rows["error"] == "too_large")["trial"]) == bad
    assert rows["status"].to_list().count("answered") == 25
    assert rows.filter(rows["error"] == "too_large")["requests"].to_list() == [1] * 5


@pytest.mark.parametrize(("encoding", "kind"), [("gzip", "not_json"), ("br", "too_large")])
def test_what_cannot_be_unpacked_is_no_reply(tmp_path: Path, server: Server, encoding: str, kind: str):
    bad = Reply(body=b"no such thing", headers={"content-encoding": encoding})
    server.behaviour = lambda request: bad if request.number > 1 else said("Yes")
    put(tmp_path, server.url, plan(2, 1))
    assert Run.open(tmp_path).outcomes(READERS)["error"].to_list() == [None, kind]


def test_the_served_model_is_kept_with_each_reply(tmp_path: Path, server: Server):
    def behave(request):
        return Reply(body={**said("Yes").body, "model": f"served-{trial_of(request)[:4]}\x1b[31m"})

    server.behaviour = behave
    put(tmp_path, server.url, plan(3, 1))
    found = {each.trial: each.served_model for each in Run.open(tmp_path).attempts()}
    assert found == {f"p{number:03d}/q0": f"served-p{number:03d} [31m" for number in range(3)}
