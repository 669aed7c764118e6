"""Asking over real HTTP: what is sent, how often, in which order, and what is kept of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from time import monotonic

import pytest

from tests.ask.plans import QUICK, READERS, picture, plan, put, trial_of
from tests.ask.server import Reply, Request, Server, completion, refused, said
from veridical.ask import Policy, Run, Sampling, ask, open_model, progress
from veridical.errors import InputError
from veridical.records import OUTCOMES, Counts

ONE_AT_A_TIME = Policy(max_connections=1, max_requests=3, attempt_timeout=5, backoff=0.01)


def test_the_bytes_of_a_picture_arrive_unchanged_and_before_its_question(tmp_path: Path, server: Server):
    put(tmp_path, server.url, plan(3, 2))
    assert len(server.requests) == 6
    for request in server.requests:
        assert [part["type"] for part in request.parts] == ["image_url", "text"]
        assert request.pictures == [picture(trial_of(request).split("/")[0])]
        assert request.body["messages"][0] == {"role": "system", "content": "Answer Yes or No."}


def test_a_server_receives_neither_trial_ids_nor_file_names(tmp_path: Path, server: Server):
    trials = plan(1, 1)
    put(tmp_path, server.url, trials)
    (request,) = server.requests
    assert set(request.body) == {"model", "messages"}
    assert "media/" not in str(request.body)
    assert str(request.body).count(trials[0].id) == 1


def test_sampling_reaches_the_server_as_it_was_given(tmp_path: Path, server: Server):
    trials = plan(1, 1)
    sampling = Sampling(temperature=0.25, max_tokens=77)
    model = open_model("m", base_url=server.url, model_args={}, sampling=sampling, policy=QUICK)
    run = Run.start(tmp_path, {"model": "m"}, {}, trials)
    ask(run, trials, model, media=picture, policy=QUICK, progress=progress(1, "quiet"))
    body = server.requests[0].body
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("m", 0.25, 77)


def test_the_questions_on_one_picture_go_in_sequence_while_pictures_go_concurrently(tmp_path: Path, server: Server):
    open_now: Counter[str] = Counter()
    overlapping: list[str] = []

    def watch(request: Request) -> Reply:
        stimulus = trial_of(request).split("/")[0]
        with server.lock:
            open_now[stimulus] += 1
            if open_now[stimulus] > 1:
                overlapping.append(stimulus)
        server.closing.wait(0.03)
        with server.lock:
            open_now[stimulus] -= 1
        return said("Yes")

    server.behaviour = watch
    put(tmp_path, server.url, plan(8, 3))
    assert overlapping == []
    assert server.most_open > 1
    for stimulus in {trial_of(request).split("/")[0] for request in server.requests}:
        asked = [trial_of(request) for request in server.requests if trial_of(request).startswith(stimulus)]
        assert asked == [f"{stimulus}/q0", f"{stimulus}/q1", f"{stimulus}/q2"]


@pytest.mark.parametrize("connections", [1, 3, 12])
def test_no_more_requests_are_open_than_connections_allow(tmp_path: Path, server: Server, connections: int):
    def wait_for_the_others(request: Request) -> Reply:
        until = monotonic() + 2
        while request.number > 1 and server.most_open < connections and monotonic() < until:
            server.closing.wait(0.01)
        return said("Yes", delay=0.02)

    server.behaviour = wait_for_the_others
    policy = Policy(max_connections=connections, max_requests=1, attempt_timeout=5, backoff=0)
    # A name of its own: the first limit that inspect-ai sees for a model holds for the process.
    put(tmp_path, server.url, plan(24, 1), policy, name=f"limited-to-{connections}")
    assert server.most_open == connections


def test_the_first_request_goes_alone(tmp_path: Path, server: Server):
    alone: list[int] = []

    def watch(request: Request) -> Reply:
        if request.number == 1:
            server.closing.wait(0.2)
            alone.append(len(server.requests))
        return said("Yes")

    server.behaviour = watch
    put(tmp_path, server.url, plan(6, 1))
    assert alone == [1]


def test_every_trial_is_asked_once_and_has_one_line(tmp_path: Path, server: Server):
    trials = plan(10, 2)
    tally = put(tmp_path, server.url, trials)
    assert Counter(map(trial_of, server.requests)) == dict.fromkeys((trial.id for trial in trials), 1)
    assert len((tmp_path / "responses.jsonl").read_bytes().splitlines()) == 20
    assert (tally.planned, tally.kept, tally.asked, tally.errors, tally.requests, tally.missing) == (
        20,
        0,
        20,
        0,
        20,
        0,
    )
    assert (tally.input_tokens, tally.output_tokens, tally.interrupted) == (200, 40, False)


def test_a_whole_run_sends_nothing_when_it_is_started_again(tmp_path: Path, server: Server):
    trials = plan()
    put(tmp_path, server.url, trials)
    tally = put(tmp_path, server.url, trials)
    assert len(server.requests) == len(trials)
    assert (tally.kept, tally.asked, tally.missing) == (len(trials), 0, 0)
    assert len(Run.open(tmp_path).executions) == 2


def test_only_trials_that_ended_in_an_error_are_asked_again_as_the_next_attempt(tmp_path: Path, server: Server):
    trials = plan(4, 2)
    bad = {"p001/q1", "p003/q0"}
    server.behaviour = lambda request: refused(400) if trial_of(request) in bad else said("Yes")
    first = put(tmp_path, server.url, trials)
    assert (first.errors, first.missing) == (2, 2)
    server.requests.clear()
    server.behaviour = lambda _: said("No")
    put(tmp_path, server.url, trials)
    assert {trial_of(request) for request in server.requests} == bad
    responses = Run.open(tmp_path).responses()
    assert {trial for (trial, _), response in responses.items() if response.attempt == 2} == bad
    assert Counts.of(Run.open(tmp_path).outcomes(READERS)).asked_again == 2


def test_a_trial_that_the_server_always_refuses_does_not_bar_the_way_of_a_run(tmp_path: Path, server: Server):
    trials = plan(3, 1)
    server.behaviour = lambda request: refused(400) if "p001" in request.text else said("Yes")
    put(tmp_path, server.url, trials[:3])
    again = put(tmp_path, server.url, trials[:3])
    assert (again.asked, again.errors, again.missing) == (1, 1, 1)


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
    "no choices at all": (Reply(body={"error": "down"}), "unknown", 1),
    "content that is no text": (said([1]), "unknown", 1),  # type: ignore[arg-type]
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
    policy = Policy(max_connections=1, max_requests=2, attempt_timeout=0.5, backoff=0)
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
        {"input_tokens": 10, "output_tokens": 2},
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
    "401": (refused(401, "bad key"), "refuses the key .HTTP 401, it says: .*bad key.*VERIDICAL_API_KEY"),
    "404": (refused(404, "no model m", code="model_not_found"), "is not there .HTTP 404 .model_not_found.*base URL"),
    "400": (refused(400, "no pictures, please"), "refuses the first trial .HTTP 400, it says: .*no pictures, please"),
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


def test_a_canary_that_only_fails_itself_is_stored_and_the_rest_goes_on(tmp_path: Path, server: Server):
    server.behaviour = lambda request: Reply(body=completion([])) if request.number == 1 else said("Yes")
    tally = put(tmp_path, server.url, plan(3, 1))
    assert (tally.asked, tally.errors) == (3, 1)


def test_a_missing_picture_ends_the_run_in_one_line_and_keeps_what_ended(tmp_path: Path, server: Server):
    trials = plan(3, 1)

    def media(file: str) -> bytes:
        if "p001" in file:
            raise InputError(f"{file} cannot be read: gone")
        return picture(file)

    run = Run.start(tmp_path, {"model": "m"}, {}, trials)
    model = open_model("m", base_url=server.url, model_args={}, sampling=Sampling(), policy=ONE_AT_A_TIME)
    with pytest.raises(InputError, match=r"^media/p001.png cannot be read: gone$"):
        ask(run, trials, model, media=media, policy=ONE_AT_A_TIME, progress=progress(3, "quiet"))
    assert set(run.responses()) == {("p000/q0", 1)}


def test_a_file_that_is_no_picture_is_not_sent(tmp_path: Path, server: Server):
    trials = plan(1, 1)
    run = Run.start(tmp_path, {"model": "m"}, {}, trials)
    model = open_model("m", base_url=server.url, model_args={}, sampling=Sampling(), policy=QUICK)
    with pytest.raises(InputError, match=r"'media/p000.png' is no picture"):
        ask(run, trials, model, media=lambda _: b"GIF89a", policy=QUICK, progress=progress(1, "quiet"))
    assert server.requests == []


def test_one_model_can_be_asked_in_several_runs_one_after_the_other(tmp_path: Path, server: Server):
    trials = plan(6, 1)
    server.behaviour = lambda _: said("Yes", delay=0.02)
    model = open_model("m", base_url=server.url, model_args={}, sampling=Sampling(), policy=QUICK)
    for name in "abc":
        run = Run.start(tmp_path / name, {"model": "m"}, {}, trials)
        tally = ask(run, trials, model, media=picture, policy=QUICK, progress=progress(6, "quiet"))
        assert (tally.errors, tally.missing) == (0, 0)
