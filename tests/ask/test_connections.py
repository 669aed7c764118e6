"""The ramp of connections: enough for the server and at most twice that, in simulated time; and in runs."""

from __future__ import annotations

import heapq
import random
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import DEFAULTS, picture, plan, put, replayed, trial_of
from tests.ask.server import Reply, Request, Server, refused, said
from veridical.ask import Policy, Run, ask, progress
from veridical.ask.connections import STEPS, ConnectionRamp

RAMPS = Policy(max_requests=16, attempt_timeout=60, backoff=0.01)
IDENTITY = {"model": "org/some-model", "suite": "toy", "sampling": DEFAULTS.stated()}


def simulated(ramp: ConnectionRamp, slots: int, questions: int, takes: Callable[[], float]) -> tuple[list[int], float]:
    """The number of connections at each answer, and the time in all, with a server of so many slots and a queue."""
    queue: deque[tuple[float, int]] = deque()
    busy: list[tuple[float, int, tuple[float, int]]] = []
    sent, open_now, now, numbers = 0, 0, 0.0, list[int]()
    while len(numbers) < questions:
        while open_now < ramp.connections and sent < questions:
            sent, open_now = sent + 1, open_now + 1
            queue.append((now, ramp.connections))
        while queue and len(busy) < slots:
            heapq.heappush(busy, (now + takes(), sent * 1000 + len(queue), queue.popleft()))
        now, _, (began, begun_at) = heapq.heappop(busy)
        open_now -= 1
        numbers.append(ramp.connections)
        if sent < questions:
            ramp.ended(begun_at, seconds=now - began)
    return numbers, now


@given(slots=st.integers(1, 200), seconds=st.floats(0.01, 100), spread=st.floats(0, 0.2), seed=st.integers(0, 2**32))
def test_the_chosen_number_is_within_a_factor_of_two_of_what_keeps_the_server_busy(
    slots: int, seconds: float, spread: float, seed: int
):
    uneven, ramp = random.Random(seed), ConnectionRamp()
    simulated(ramp, slots, 2000, lambda: seconds * uneven.uniform(1 - spread, 1 + spread))
    enough = min(max(slots, STEPS[0]), STEPS[-1])
    assert ramp.settled
    assert enough / 2 <= ramp.connections <= 2 * enough


@pytest.mark.parametrize("slots", [12, 24, 64, 500])
@pytest.mark.parametrize("shape", ["exponential", "one in ten takes ten times as long"])
def test_replies_of_very_different_length_seldom_mislead_it(slots: int, shape: str):
    uneven = random.Random(0)
    takes = {
        "exponential": lambda: uneven.expovariate(1),
        "one in ten takes ten times as long": lambda: 10.0 if uneven.random() < 0.1 else 1.0,
    }[shape]
    chosen = []
    for _ in range(40):
        ramp = ConnectionRamp()
        simulated(ramp, slots, 2000, takes)
        chosen.append(ramp.connections)
    enough = min(slots, STEPS[-1])
    assert sum(enough / 2 <= number <= 2 * enough for number in chosen) >= 34


@given(slots=st.integers(1, 8), seconds=st.floats(0.01, 100))
def test_a_server_that_answers_no_faster_keeps_the_smallest_number(slots: int, seconds: float):
    ramp = ConnectionRamp()
    numbers, _ = simulated(ramp, slots, 500, lambda: seconds)
    assert (ramp.connections, ramp.settled, max(numbers)) == (8, True, 16)


def test_a_slow_beginning_does_not_leave_more_in_flight_than_the_server_needs():
    ramp = ConnectionRamp(servers=4)
    for number, rate in ((32, 142), (64, 159), (128, 159)):
        assert (ramp.connections, ramp.settled) == (number, False)
        for _ in range(3 * number):
            ramp.ended(number, seconds=number / rate)
    assert (ramp.connections, ramp.settled) == (32, True)


@pytest.mark.parametrize(("questions", "reached"), [(40, 16), (100, 32), (230, 64)])
def test_a_small_run_does_not_stay_at_eight_and_the_largest_number_comes_early(questions: int, reached: int):
    numbers, _ = simulated(ConnectionRamp(), 1000, questions, lambda: 30.0)
    assert max(numbers) == reached


@given(step=st.integers(0, 3), later=st.lists(st.sampled_from(["429", "ended"]), max_size=400))
def test_a_refusal_for_too_many_requests_ends_the_ramp_one_step_lower_and_a_volley_of_them_counts_once(
    step: int, later: list[str]
):
    ramp = ConnectionRamp(STEPS[step])
    for _ in range(50):
        ramp.failed("rate_limit")
    lower = STEPS[max(0, step - 1)]
    assert (ramp.connections, ramp.settled) == (lower, True)
    well = 0
    for event in later:
        before = ramp.connections
        if event == "ended":
            ramp.ended(before, seconds=1.0)
            well += 1
        else:
            ramp.failed("rate_limit")
        assert STEPS[0] <= ramp.connections <= before
        if ramp.connections < before:
            assert well >= 2 * before
            well = 0


def test_what_is_no_sign_of_an_overload_changes_nothing_and_a_stated_number_stays():
    ramp = ConnectionRamp(16)
    for kind in ("bad_request", "auth", "context_overflow", "not_json"):
        ramp.failed(kind)
    assert (ramp.connections, ramp.settled) == (16, False)
    stated = ConnectionRamp(stated=5)
    for _ in range(100):
        stated.ended(5, seconds=1.0)
        stated.failed("rate_limit")
    assert (stated.connections, stated.most) == (5, 5)


@given(st.integers(-5, 5000))
def test_a_later_start_goes_on_from_the_number_of_the_one_before(start: int):
    number = ConnectionRamp(start).connections
    assert number in STEPS
    assert number <= max(start, STEPS[0])
    assert all(step <= number or step > start for step in STEPS)


def test_a_volley_of_refusals_sets_the_number_back_to_eight_and_loses_nothing(tmp_path: Path, server: Server):
    server.behaviour = lambda request: refused(429) if 30 <= request.number < 45 else said("Yes", delay=0.01)
    tally = put(tmp_path, server.url, plan(90, 1), RAMPS)
    assert (tally.missing, tally.errors, tally.connections) == (0, 0, 8)
    (start,) = Run.open(tmp_path).executions
    assert start["ended"]["connections"] == Run.open(tmp_path).connections == 8


def test_a_resumed_run_has_as_many_requests_open_as_the_start_before_had_in_the_end(tmp_path: Path, server: Server):
    trials = plan(40, 1)
    Run.start(tmp_path, IDENTITY, {}, trials, factors={}).ended({"connections": 32})

    def wait_for_the_others(request: Request) -> Reply:
        until = monotonic() + 30
        while request.number > 1 and server.most_open < 32 and monotonic() < until:
            server.closing.wait(0.01)
        return said("Yes")

    server.behaviour = wait_for_the_others
    assert put(tmp_path, server.url, trials, RAMPS).missing == 0
    assert server.most_open == 32


def test_workers_that_are_too_many_leave_their_stimuli_to_others_and_questions_stay_in_sequence(
    tmp_path: Path, server: Server
):
    trials, now_open, overlapping = plan(24, 5), Counter[str](), list[str]()

    def once_too_many(request: Request) -> Reply:
        stimulus = trial_of(request).split("/")[0]
        with server.lock:
            now_open[stimulus] += 1
            overlapping.extend([stimulus] if now_open[stimulus] > 1 else [])
        server.closing.wait(0.01)
        with server.lock:
            now_open[stimulus] -= 1
        return refused(429) if request.number == 40 else said("Yes")

    server.behaviour = once_too_many
    Run.start(tmp_path, IDENTITY, {}, trials, factors={}).ended({"connections": 16})
    tally = put(tmp_path, server.url, trials, RAMPS)
    assert (tally.missing, tally.requests, overlapping) == (0, 121, [])
    asked = defaultdict(list)
    for request in server.requests:
        trial = trial_of(request)
        asked[trial.split("/")[0]].append(trial)
    assert all([*dict.fromkeys(names)] == sorted(set(names)) for names in asked.values())


def test_an_embedded_observer_is_asked_by_eight_workers_and_has_no_ramp(tmp_path: Path):
    trials = plan(200, 1)
    run = Run.start(tmp_path / "run", {"model": "veridical/replay"}, {}, trials, factors={})
    model = replayed(tmp_path / "answers.jsonl", trials)
    tally = ask(run, trials, model, media=picture, policy=Policy(), progress=progress(200, "quiet"), tells_trial=True)
    assert (tally.missing, tally.connections) == (0, 8)


def test_the_number_is_told_with_the_progress(tmp_path: Path, server: Server, capfd: pytest.CaptureFixture[str]):
    put(tmp_path, server.url, plan(12, 1), Policy(max_connections=3, backoff=0), mode="plain")
    lines = capfd.readouterr().err.splitlines()
    assert ", 3 at a time, " in lines[-1]
