"""Asking over real HTTP: what is sent, how often, in which order, and what is kept of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from tests.ask.plans import QUICK, READERS, picture, plan, put, trial_of
from tests.ask.server import Reply, Request, Server, refused, said
from veridical.ask import Policy, Run, Sampling, ask, open_model, progress
from veridical.errors import InputError
from veridical.records import Counts, Response

ONE_AT_A_TIME = Policy(max_connections=1, max_requests=3, attempt_timeout=60, backoff=0.01)


def test_the_bytes_of_a_picture_arrive_unchanged_and_before_its_question(tmp_path: Path, server: Server):
    put(tmp_path, server.url, plan(3, 2))
    assert len(server.requests) == 6
    for request in server.requests:
        assert [part["type"] for part in request.parts] == ["image_url", "text"]
        assert request.pictures == [picture(trial_of(request).split("/")[0])]
        assert request.body["messages"][0] == {"role": "system", "content": "Answer Yes or No."}


def test_a_server_receives_neither_trial_ids_nor_file_names_nor_what_a_reader_expects(tmp_path: Path, server: Server):
    trials = [replace(trial, expects={"options": ["parallel", "tilted"]}) for trial in plan(1, 1)]
    put(tmp_path, server.url, trials)
    (request,) = server.requests
    assert set(request.body) == {"model", "messages"}
    assert "media/" not in str(request.body)
    assert "tilted" not in str(request.body)
    assert str(request.body).count(trials[0].id) == 1


def test_sampling_reaches_the_server_as_it_was_given(tmp_path: Path, server: Server):
    trials = plan(1, 1)
    sampling = Sampling(temperature=0.25, max_tokens=77)
    model = open_model("m", base_url=server.url, model_args={}, sampling=sampling, policy=QUICK)
    run = Run.start(tmp_path, {"model": "m"}, {}, trials, factors={})
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
    again = [response for response in Run.open(tmp_path).responses().values() if response.requests > 1]
    assert (overlapping, again) == ([], [])
    assert server.most_open > 1
    for stimulus in {trial_of(request).split("/")[0] for request in server.requests}:
        asked = [trial_of(request) for request in server.requests if trial_of(request).startswith(stimulus)]
        assert asked == [f"{stimulus}/q0", f"{stimulus}/q1", f"{stimulus}/q2"]


@pytest.mark.parametrize("connections", [1, 12, 3])
def test_as_many_requests_are_open_as_connections_allow_whatever_an_earlier_run_was_allowed(
    tmp_path: Path, server: Server, connections: int
):
    def wait_for_the_others(request: Request) -> Reply:
        until = monotonic() + 30
        while request.number > 1 and server.most_open < connections and monotonic() < until:
            server.closing.wait(0.01)
        return said("Yes", delay=0.02)

    server.behaviour = wait_for_the_others
    policy = Policy(max_connections=connections, max_requests=1, attempt_timeout=60, backoff=0)
    put(tmp_path, server.url, plan(24, 1), policy)
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


def test_a_trial_that_failed_before_is_not_the_canary_while_there_are_others(tmp_path: Path, server: Server):
    trials = plan(3, 1)
    with Run.start(tmp_path, {"model": "org/some-model", "suite": "toy"}, {}, trials, factors={}).writer() as writer:
        writer.append(Response(trial="p000/q0", error="timeout"))
    server.behaviour = lambda request: refused(400) if "p000" in request.text else said("Yes")
    tally = put(tmp_path, server.url, trials)
    assert trial_of(server.requests[0]) == "p001/q0"
    assert (tally.asked, tally.errors) == (3, 1)


def test_a_canary_that_only_fails_itself_is_stored_and_the_rest_goes_on(tmp_path: Path, server: Server):
    server.behaviour = lambda request: refused(500) if "p000" in request.text else said("Yes")
    tally = put(tmp_path, server.url, plan(3, 1))
    assert (tally.asked, tally.errors) == (3, 1)


def test_a_missing_picture_ends_the_run_in_one_line_and_keeps_what_ended(tmp_path: Path, server: Server):
    trials = plan(3, 1)

    def media(file: str) -> bytes:
        if "p001" in file:
            raise InputError(f"{file} cannot be read: gone")
        return picture(file)

    run = Run.start(tmp_path, {"model": "m"}, {}, trials, factors={})
    model = open_model("m", base_url=server.url, model_args={}, sampling=Sampling(), policy=ONE_AT_A_TIME)
    with pytest.raises(InputError, match=r"^media/p001.png cannot be read: gone$"):
        ask(run, trials, model, media=media, policy=ONE_AT_A_TIME, progress=progress(3, "quiet"))
    assert set(run.responses()) == {("p000/q0", 1)}


def test_a_file_that_is_no_picture_is_not_sent(tmp_path: Path, server: Server):
    trials = plan(1, 1)
    run = Run.start(tmp_path, {"model": "m"}, {}, trials, factors={})
    model = open_model("m", base_url=server.url, model_args={}, sampling=Sampling(), policy=QUICK)
    with pytest.raises(InputError, match=r"^media/p000.png: a GIF: convert it"):
        ask(run, trials, model, media=lambda _: b"GIF89a", policy=QUICK, progress=progress(1, "quiet"))
    assert server.requests == []


def test_one_model_can_be_asked_in_several_runs_one_after_the_other(tmp_path: Path, server: Server):
    trials = plan(6, 1)
    server.behaviour = lambda _: said("Yes", delay=0.02)
    model = open_model("m", base_url=server.url, model_args={}, sampling=Sampling(), policy=QUICK)
    for name in "abc":
        run = Run.start(tmp_path / name, {"model": "m"}, {}, trials, factors={})
        tally = ask(run, trials, model, media=picture, policy=QUICK, progress=progress(6, "quiet"))
        assert (tally.errors, tally.missing) == (0, 0)
