"""A run that is killed or told to stop loses what was in flight and nothing else; one folder has one process."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from time import monotonic, sleep

import pytest

from tests.ask.asking import PICTURES, QUESTIONS, asking
from tests.ask.plans import QUICK, READERS, plan, put, trial_of
from tests.ask.server import Reply, Request, Server, said
from veridical.ask import Run
from veridical.errors import InputError
from veridical.records import Counts

PLAN = plan(PICTURES, QUESTIONS)
KILLS, MANY = 20, 80
LONG = plan(MANY, QUESTIONS)


def wait_for_requests(server: Server, number: int, process: BaseProcess) -> None:
    until = monotonic() + 60
    while len(server.requests) < number and process.is_alive():
        assert monotonic() < until
        sleep(0.001)


def settle(server: Server) -> None:
    """Waits until everything that was on its way to the server has arrived and was dealt with."""
    quiet = 0
    while quiet < 3:
        seen = len(server.requests)
        sleep(0.01)
        quiet = quiet + 1 if server.open == 0 and len(server.requests) == seen else 0


def by_its_trial(request: Request) -> Reply:
    trial = trial_of(request)
    return said("" if trial.endswith("7/q1") else f"answer to {trial}", delay=0.01)


def stored(folder: Path) -> set[str]:
    if not (folder / "run.json").exists():
        return set()
    return {trial for trial, _ in Run.open(folder).responses()}


def test_a_run_killed_at_twenty_random_moments_asks_twice_only_what_was_in_flight_and_ends_as_if_undisturbed(
    tmp_path: Path, server: Server
):
    server.behaviour = by_its_trial
    put(tmp_path / "whole", server.url, LONG)
    server.requests.clear()
    folder, kept, sent, random, unfinished = tmp_path / "killed", set[str](), Counter[str](), Random(20), 0
    for _ in range(KILLS):
        with asking(folder, server.url, tmp_path / "said", pictures=MANY) as process:
            wait_for_requests(server, random.choice((0, 0, 1, 3, 6, 9)), process)
            sleep(random.uniform(0, 0.03))
            unfinished += process.is_alive()
            process.kill()
            process.join()
        settle(server)
        asked = Counter(map(trial_of, server.requests))
        assert asked.keys().isdisjoint(kept), "what was stored was asked again"
        assert set(asked.values()) <= {1}
        assert kept <= stored(folder), "what was stored is lost"
        kept = stored(folder)
        assert len(asked.keys() - kept) <= QUICK.max_connections
        sent.update(asked)
        server.requests.clear()
    assert (unfinished, 20 < len(kept) < len(LONG)) == (KILLS, True)
    tally = put(folder, server.url, LONG)
    assert {trial_of(request) for request in server.requests} == {trial.id for trial in LONG} - kept
    assert (tally.kept, tally.missing) == (len(kept), 0)
    sent.update(map(trial_of, server.requests))
    assert sum(sent.values()) <= len(LONG) + KILLS * QUICK.max_connections
    whole, resumed = (
        Run.open(tmp_path / name).outcomes(READERS).drop("latency", "ended") for name in ("whole", "killed")
    )
    assert resumed.equals(whole)
    assert Counts.of(resumed).unparsed == 8


@pytest.mark.parametrize("notebook", [False, True], ids=["script", "notebook"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_told_to_stop_keeps_what_ended_says_so_and_can_be_taken_up_again_while_no_library_speaks_up(
    tmp_path: Path, server: Server, number: signal.Signals, notebook: bool
):
    def behave(request: Request) -> Reply:
        if request.number > 20:
            return Reply(hang=True)
        return said([1]) if request.number % 5 == 0 else said("Yes")  # type: ignore[arg-type]

    server.behaviour = behave
    folder, out = tmp_path / "run", tmp_path / "said"
    with asking(folder, server.url, out, notebook=notebook) as process:
        wait_for_requests(server, 20 + QUICK.max_connections, process)
        assert process.pid
        os.kill(process.pid, number)
        process.join(60)
        assert process.exitcode == 0, out.with_suffix(".err").read_text()
    tally = json.loads(out.with_suffix(".out").read_text())
    assert (tally["interrupted"], tally["asked"], tally["errors"], len(stored(folder))) == (True, 20, 4, 20)
    assert (folder / "responses.jsonl").read_bytes().count(b"\n") == 20
    assert Run.open(folder).executions[-1]["ended"]["interrupted"] is True
    err = out.with_suffix(".err").read_text()
    first, *others = err.splitlines()
    assert first == "asking 60 of 60 trials"
    assert all("/60, " in line for line in others), err
    assert others[-1].startswith("interrupted: 20/60, ")
    server.behaviour = lambda _: said("Yes")
    assert put(folder, server.url, PLAN).missing == 0


def test_a_second_process_is_refused_while_the_first_lives_and_goes_on_when_it_is_dead(tmp_path: Path, server: Server):
    server.behaviour = lambda request: Reply(hang=True) if request.number > 9 else said("Yes")
    with asking(tmp_path / "run", server.url, tmp_path / "said") as process:
        wait_for_requests(server, 9 + QUICK.max_connections, process)
        before = (tmp_path / "run" / "run.json").read_bytes()
        with pytest.raises(InputError, match=r"another process is writing to .*run: wait for it, or stop it"):
            put(tmp_path / "run", server.url, PLAN)
        assert (tmp_path / "run" / "run.json").read_bytes() == before
        assert process.is_alive()
    server.behaviour = lambda _: said("Yes")
    tally = put(tmp_path / "run", server.url, PLAN)
    assert (tally.kept, tally.missing) == (9, 0)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["run"]


@pytest.mark.parametrize("size", [4_000, 7_000])
def test_a_disk_that_is_full_ends_the_run_in_one_line_and_it_goes_on_when_there_is_space(
    tmp_path: Path, server: Server, size: int
):
    server.behaviour = lambda request: said(f"answer to {trial_of(request)} " + "x" * 300)
    folder, out = tmp_path / "run", tmp_path / "said"
    with asking(folder, server.url, out, file_size=size) as process:
        process.join(60)
        assert process.exitcode == 2
    last = out.with_suffix(".err").read_text().splitlines()[-1]
    assert last.startswith("error: ")
    assert "cannot be written: File too large" in last
    kept = stored(folder)
    server.requests.clear()
    tally = put(folder, server.url, PLAN)
    assert {trial_of(request) for request in server.requests} == {trial.id for trial in PLAN} - kept
    assert tally.missing == 0
