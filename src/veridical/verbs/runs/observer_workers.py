"""Models that workers hold or ask, in processes or on a cluster: the replies are those given in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import NamedTuple

from veridical.ask import Client, Policy, Run
from veridical.ask.clients import TrialAttempt
from veridical.ask.clients.observer_client import ObserverClient, WorkerClient, reply_facts
from veridical.ask.clients.replica_client import ReplicaGroup
from veridical.ask.failures import failure_of
from veridical.ask.pending_trials import GroupMedia, MediaBytes
from veridical.base.path_checks import MANIFEST, RUN
from veridical.base.run_options import MOST_CONNECTIONS
from veridical.base.shared_folder import require_shared
from veridical.base.workers import Workers
from veridical.records import Json, Trial, canonical
from veridical.stimulus_set import StimulusSet
from veridical.suite import registry
from veridical.verbs.runs.models import PREFIX, open_observer, suite_observer
from veridical.verbs.runs.setup import Setup
from veridical.verbs.sets import reader_of

_WORTH_PROCESSES = 400
"""Questions from which on processes are started, each of which takes a second or two."""


@contextmanager
def asked_by_workers(setup: Setup, run: Run, folder: Path, opened: Client) -> Iterator[tuple[Client, Policy]]:
    """The client that asks, and the policy by which: workers where the run has any and it is worth it, else `opened`.

    `folder` is that of the whole run, `run` a stage of it, which notes where its workers are. The workers end with the
    context.
    """
    policy, replicated = setup.how.policy, setup.replicated
    if replicated is not None and isinstance(opened, ReplicaGroup):
        copies = len(opened.clients)
        try:
            run.noted(workers={**replicated.facts(), "copies": copies, "gpus_per_model": replicated.gpus})
            yield opened, replace(policy, max_connections=min(MOST_CONNECTIONS, copies * policy.batch))
        finally:
            opened.end()
        return
    workers = _workers_for(setup, run)
    if workers is None or not isinstance(opened, ObserverClient):
        yield opened, policy
        return
    crew = workers.crew(stimulus_replies, _job(setup, run, folder))
    try:
        run.noted(workers=workers.facts())
        wide = max(policy.batch, 2 * crew.slots)
        yield WorkerClient(opened.name, opened.observe, crew), replace(policy, max_connections=wide)
    finally:
        crew.close()


def _workers_for(setup: Setup, run: Run) -> Workers | None:
    """The workers that are to ask, or `None` where the observer is asked in this process.

    That is so in a run that asks in rounds, too: a worker reads the trials of its run once.
    """
    workers, observer = setup.how.workers, setup.observer
    if setup.rounds is not None:
        return None
    if workers is None or observer is None or not observer.slow or registry.found_as(setup.suite) is None:
        return None
    replied = sum(response.error is None for response in run.responses().values())
    return workers if workers.worth(setup.planned - replied, _WORTH_PROCESSES) else None


def _job(setup: Setup, run: Run, folder: Path) -> Json:
    observer = setup.observer
    return {
        "suite": registry.found_as(setup.suite),
        "observer": setup.model.removeprefix(PREFIX),
        "arguments": setup.arguments,
        "set": str(setup.stimuli.folder.resolve()),
        "stage": str(run.folder.resolve()),
        "run": str(folder.resolve()),
        "tells_trial": observer is not None and observer.sees_trial,
        "seconds": ceil(setup.how.policy.attempt_timeout),
    }


class _Desk(NamedTuple):
    """What a worker needs to ask: the observer, the trials by stimulus, and their media."""

    client: ObserverClient
    trials: dict[str, list[Trial]]
    read: MediaBytes


@lru_cache(maxsize=1)
def _desk(job: str) -> _Desk:
    facts = json.loads(job)
    for file in (f"{facts['set']}/{MANIFEST}", f"{facts['stage']}/{RUN}"):
        require_shared(file)
    suite, whole = registry.get(facts["suite"]), StimulusSet.open(Path(facts["set"]))
    observer, run = suite_observer(facts["observer"], suite), Path(facts["stage"])
    client = open_observer(f"{PREFIX}{facts['observer']}", observer, facts["arguments"], run, whole.opaque)
    trials: dict[str, list[Trial]] = {}
    for trial in Run.open(run).trials():
        trials.setdefault(trial.stimulus, []).append(trial)
    return _Desk(client, trials, reader_of(whole, [Path(facts["run"])]))


def stimulus_replies(job: Json, item: Json) -> Json:
    """The replies to the trials of a stimulus by id, for a job and an item (stimulus and repeat) in JSON."""
    return asyncio.run(_replies(_desk(canonical(job)), job, *item))


async def _replies(desk: _Desk, job: Json, stimulus: str, repeat: int) -> dict[str, Json]:
    shown, replies = GroupMedia(desk.read), {}
    for trial in desk.trials[stimulus]:
        question = TrialAttempt(
            trial=trial, repeat=repeat, attempt=1, place=shown.url, tells_trial=bool(job["tells_trial"])
        )
        try:
            reply = await desk.client.send(question)
        except Exception as error:  # noqa: BLE001 - an exception is a failed attempt, as where it is asked directly
            reply = failure_of(error, job["seconds"])
        replies[trial.id] = reply_facts(reply)
    return replies
