"""A run that is killed or told to stop loses what was in flight and nothing else."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.ask.asking import PICTURES, QUESTIONS
from tests.ask.plans import QUICK, READERS, plan, put, trial_of
from tests.ask.server import Reply, Request, Server, said
from veridical.ask import Run
from veridical.records import Counts

ROOT = Path(__file__).parents[2]
PLAN = plan(PICTURES, QUESTIONS)


def begin(folder: Path, server: Server) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.ask.asking", str(folder), server.url]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for_requests(server: Server, number: int, process: subprocess.Popen[str]) -> None:
    until = monotonic() + 60
    while len(server.requests) < number:
        assert process.poll() is None, process.communicate()
        assert monotonic() < until
        sleep(0.002)


def by_its_trial(request: Request) -> Reply:
    trial = trial_of(request)
    return said("" if trial.endswith("7/q1") else f"answer to {trial}", delay=0.02)


def stored(folder: Path) -> set[str]:
    return {trial for trial, _ in Run.open(folder).responses()}


def test_a_run_killed_again_and_again_asks_only_what_is_missing_and_comes_to_the_same_outcomes(
    tmp_path: Path, server: Server
):
    server.behaviour = by_its_trial
    put(tmp_path / "whole", server.url, PLAN)
    server.requests.clear()
    folder, kept, sent = tmp_path / "killed", set[str](), Counter[str]()
    for requests in (7, 23):
        process = begin(folder, server)
        wait_for_requests(server, requests, process)
        process.kill()
        process.communicate()
        asked = {trial_of(request) for request in server.requests}
        assert asked.isdisjoint(kept)
        kept = stored(folder)
        assert len(asked - kept) <= QUICK.max_connections
        sent.update(map(trial_of, server.requests))
        server.requests.clear()
    tally = put(folder, server.url, PLAN)
    assert {trial_of(request) for request in server.requests} == {trial.id for trial in PLAN} - kept
    assert (tally.kept, tally.missing) == (len(kept), 0)
    sent.update(map(trial_of, server.requests))
    assert sum(sent.values()) <= len(PLAN) + 2 * QUICK.max_connections
    whole, resumed = (Run.open(tmp_path / name).outcomes(READERS).drop("latency") for name in ("whole", "killed"))
    assert resumed.equals(whole)
    assert Counts.of(resumed).unparsed == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_told_to_stop_keeps_what_ended_says_so_and_can_be_taken_up_again_while_no_library_speaks_up(
    tmp_path: Path, server: Server, number: signal.Signals
):
    def behave(request: Request) -> Reply:
        if request.number > 20:
            return Reply(hang=True)
        return said([1]) if request.number % 5 == 0 else said("Yes")  # type: ignore[arg-type]

    server.behaviour = behave
    process = begin(tmp_path, server)
    wait_for_requests(server, 20 + QUICK.max_connections, process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    tally = json.loads(out)
    assert (tally["interrupted"], tally["asked"], tally["errors"], len(stored(tmp_path))) == (True, 20, 4, 20)
    assert (tmp_path / "responses.jsonl").read_bytes().count(b"\n") == 20
    first, *others = err.splitlines()
    assert first == "asking 60 of 60 trials"
    assert all("/60, " in line for line in others), err
    assert others[-1].startswith("interrupted: 20/60, ")
    server.behaviour = lambda _: said("Yes")
    assert put(tmp_path, server.url, PLAN).missing == 0
