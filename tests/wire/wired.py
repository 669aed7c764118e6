"""Everything that a server of one provider's format may send, each to a trial of its own, in one run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from tests.ask.plans import DEFAULTS, READERS, picture, plan
from tests.ask.server import Reply, Request, Server
from veridical.ask import Policy, Run, Sampling, Tally, ask, open_model, progress
from veridical.errors import InputError
from veridical.records import Trial

KEY = "sentinel-key-of-the-provider-1"
NEVER = {"auth": 0, "connection": 0, "server": 0}
ONE_BY_ONE = Policy(max_connections=1, max_requests=2, attempt_timeout=30, backoff=0.01, stop_after=NEVER)
SIDE_BY_SIDE = replace(ONE_BY_ONE, max_connections=4)
_TRIAL = re.compile(r"\[(p\d+/q0)\]")


@dataclass(frozen=True)
class Case:
    """What a server sends to a trial, and what that comes to: facts of its response, its status, its requests.

    After `first` the server sends `then`, where there is one; `pause` is the shortest time between the two requests.
    """

    first: Reply
    status: str
    requests: int = 1
    then: Reply | None = None
    pause: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)


def kept(reply: Reply, status: str = "answered", /, **facts: Any) -> Case:
    """A reply that is kept as these facts."""
    return Case(reply, status, facts={"error": None, **facts})


def fails(reply: Reply, kind: str, detail: str | None = None, /) -> Case:
    """A reply that is a failure of this kind, asked again where its kind may pass."""
    facts = {"error": kind, "text": "", "input_tokens": None} | ({} if detail is None else {"detail": detail})
    again = kind in ("timeout", "rate_limit", "server", "connection")
    return Case(reply, "error", requests=ONE_BY_ONE.max_requests if again else 1, facts=facts)


def put(folder: Path, model: str, trials: list[Trial], policy: Policy, sampling: Sampling = DEFAULTS) -> Tally:
    """Asks a model that the environment says how to reach."""
    run = Run.start(folder, {"model": model, "suite": "toy"}, {}, trials, factors={})
    opened = open_model(model, base_url=None, model_args={}, sampling=sampling, policy=policy)
    shown = progress(len(trials), "quiet")
    return ask(run, trials, opened, media=picture, policy=policy, progress=shown)


def differences(
    folder: Path,
    server: Server,
    model: str,
    good: Reply,
    cases: Mapping[str, Case],
    *,
    path: Callable[[str], bool],
    sampling: Sampling = DEFAULTS,
) -> list[str]:
    """Where a run over all cases differs from what they say: what was found instead, a line each.

    The first trial has a good reply. Requests to other paths than those that `path` allows are a difference too.
    """
    trials = plan(1 + len(cases), 1)
    named = dict(zip([trial.id for trial in trials[1:]], cases, strict=True))
    seen: dict[str, list[Request]] = {trial.id: [] for trial in trials}
    lock = Lock()

    def behave(request: Request) -> Reply:
        trial = trial_of(request)
        with lock:
            seen[trial].append(request)
            number = len(seen[trial])
        if trial not in named:
            return good
        case = cases[named[trial]]
        return case.then if number > 1 and case.then else case.first

    server.behaviour = behave
    put(folder, model, trials, SIDE_BY_SIDE, sampling)
    run = Run.open(folder)
    responses = run.responses()
    statuses = dict(run.outcomes(READERS).select("trial", "status").iter_rows())
    found: list[str] = []
    for trial, name in named.items():
        case, response, sent = cases[name], responses[trial, 1], seen[trial]
        expected = {"status": case.status, "requests": case.requests, "sent": case.requests, **case.facts}
        facts = {"status": statuses[trial], "sent": len(sent)}
        facts |= {key: getattr(response, key) for key in expected.keys() - facts.keys()}
        wrong = {key: value for key, value in facts.items() if value != expected[key]}
        found += [f"{name}: {wrong}, {response.detail}"] if wrong else []
        if len(sent) > 1 and sent[1].at - sent[0].at < case.pause:
            found.append(f"{name}: asked again after {sent[1].at - sent[0].at:.2f} s")
        if response.error and not (response.detail and len(response.detail) <= 200 and response.detail.isprintable()):
            found.append(f"{name}: {response.detail}")
    found += [f"asked at {request.path}" for request in server.requests if not path(request.path)]
    stored = b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())
    return [*found, "the key is stored"] if KEY.encode() in stored else found


def trial_of(request: Request) -> str:
    """The trial that a request of any format asks about."""
    found = _TRIAL.search(json.dumps(request.body))
    assert found is not None, request.path
    return found[1]


def refusal_of(folder: Path, server: Server, model: str, reply: Reply) -> str:
    """The line that ends a run whose first request has this reply; exactly one request was sent, and nothing stored."""
    server.behaviour = lambda _: reply
    with pytest.raises(InputError) as caught:
        put(folder, model, plan(3, 1), ONE_BY_ONE)
    line = str(caught.value)
    assert len(server.requests) == 1
    assert Run.open(folder).responses() == {}
    assert "\n" not in line
    assert KEY not in line
    return line
