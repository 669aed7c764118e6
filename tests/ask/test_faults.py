"""What each fault and each reply of a server comes to: its kind, its number of requests, its status."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ask.plans import READERS, plan, put
from tests.ask.server import Reply, Server, completion, refused, said
from veridical.ask import Policy, Run
from veridical.errors import InputError
from veridical.records import OUTCOMES

ONE_AT_A_TIME = Policy(max_connections=1, max_requests=3, attempt_timeout=60, backoff=0.01)


FAULTS = {
    "429": (refused(429), "rate_limit", 3),
    "429 quota": (refused(429, code="insufficient_quota"), "rate_limit", 3),
    "408": (refused(408), "timeout", 3),
    "409": (refused(409), "server", 3),
    "500": (refused(500), "server", 3),
    "503": (refused(503), "server", 3),
    "cut connection": (Reply(cut=True), "connection", 3),
    "401": (refused(401), "auth", 1),
    "403": (refused(403), "auth", 1),
    "404": (refused(404), "not_found", 1),
    "400": (refused(400), "bad_request", 1),
    "413": (refused(413), "bad_request", 1),
    "422": (refused(422), "bad_request", 1),
    "400 context overflow by code": (refused(400, code="context_length_exceeded"), "context_overflow", 1),
    "400 context overflow by text": (
        refused(400, "This model's maximum context length is 2048 tokens. However, you requested 9000.", code=400),
        "context_overflow",
        1,
    ),
    "no JSON": (Reply(body=b'{"choices": ['), "not_json", 1),
    "no JSON and no such type": (Reply(body=b"<html>", headers={"content-type": "text/html"}), "not_json", 1),
    "empty choices": (Reply(body=completion([])), "no_choices", 1),
    "no choices at all": (Reply(body={"id": "c1"}), "no_choices", 1),
    "an error for a reply": (Reply(body={"error": "down"}), "server", 3),
    "an error for a choice": (Reply(body=completion([{"error": {"code": 429, "message": "no"}}])), "rate_limit", 3),
    "content that is no text": (said([1]), "not_json", 1),
    "a redirect to nowhere": (Reply(status=302, body={}), "unknown", 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_has_its_kind_and_its_number_of_requests(
    fault: str, tmp_path: Path, server: Server, capfd: pytest.CaptureFixture[str]
):
    reply, kind, requests = FAULTS[fault]
    server.behaviour = lambda request: said("Yes") if "p000" in request.text else reply
    put(tmp_path, server.url, plan(2, 1), ONE_AT_A_TIME)
    response = Run.open(tmp_path).responses()["p001/q0", 1]
    assert (response.error, response.requests) == (kind, requests)
    assert len(server.requests) == 1 + requests
    assert (response.text, response.input_tokens) == ("", None)
    assert response.detail
    assert len(response.detail) <= 200
    assert "equally long" not in response.detail
    assert capfd.readouterr() == ("", "")
    row = Run.open(tmp_path).outcomes(READERS).row(1, named=True)
    assert (row["status"], row["error"], row["reason"], row["answer"]) == ("error", kind, kind, None)


def test_a_request_without_reply_ends_as_a_timeout(tmp_path: Path, server: Server):
    server.behaviour = lambda request: said("Yes") if "p000" in request.text else Reply(hang=True)
    policy = Policy(max_connections=1, max_requests=2, attempt_timeout=2, backoff=0)
    put(tmp_path, server.url, plan(2, 1), policy)
    response = Run.open(tmp_path).responses()["p001/q0", 1]
    assert (response.error, response.requests, len(server.requests)) == ("timeout", 2, 3)


@pytest.mark.parametrize("fault", ["429", "500", "503", "cut connection"])
def test_a_fault_that_passes_leaves_an_answer_and_the_number_of_its_requests(
    fault: str, tmp_path: Path, server: Server
):
    faulty, answers = FAULTS[fault][0], said("Yes")
    server.behaviour = lambda request: faulty if request.number in (2, 3) else answers
    tally = put(tmp_path, server.url, plan(3, 1), ONE_AT_A_TIME)
    responses = Run.open(tmp_path).responses()
    assert [responses[f"p00{number}/q0", 1].requests for number in range(3)] == [1, 3, 1]
    assert (tally.errors, tally.requests) == (0, 5)


def test_a_canary_that_is_told_to_wait_is_asked_again(tmp_path: Path, server: Server):
    server.behaviour = lambda request: refused(503) if request.number < 3 else said("Yes")
    tally = put(tmp_path, server.url, plan(2, 1), ONE_AT_A_TIME)
    assert (tally.errors, tally.requests) == (0, 4)


@pytest.mark.parametrize("header", [{"retry_after": "0.6"}, {"retry_after_ms": "600"}])
def test_a_server_is_not_asked_before_the_time_that_it_names(tmp_path: Path, server: Server, header: dict[str, str]):
    server.behaviour = lambda request: refused(429, **header) if request.number == 1 else said("Yes")
    put(tmp_path, server.url, plan(1, 1), ONE_AT_A_TIME)
    first, second = server.requests
    assert second.at - first.at >= 0.6


REPLIES = {
    "plain": (said("Yes"), {"text": "Yes", "stop_reason": "stop", "refused": False}, "answered"),
    "null content": (said(None), {"text": "", "stop_reason": "stop", "refused": False}, "unparsed"),
    "cut by length": (said("", finish="length"), {"stop_reason": "max_tokens"}, "truncated"),
    "no usage": (said("Yes", usage=None), {"text": "Yes", "input_tokens": None, "output_tokens": None}, "answered"),
    "reasoning beside": (said("Yes", reasoning_content="hm"), {"text": "Yes", "reasoning": "hm"}, "answered"),
    "reasoning inside": (said("<think>hm</think>Yes"), {"text": "Yes", "reasoning": "hm"}, "answered"),
    "refusal": (said(None, refusal="I will not"), {"refused": True}, "refused"),
    "filtered": (said("", finish="content_filter"), {"refused": True, "stop_reason": "content_filter"}, "refused"),
    "filtered by status": (
        refused(400, "the request was blocked", code="content_filter"),
        {"refused": True, "text": "", "error": None},
        "refused",
    ),
    "content in parts": (
        said([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Ye"}, {"text": "s"}, {"type": "odd"}]),
        {"text": "Yes", "reasoning": "hm", "refused": False},
        "answered",
    ),
    "counts that are no whole numbers": (
        said("Yes", usage={"prompt_tokens": 10.0, "completion_tokens": "2"}),
        {"text": "Yes", "input_tokens": 10, "output_tokens": 2},
        "answered",
    ),
    "counts in part": (
        said("Yes", usage={"prompt_tokens": 10, "total_tokens": 12, "prompt_tokens_details": {"cached_tokens": None}}),
        {"input_tokens": 10, "output_tokens": 2, "cached_tokens": None},
        "answered",
    ),
    "too few counts": (said("Yes", usage={"prompt_tokens": 10}), {"text": "Yes", "input_tokens": None}, "answered"),
    "counts that are none": (said("Yes", usage=[1]), {"text": "Yes", "input_tokens": None}, "answered"),
    "no name and no number": (
        Reply(body={"choices": [{"message": {"role": "assistant", "content": "Yes"}}]}),
        {"text": "Yes", "stop_reason": "unknown"},
        "answered",
    ),
    "half a character": (said("a\ud800b"), {"text": "a\ufffdb"}, "answered"),
    "cached tokens": (
        said(
            "Yes",
            usage={
                "prompt_tokens": 10,
                "completion_tokens": 2,
                "total_tokens": 12,
                "prompt_tokens_details": {"cached_tokens": 7},
            },
        ),
        {"input_tokens": 10, "output_tokens": 2, "cached_tokens": 7},
        "answered",
    ),
}


@pytest.mark.parametrize("name", REPLIES)
def test_each_reply_is_kept_as_what_it_is(name: str, tmp_path: Path, server: Server):
    reply, facts, status = REPLIES[name]
    server.behaviour = lambda _: reply
    put(tmp_path, server.url, plan(1, 1))
    run = Run.open(tmp_path)
    response = run.responses()["p000/q0", 1]
    assert {key: getattr(response, key) for key in facts} == facts
    assert response.latency is not None
    outcomes = run.outcomes(READERS)
    assert outcomes.schema == OUTCOMES
    assert outcomes["status"].to_list() == [status]


CANARIES = {
    "401": (refused(401, "bad key"), "refuses the key .HTTP 401, it says: bad key.*VERIDICAL_API_KEY"),
    "404": (
        refused(404, "no model m", code="model_not_found"),
        "is not there .HTTP 404 .model_not_found.*name 'org/some-model' and the base URL",
    ),
    "400": (
        refused(400, "no pictures, please"),
        "refuses the first trial .HTTP 400, it says: no pictures, please.*name 'org/some-model', and that it takes",
    ),
    "cut": (Reply(cut=True), "cannot be reached .*that the server runs"),
}


@pytest.mark.parametrize("fault", CANARIES)
def test_a_fault_that_all_trials_would_meet_ends_the_run_after_one_request(fault: str, tmp_path: Path, server: Server):
    reply, told = CANARIES[fault]
    server.behaviour = lambda _: reply
    with pytest.raises(InputError, match=told) as caught:
        put(tmp_path, server.url, plan(5, 2))
    assert str(caught.value).startswith(f"the model 'org/some-model' at {server.url} ")
    assert "\n" not in str(caught.value)
    assert len(server.requests) == 1
    assert Run.open(tmp_path).responses() == {}
    server.behaviour = lambda _: said("Yes")
    assert put(tmp_path, server.url, plan(5, 2)).missing == 0


def test_a_server_that_is_down_ends_the_run_with_its_address(tmp_path: Path, server: Server):
    with pytest.raises(InputError, match=r"'org/some-model' at http://127\.0\.0\.1:9/v1 cannot be reached .*refused"):
        put(tmp_path, "http://127.0.0.1:9/v1", plan())
    assert Run.open(tmp_path).responses() == {}


def test_what_a_server_says_of_a_refused_first_trial_is_not_told_where_it_quotes_the_request(
    tmp_path: Path, server: Server
):
    server.behaviour = lambda request: refused(400, f"cannot take {request.text}")
    with pytest.raises(InputError, match="HTTP 400") as caught:
        put(tmp_path, server.url, plan())
    assert "equally long" not in str(caught.value)
