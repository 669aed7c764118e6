"""Every trial as often as it is to be repeated, each repeat a row of its own, with its own seed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.ask.plans import QUICK, READERS, plan, put, trial_of
from tests.ask.server import Request, Server, refused, said
from veridical.ask import Policy, Run, Sampling, Tally
from veridical.errors import InputError
from veridical.records import Counts

ALONE = Policy(max_connections=1, max_requests=1, attempt_timeout=60, backoff=0)


def test_each_trial_is_asked_as_often_as_it_is_repeated_with_a_row_for_each(tmp_path: Path, server: Server):
    trials = plan(3, 2)
    tally = put(tmp_path, server.url, trials, repeats=3)
    assert Counter(map(trial_of, server.requests)) == dict.fromkeys((trial.id for trial in trials), 3)
    outcomes = Run.open(tmp_path).outcomes(READERS)
    assert outcomes.select("trial", "repeat").rows() == [(t.id, repeat) for t in trials for repeat in (1, 2, 3)]
    assert (tally.planned, tally.asked, tally.missing) == (18, 18, 0)
    assert Counts.of(outcomes).answered == 18


def test_the_repeats_on_one_picture_go_in_sequence_repeat_by_repeat(tmp_path: Path, server: Server):
    put(tmp_path, server.url, plan(2, 2), ALONE, repeats=2)
    assert [trial_of(request) for request in server.requests] == [
        *("p000/q0", "p000/q1", "p000/q0", "p000/q1"),
        *("p001/q0", "p001/q1", "p001/q0", "p001/q1"),
    ]


def test_a_run_goes_on_with_the_repeats_that_are_missing(tmp_path: Path, server: Server):
    seen: Counter[str] = Counter()

    def third_time_badly(request: Request):
        with server.lock:
            seen[trial_of(request)] += 1
        return refused(400) if seen[trial_of(request)] == 3 else said(str(seen[trial_of(request)]))

    server.behaviour = third_time_badly
    first = put(tmp_path, server.url, plan(2, 1), repeats=3)
    again = put(tmp_path, server.url, plan(2, 1), repeats=3)
    assert (first.errors, first.missing, again.kept, again.asked, again.again, again.missing) == (2, 2, 4, 2, 2, 0)
    outcomes = Run.open(tmp_path).outcomes(READERS)
    assert outcomes.select("repeat", "answer", "attempt").rows()[:3] == [(1, "1", 1), (2, "2", 1), (3, "4", 2)]


@pytest.mark.parametrize("connections", [1, 4])
def test_each_repeat_has_a_seed_of_its_own_that_follows_from_the_one_given(
    tmp_path: Path, server: Server, connections: int
):
    policy = Policy(max_connections=connections, max_requests=1, attempt_timeout=60, backoff=0)
    put(tmp_path, server.url, plan(2, 2), policy, repeats=3, sampling=Sampling(seed=40))
    seeds = [(trial_of(request), request.body["seed"]) for request in server.requests]
    assert sorted(seeds) == [(trial.id, seed) for trial in plan(2, 2) for seed in (40, 41, 42)]


def test_without_a_seed_none_is_sent(tmp_path: Path, server: Server):
    put(tmp_path, server.url, plan(1, 1), repeats=2)
    assert ["seed" in request.body for request in server.requests] == [False, False]


def test_another_number_of_repeats_is_another_run(tmp_path: Path, server: Server):
    put(tmp_path, server.url, plan(1, 1), repeats=2)
    with pytest.raises(InputError, match=r"holds another run \(repeats: 2 stored, 3 requested\)"):
        put(tmp_path, server.url, plan(1, 1), repeats=3)


@pytest.mark.parametrize("repeats", [0, -1, 1001])
def test_repeats_out_of_range_are_refused(tmp_path: Path, repeats: int):
    with pytest.raises(InputError, match=rf"^repeats {repeats}: 1 to 1000 is allowed$"):
        Run.start(tmp_path, {"model": "m"}, {}, plan(), repeats=repeats, factors={})


def test_a_canary_alone_is_one_repeat_of_one_trial(tmp_path: Path, server: Server):
    def behave(request: Request):
        if request.number == 1:
            server.closing.wait(0.2)
            assert len(server.requests) == 1
        return said("Yes")

    server.behaviour = behave
    tally: Tally = put(tmp_path, server.url, plan(2, 1), QUICK, repeats=3)
    assert tally.errors == 0
