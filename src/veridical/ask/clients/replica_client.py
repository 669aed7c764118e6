"""Local models whose copies stand on a cluster: the client of each copy here, and what its actor does there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import ceil

from veridical.ask.clients import ReplyOrFailure, Schema
from veridical.ask.clients.observer_client import reply_facts, reply_of
from veridical.ask.clients.server_group import ClientGroup
from veridical.ask.clients.transformers_client import LocalClient, TransformersClient
from veridical.ask.failures import Failure, failure_of
from veridical.ask.local import PREFIX, identity_of
from veridical.ask.policy import Policy, Sampling
from veridical.base.replicas import Replica, ReplicaLostError, start_replicas
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import ChatTurn, Json


class ReplicaClient(LocalClient):
    """The client of one copy."""

    def __init__(
        self,
        model: str,
        arguments: Mapping[str, Json],
        sampling: Sampling,
        schema: Schema,
        *,
        place: str,
        copy: Replica,
        tops: int | None = None,
    ) -> None:
        super().__init__(model, arguments, sampling, schema, tops)
        self.name, self.replica, self._model = place, copy, model

    @property
    def loaded(self) -> Mapping[str, Json]:
        return self.replica.facts

    def facts(self) -> dict[str, Json]:
        return {**super().facts(), "model": self._model}

    async def reply(self, turns: Sequence[ChatTurn], repeat: int, most: int | None = None) -> ReplyOrFailure:
        media = [part for turn in turns for part in turn.parts if isinstance(part, bytes)]
        # A number stands for the next of the media.
        stated = [[turn.role, [0 if isinstance(part, bytes) else part for part in turn.parts]] for turn in turns]
        try:
            return reply_of(await self.replica.reply({"turns": stated, "repeat": repeat, "most": most}, media))
        except ReplicaLostError as error:
            return Failure(kind="connection", detail="the worker that had the model was lost", reason=str(error))


class ReplicaGroup(ClientGroup[ReplicaClient]):
    """The clients of all copies of a model. One whose actor was lost is passed over at once."""

    lost_after: Mapping[str, int] = {"connection": 1}

    def __init__(self, name: str, clients: Sequence[ReplicaClient]) -> None:
        super().__init__(clients)
        self.name = name

    def end(self) -> None:
        """Ends all actors."""
        for each in self.clients:
            each.replica.end()


def open_replicas(
    model: str,
    arguments: Mapping[str, Json],
    workers: Workers,
    *,
    sampling: Sampling,
    policy: Policy,
    schema: Schema,
) -> ReplicaGroup:
    """A local model, loaded in copies on a cluster (see `start_replicas`), each asked as many questions as one here.

    Raises `InputError` where a node has other weights than this machine finds under the name.
    """
    revision = identity_of(model, arguments)["revision"]
    device = {0: {"device": "cpu"}, 1: {}}.get(workers.gpus, {"device": "auto"})
    job = {
        "model": model,
        "arguments": {**device, **arguments},
        "sampling": asdict(sampling),
        "batch": policy.batch,
        "seconds": policy.attempt_timeout,
        "tops": policy.tops,
    }
    copies = start_replicas(workers, ReplicaModel, job)
    for each in copies:
        if each.facts["revision"] != revision:
            other = f"{model.removeprefix(PREFIX)} is {each.facts['revision']} there, and {revision} here"
            raise InputError(f"the node {each.node} has other weights: {other}")
    places = [f"copy {number} of {model} on {each.node}" for number, each in enumerate(copies)]
    clients = [
        ReplicaClient(model, arguments, sampling, schema, place=place, copy=each, tops=policy.tops)
        for place, each in zip(places, copies, strict=True)
    ]
    return ReplicaGroup(model, clients)


class ReplicaModel:
    """A `ModelCopy`: the model that a job names, loaded when it is made."""

    def __init__(self, job: Json) -> None:
        tops = {"logprobs": job["tops"] is not None, "top_logprobs": job["tops"]}
        policy = Policy(max_connections=job["batch"], attempt_timeout=job["seconds"], **tops)
        sampling = Sampling(**job["sampling"])
        self._client = TransformersClient(job["model"], job["arguments"], sampling=sampling, policy=policy)
        self._seconds = ceil(policy.attempt_timeout)

    @property
    def facts(self) -> dict[str, Json]:
        return dict(self._client.loaded)

    async def reply(self, request: Json, media: Sequence[bytes]) -> Json:
        shown = iter(media)
        turns = [
            ChatTurn(role, tuple(part if isinstance(part, str) else next(shown) for part in parts))
            for role, parts in request["turns"]
        ]
        try:
            return reply_facts(await self._client.reply(turns, request["repeat"], request["most"]))
        except Exception as error:  # noqa: BLE001 - an exception is a failed attempt, as where it is asked directly
            return reply_facts(failure_of(error, self._seconds))
