"""A thousand trials put to a server that fails in every way, with every number known in advance."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Lock

from tests.ask.plans import READERS, plan, put, trial_of
from tests.ask.server import Reply, Request, Server, completion, refused, said
from veridical.ask import Policy, Run
from veridical.records import STATUSES, Counts

TRIALS = plan(500, 2)
# Patient enough that on a busy machine only what hangs takes too long.
POLICY = Policy(max_connections=16, max_requests=2, attempt_timeout=20, backoff=0.01)
GIANT = "Yes. " * 200_000

# What is sent, for how many requests of a trial, and what that comes to: status, kind of failure, requests.
FAULTS: dict[str, tuple[Reply, int, str, str | None, int]] = {
    "429 once": (refused(429), 1, "answered", None, 2),
    "429 for ever": (refused(429), 9, "error", "rate_limit", 2),
    "429 with a time": (refused(429, retry_after="0.1"), 1, "answered", None, 2),
    "500 once": (refused(500), 1, "answered", None, 2),
    "500 for ever": (refused(500), 9, "error", "server", 2),
    "503 once": (refused(503), 1, "answered", None, 2),
    "hanging once": (Reply(hang=True), 1, "answered", None, 2),
    "hanging for ever": (Reply(hang=True), 9, "error", "timeout", 2),
    "a stalled body": (replace(said("Yes"), stalled=True), 1, "answered", None, 2),
    "a torn body": (replace(said("Yes"), torn=True), 1, "answered", None, 2),
    "cut once": (Reply(cut=True), 1, "answered", None, 2),
    "cut for ever": (Reply(cut=True), 9, "error", "connection", 2),
    "no JSON": (Reply(body=b"<html>"), 9, "error", "not_json", 1),
    "no choices": (Reply(body=completion([])), 9, "error", "no_choices", 1),
    "a bad request": (refused(400), 9, "error", "bad_request", 1),
    "an overflow": (refused(400, code="context_length_exceeded"), 9, "error", "context_overflow", 1),
    "null content": (said(None), 9, "unparsed", None, 1),
    "cut by length": (said("", finish="length"), 9, "truncated", None, 1),
    "a refusal": (said(None, refusal="I won't"), 9, "refused", None, 1),
    "a filtered reply": (said("", finish="content_filter"), 9, "refused", None, 1),
    "a giant reply": (said(GIANT), 9, "answered", None, 1),
}
SLOW, LARGE = {"hanging once", "hanging for ever", "a stalled body"}, {"a giant reply"}


def spread() -> dict[str, str]:
    """A fault for 300 of the trials, never for the first; few of the kinds that take time or space."""
    random = Random(1)
    faulty = random.sample([trial.id for trial in TRIALS[1:]], 300)
    rare = [name for name in FAULTS for _ in range(2) if name in SLOW | LARGE]
    common = [name for name in FAULTS if name not in SLOW | LARGE]
    names = rare + [common[number % len(common)] for number in range(300 - len(rare))]
    return dict(zip(faulty, names, strict=True))


def test_with_faults_of_every_kind_each_trial_has_one_status_and_exactly_the_stated_requests_were_sent(
    tmp_path: Path, server: Server
):
    faults, seen, lock = spread(), Counter[str](), Lock()

    def behave(request: Request) -> Reply:
        trial = trial_of(request)
        with lock:
            seen[trial] += 1
            number = seen[trial]
        fault = FAULTS.get(faults.get(trial, ""))
        return fault[0] if fault and number <= fault[1] else said(f"answer to {trial}")

    server.behaviour = behave
    tally = put(tmp_path, server.url, TRIALS, POLICY)
    expected = {trial.id: ("answered", None, 1) for trial in TRIALS}
    expected |= {trial: FAULTS[name][2:] for trial, name in faults.items()}
    outcomes = Run.open(tmp_path).outcomes(READERS)
    rows = {row["trial"]: row for row in outcomes.iter_rows(named=True)}
    found = {trial: (row["status"], row["error"], row["requests"]) for trial, row in rows.items()}
    assert {trial: found[trial] for trial in found if found[trial] != expected[trial]} == {}
    assert seen == {trial: requests for trial, (_, _, requests) in expected.items()}
    assert tally.requests == len(server.requests) == sum(requests for _, _, requests in expected.values())
    for trial, row in rows.items():
        if row["status"] == "answered":
            assert row["text"] == (GIANT if faults.get(trial) in LARGE else f"answer to {trial}")
    counts = Counts.of(outcomes)
    assert (counts.planned, counts.asked) == (1000, 1000)
    assert sum(getattr(counts, status) for status in STATUSES) == 1000
    assert (tally.asked, tally.errors, tally.missing) == (1000, counts.error, counts.error)
    hanging = sum(FAULTS[name][0].hang for name in faults.values()) * POLICY.max_requests
    assert server.most_open <= POLICY.max_connections + hanging
