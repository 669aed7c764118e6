"""Copies of a model on a Ray cluster: an actor each, with the GPUs that it needs, which Ray starts again if it is lost.

An actor gets what it serves by name, its job and requests as JSON, and media as bytes; it replies JSON.
"""

from __future__ import annotations

import json
import time
from asyncio import CancelledError, sleep, wrap_future
from collections.abc import Sequence
from dataclasses import dataclass
from socket import gethostname
from typing import Any, Protocol
from uuid import uuid4

from veridical.base.cluster import (
    SAME_VERSIONS,
    connection,
    error_line,
    node_problem,
    nodes_of,
    sent_to,
    worker_environment,
)
from veridical.base.processes import Json, function_at, importable
from veridical.base.requirements import misfit, versions_of
from veridical.base.workers import Workers
from veridical.errors import InputError

_RESTARTS = 20
"""How often Ray starts an actor again."""

_RELEASED = 20.0
"""Seconds for which GPUs that an earlier stage gave back may be shown as in use."""

_LOADING = 1800.0
"""Seconds in which every copy is to be loaded."""

_MODEL_VERSIONS = ("torch", "transformers")


class ModelCopy(Protocol):
    """What an actor serves; `facts` say what was loaded."""

    def __init__(self, job: Json) -> None: ...
    @property
    def facts(self) -> dict[str, Json]: ...
    async def reply(self, request: Json, media: Sequence[bytes]) -> Json:
        """The reply to a request; no exception is expected."""


class ReplicaLostError(ConnectionError):
    """The actor of a replica ended, or its node cannot be reached."""


@dataclass
class Replica:
    """A copy of a model: the node that it was loaded on, and the `facts` of what was loaded.

    It is `lost` from when its actor was lost until it replies again.
    """

    node: str
    facts: dict[str, Json]
    actor: Any
    ray: Any
    lost: bool = False

    async def reply(self, request: Json, media: Sequence[bytes]) -> Json:
        """The reply to a request, which waits while a lost actor is started again.

        Raises `ReplicaLostError` if the actor ends before it replies, or is not started again. A request that is
        cancelled here is cancelled there, too.
        """
        try:
            while self.lost:
                await self._look()
            task = self.actor.reply.remote(json.dumps(request), list(media))
            try:
                return json.loads(await wrap_future(task.future()))
            except CancelledError:
                self.ray.cancel(task)
                raise
        except self.ray.exceptions.RayActorError as error:
            self.lost = True
            raise ReplicaLostError(error_line(error)) from None

    async def _look(self) -> None:
        """Sees whether the actor is there again; the actor's error is raised if it will not be."""
        try:
            await wrap_future(self.actor.opened.remote().future())
        except self.ray.exceptions.ActorUnavailableError:
            await sleep(1.0)
        else:
            self.lost = False

    def end(self) -> None:
        """Ends the actor, which gives its GPUs back."""
        self.ray.kill(self.actor)


def start_replicas(workers: Workers, serve: type[ModelCopy], job: Json) -> list[Replica]:
    """Copies of what `serve` loads for a job, each in an actor of its own, when all of them are loaded.

    There are as many as `workers` states, else as many as the GPUs allow that are not in use, or one a node without
    GPUs. Raises `InputError` in one line if there is no room, if a node has other versions of packages, and for what
    `serve` refuses.
    """
    address = str(workers.cluster)
    ray, count = connection(address), _room(workers)
    versions = versions_of(*SAME_VERSIONS, *_MODEL_VERSIONS)
    opening = json.dumps({"serve": importable(serve), "job": job, "versions": versions})
    environment = {"env_vars": {**worker_environment(), "VERIDICAL_CREW": uuid4().hex}}
    needs = {"num_cpus": 1, "num_gpus": workers.gpus, "max_restarts": _RESTARTS, "runtime_env": environment}
    kind = ray.remote(**needs)(_ModelActor)
    with sent_to(address):
        actors = [kind.remote(opening) for _ in range(count)]
    opened = [actor.opened.remote() for actor in actors]
    try:
        stated = [json.loads(each) for each in ray.get(opened, timeout=_LOADING)]
        if (refused := next((each["refused"] for each in stated if "refused" in each), None)) is not None:
            raise InputError(refused)
    except BaseException as error:
        for actor in actors:
            ray.kill(actor)
        if not isinstance(error, ray.exceptions.RayError):
            raise
        raise InputError(f"cluster '{address}': a copy of the model was not loaded: {error_line(error)}") from None
    return [Replica(each["node"], each["facts"], actor, ray) for each, actor in zip(stated, actors, strict=True)]


def _room(workers: Workers) -> int:
    """How many copies there will be; raises `InputError` if not one fits, or not as many as are stated."""
    address, gpus = str(workers.cluster), workers.gpus
    nodes = [node["Resources"] for node in nodes_of(address)]
    by_node = [int(node.get("GPU", 0)) for node in nodes]
    if gpus and not any(by_node):
        raise InputError(f"cluster '{address}' has no GPU: gpus_per_model 0 loads the model on CPUs")
    if gpus > max(by_node, default=0):
        raise InputError(f"gpus_per_model {gpus}: no node of cluster '{address}' has more than {max(by_node)}")
    room = sum(each // gpus for each in by_node) if gpus else sum(int(node.get("CPU", 0)) for node in nodes)
    if workers.copies is not None:
        if workers.copies > room:
            raise InputError(f"workers {workers.copies}: cluster '{address}' has room for {room} copies of the model")
        return workers.copies
    if not gpus:
        return sum("CPU" in node for node in nodes)
    return min(room, _free_gpus(address, room * gpus) // gpus) or _none_free(address, sum(by_node))


def _free_gpus(address: str, wanted: int) -> int:
    """How many GPUs are not in use, if need be after those of an earlier stage were given back."""
    until = time.monotonic() + _RELEASED
    while (free := int(connection(address).available_resources().get("GPU", 0))) < wanted and time.monotonic() < until:
        time.sleep(0.5)
    return free


def _none_free(address: str, gpus: int) -> int:
    raise InputError(f"cluster '{address}': its GPUs ({gpus}) are in use: wait, or state workers to stand in the queue")


class _ModelActor:
    """The actor: it serves one copy, or says why it cannot."""

    def __init__(self, opening: str) -> None:
        stated = json.loads(opening)
        self._problem, self._served = node_problem(stated["versions"]), None
        if self._problem:
            return
        try:
            self._served = function_at(stated["serve"])(stated["job"])
        except InputError as error:
            self._problem = str(error)
        except Exception as error:  # noqa: BLE001 - an actor whose beginning fails could not say why
            self._problem = misfit(error) or f"{type(error).__name__}: {' '.join(str(error).split())}"

    async def opened(self) -> str:
        if self._served is None:
            return json.dumps({"refused": self._problem})
        return json.dumps({"node": gethostname(), "facts": self._served.facts})

    async def reply(self, request: str, media: list[bytes]) -> str:
        if self._served is None:
            raise RuntimeError(self._problem)
        return json.dumps(await self._served.reply(json.loads(request), media))
