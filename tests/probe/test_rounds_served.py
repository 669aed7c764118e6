"""Rounds of questions put to servers: the same questions whoever answers, after SIGKILL, a budget, a failure."""

from collections import Counter

import pytest

import veridical
from tests.ask.server import Reply, said, serve
from tests.probe.staged import EYE, Hang, answering, bodies, running
from tests.probe_suite.observers import look
from veridical.observers.plumbing import UserTurn

PLAN = {"stop_at": "verdict", "max_requests": 1, "show": "quiet", "analyze": False}
COLUMNS = ["trial", "repeat", "status", "answer", "correct"]


def seen(request) -> Reply:
    return said(look(UserTurn(request.text, tuple(request.pictures))))


@pytest.fixture(scope="module")
def counting(made, tmp_path_factory):
    """The run of the embedded observer that looks, about the design of a set."""
    return veridical.run(made, "veridical/eye", out=tmp_path_factory.mktemp("rounds") / "run", **PLAN)


@pytest.fixture(scope="module")
def served(made, tmp_path_factory):
    """A run on two servers, and what both were sent."""
    with answering(seen) as one, serve(seen) as two:
        out = tmp_path_factory.mktemp("rounds") / "run"
        run = veridical.run(made, EYE, out=out, base_url=[one.url, two.url], **PLAN)
        assert one.requests
        assert two.requests
    return run, bodies(one) + bodies(two)


def test_several_servers_are_asked_what_an_observer_in_this_process_is(counting, served):
    run, _ = served
    assert run.rounds == counting.rounds
    assert run.outcomes().select(COLUMNS).sort("trial").equals(counting.outcomes().select(COLUMNS).sort("trial"))


@pytest.mark.parametrize("at", [1, 6, 7, 15])
def test_a_run_that_is_killed_sends_nothing_again_that_was_stored(made, counting, served, tmp_path, at):
    """It hangs at this question of the first stage: the first of all, the last of a round, the first of the next."""
    with answering(Hang("look", at, seen)) as server:
        options = {**PLAN, "model": EYE, "base_url": server.url, "max_connections": 1}
        with running(made, tmp_path / "run", options) as process:
            server.behaviour.wait()
            process.kill()
        hung = server.behaviour.body
        server.behaviour = seen
        run = veridical.run(made, out=tmp_path / "run", **options)
        sent = bodies(server)
    assert run.rounds == counting.rounds
    assert sent == served[1] + Counter([hung])


def test_a_budget_ends_it_between_questions_and_it_goes_on(made, counting, tmp_path):
    with answering(
        lambda request: said(
            "4" if "dots" in request.text else "R1",
            usage={"prompt_tokens": 100, "completion_tokens": 1, "total_tokens": 101},
        )
    ) as server:
        options = {**PLAN, "model": EYE, "base_url": server.url, "max_connections": 1}
        short = veridical.run(made, out=tmp_path / "run", budget_tokens=400, **options)
        assert short.stopped
        assert 0 < len(server.requests) < 18
        longer = veridical.run(made, out=tmp_path / "run", **options)
    assert longer.stopped is None
    assert longer.rounds.standing.rule is not None
    assert len(server.requests) == longer.rounds.questions


def test_a_server_that_fails_leaves_errors_that_are_asked_again_while_no_round_followed(made, tmp_path):
    with answering(lambda request: Reply(500) if request.number == 6 else seen(request)) as server:
        options = {**PLAN, "model": EYE, "base_url": server.url, "max_connections": 1}
        run = veridical.run(made, out=tmp_path / "run", **options)
        assert run.counts.error == 1
        again = veridical.run(made, out=tmp_path / "run", **options)
        assert again.rounds == run.rounds
        assert len(server.requests) == run.rounds.questions
