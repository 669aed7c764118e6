"""Copies of a local model on a Ray cluster: their replies are those given here, and a lost copy is passed over."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest

import veridical
from tests.ask import tiny
from tests.ask.plans import picture, plan
from tests.ask.test_servers import Remarks
from veridical.ask import Policy, Run, Sampling, ask, open_model
from veridical.ask.clients import ModelReply, TrialAttempt, free_form
from veridical.ask.clients.replica_client import ReplicaGroup, open_replicas
from veridical.ask.failures import Failure
from veridical.ask.pending_trials import data_url
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Message, Text, Trial

pytestmark = pytest.mark.local_models
ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'veridical[ray]'")

POLICY = Policy(max_connections=2, max_requests=3, backoff=0.05, attempt_timeout=300)
HOW = {"sampling": Sampling(max_tokens=8), "policy": POLICY, "schema": free_form}
ON_CPUS = Workers(cluster="auto", copies=2, gpus=0)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"veridical-hf/{tiny.llava(tmp_path_factory.mktemp('models') / 'plain')}"


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    """A cluster of two processors without GPUs, which this process finds as `auto`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        how = {"num_cpus": 2, "num_gpus": 0, "include_dashboard": False, "object_store_memory": 80_000_000}
        ray.init(address="local", log_to_driver=False, **how)
        # Another cluster of this machine may have begun since: `auto` would be that one.
        patch.setenv("RAY_ADDRESS", ray.get_runtime_context().gcs_address)
        yield
        ray.shutdown()


@pytest.fixture(scope="module")
def group(model: str, _cluster: None) -> Iterator[ReplicaGroup]:
    """Two copies of the model, which every test finds in use."""
    opened = open_replicas(model, {}, ON_CPUS, **HOW)
    yield opened
    opened.end()


def put(folder: Path, client, trials: list[Trial], media=picture) -> tuple[list[str], Run]:
    """The run of trials that a client was asked, and what a person was told."""
    shown, run = Remarks(), Run.start(folder, {"model": client.name, "suite": "toy"}, {}, trials, factors={})
    tally = ask(run, trials, client, media=media, policy=POLICY, progress=shown)
    assert (tally.missing, tally.limit) == (0, None)
    return shown.lines, Run.open(folder)


def wait_for(actor) -> None:
    """Waits until an actor that was lost is there again."""
    for _ in range(3000):
        try:
            ray.get(actor.opened.remote())
        except ray.exceptions.ActorUnavailableError:
            sleep(0.1)
        else:
            return


def texts(run: Run) -> dict[tuple[str, int], tuple[str, int | None, str | None]]:
    return {key: (each.text, each.input_tokens, each.served_model) for key, each in run.responses().items()}


def test_the_replies_are_those_of_the_model_here_and_every_copy_gives_some(
    model: str, group: ReplicaGroup, tmp_path: Path
):
    first, second, *others = plan(6, 2)
    between = replace(
        second, messages=(Message("user", (Text("before"), *first.messages[1].parts, *second.messages[1].parts)),)
    )
    trials = [first, between, *others]
    here = open_model(model, base_url=None, model_args={"device": "cpu"}, sampling=HOW["sampling"], policy=POLICY)
    _, alone = put(tmp_path / "here", here, trials)
    told, spread = put(tmp_path / "there", group, trials)
    assert (texts(spread), told) == (texts(alone), [])
    assert {each.server for each in spread.responses().values()} == {0, 1}
    facts = [client.facts() for client in (here, group)]
    assert [each["model"] for each in facts] == [model, model]
    assert facts[0]["loaded"] == facts[1]["loaded"]
    sampled = [client.sampled(first, 1) for client in (here, group)]
    assert sampled[0] == sampled[1]


def test_a_prompt_that_the_model_does_not_take_fails_as_it_does_here(group: ReplicaGroup):
    long = replace(plan(1, 1)[0], messages=(Message("user", (Text("long" * 300),)),))
    asked = TrialAttempt(trial=long, repeat=1, attempt=1, place=lambda medium: data_url(medium, picture(medium.file)))
    reply = asyncio.run(group.send(asked))
    assert isinstance(reply, Failure)
    assert (reply.kind, reply.again) == ("context_overflow", False)
    fitting = replace(asked, trial=plan(1, 1)[0])
    assert isinstance(asyncio.run(group.send(fitting)), ModelReply)


def test_a_copy_that_is_killed_is_passed_over_started_again_and_used_again(group: ReplicaGroup, tmp_path: Path):
    lost = group.clients[1].replica.actor

    def media(file: str) -> bytes:
        if file.endswith("p003.png"):
            ray.kill(lost, no_restart=False)
        if file.endswith("p007.png"):
            wait_for(lost)
        return picture(file)

    told, run = put(tmp_path / "run", group, plan(30, 1), media)
    assert [line.partition(" of ")[0] for line in told] == ["copy 1", "copy 1"]
    assert "is passed over" in told[0]
    assert told[1].endswith("answers again")
    assert all(each.error is None for each in run.responses().values())


def test_a_run_stops_when_no_copy_is_left(group: ReplicaGroup, tmp_path: Path):
    trials, shown = plan(8, 1), Remarks()
    run = Run.start(tmp_path, {"model": group.name, "suite": "toy"}, {}, trials, factors={})

    def media(file: str) -> bytes:
        if file.endswith("p002.png"):
            group.end()
        return picture(file)

    tally = ask(run, trials, group, media=media, policy=POLICY, progress=shown)
    assert tally.missing > 0
    assert tally.limit is not None
    assert "no server is left: copy 0 of" in tally.limit
    assert "the worker that had the model was lost" in tally.limit


def test_a_run_records_where_its_model_was_and_is_the_same_run_as_one_here(model: str, tmp_path: Path):
    drawn = {"cases": ["zollner"], "units": 1, "levels": 2, "size": 96, "workers": 1}
    stimuli = veridical.make("viprobe", out=tmp_path / "set", **drawn)
    options = {"max_tokens": 2, "show": "quiet", "analyze": False}
    on = {"cluster": "auto", "workers": 1, "gpus_per_model": 0}
    there = veridical.run(stimuli, model, out=tmp_path / "run", **on, **options)
    assert there.run.executions[-1]["workers"] == {"cluster": "auto", "nodes": 1, "copies": 1, "gpus_per_model": 0}
    assert {each.server for each in there.run.responses().values()} == {None}
    assert there.run.missing() == 0
    here = veridical.run(stimuli, model, out=tmp_path / "run", **options)
    assert ("workers" in here.run.executions[-1], len(here.run.executions)) == (False, 2)
    assert here.run.responses() == there.run.responses()


@pytest.mark.parametrize(
    ("workers", "line"),
    [
        (replace(ON_CPUS, gpus=1), "cluster 'auto' has no GPU: gpus_per_model 0 loads the model on CPUs"),
        (replace(ON_CPUS, copies=9), "workers 9: cluster 'auto' has room for 2 copies of the model"),
    ],
)
def test_more_than_there_is_is_refused_in_one_line(model: str, workers: Workers, line: str):
    with pytest.raises(InputError) as caught:
        open_replicas(model, {}, workers, **HOW)
    assert str(caught.value) == line


def test_a_model_that_cannot_be_loaded_there_is_refused_in_one_line(tmp_path: Path):
    bare = tiny.llava(tmp_path / "bare", template=None)
    with pytest.raises(InputError, match="has no chat template: a chat-tuned model is needed") as caught:
        open_replicas(f"veridical-hf/{bare}", {}, replace(ON_CPUS, copies=1), **HOW)
    assert "\n" not in str(caught.value)
