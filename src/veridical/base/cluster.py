"""Work on a Ray cluster: each item is a task, which Ray starts again elsewhere if its worker or node is lost.

A task gets its handler by name, and job and item as JSON; it returns JSON. Each crew has workers of its own, so that
what a handler remembers ends with its job.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from socket import gethostname
from time import monotonic, sleep
from typing import Any
from uuid import uuid4
from warnings import catch_warnings

from veridical.base.processes import (
    KEPT_MEMORY,
    ONE_THREAD,
    Handler,
    Json,
    function_at,
    handler_name,
    item_reply,
    settle,
)
from veridical.base.requirements import extra_needed, versions_of
from veridical.base.workers import CLIENT
from veridical.errors import InputError

_LOST = 3
"""How often Ray starts a task again whose worker or node was lost."""

_WAITING = 256
"""Items at least that Ray is given at a time, so that a cluster that grows by itself sees what waits."""

_AUTHENTICATION = "RAY_AUTH_MODE"

_UNSEEN = 60.0
"""Seconds for which a file system that machines share may show a folder as it was before."""

SAME_VERSIONS = ("veridical", "av", "matplotlib", "numpy", "pillow", "polars", "scipy")
"""Packages by whose version results may differ."""


class ClusterCrew:
    """A `Crew` of the workers of a cluster, which is connected to when the first crew is made."""

    def __init__(self, handler: Handler, job: Json, address: str) -> None:
        self._address, self._ray = address, connection(address)
        name = handler_name(handler)
        self._opening = json.dumps({"handler": name, "job": job, "versions": versions_of(*SAME_VERSIONS)})
        environment = {"env_vars": {**ONE_THREAD, **worker_environment(), "VERIDICAL_CREW": uuid4().hex}}
        self._task = self._ray.remote(max_retries=_LOST, num_cpus=1, runtime_env=environment)(_replied)
        self._tasks: dict[Future[Json], Any] = {}

    @property
    def slots(self) -> int:
        """The number of cores of the cluster as it is now."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    @property
    def window(self) -> int:
        return max(_WAITING, 4 * self.slots)

    def submit(self, item: Json) -> Future[Json]:
        future: Future[Json] = Future()
        with sent_to(self._address):
            task = self._task.remote(self._opening, json.dumps(item))
        self._tasks[future] = task
        task.future().add_done_callback(partial(self._ended, future))
        return future

    def close(self) -> None:
        for future, task in [*self._tasks.items()]:
            if not future.done():
                self._ray.cancel(task, force=True)

    def _ended(self, future: Future[Json], done: Future[str]) -> None:
        self._tasks.pop(future, None)
        error = done.exception()
        if error is None:
            settle(future, json.loads(done.result()))
        else:
            future.set_exception(InputError(f"cluster '{self._address}': {error_line(error)}"))


def connection(address: str) -> Any:  # noqa: ANN401 (a module that is loaded here only)
    """Ray, connected to the cluster at an address (see `Workers`); a connection that this process has is used again.

    Raises `InputError`, in one line, where Ray is not installed, and for a cluster that cannot be reached, or that has
    other versions of Ray or Python.
    """
    if address.startswith(CLIENT) and _has_token():
        # Ray does the same for a cluster of this machine; for others its client sends no token unless this is set.
        os.environ.setdefault(_AUTHENTICATION, "token")
    with extra_needed("ray", f"cluster '{address}'"):
        ray = _quiet_ray()
    if ray.is_initialized():
        return ray
    logging.getLogger("ray").setLevel(logging.ERROR)
    # A client's head imports what is sent before any worker does.
    environment = {"runtime_env": {"env_vars": worker_environment()}}
    how: dict[str, Any] = environment if address.startswith(CLIENT) else {"include_dashboard": False}
    try:
        with catch_warnings(action="ignore"):  # the error says the same
            ray.init(address=address, log_to_driver=False, configure_logging=False, **how)
    except (ConnectionError, ImportError, OSError, RuntimeError, ValueError) as error:
        raise InputError(f"cluster '{address}' cannot be used: {error_line(error)}{_without_token(address)}") from None
    return ray


@contextmanager
def sent_to(address: str) -> Iterator[None]:
    """Raises `InputError` where the head of a client's cluster cannot import what is sent."""
    try:
        yield
    except ImportError as error:
        lacks = f"its head cannot import {error.name or error}"
        raise InputError(f"cluster '{address}': {lacks}: the same version of veridical is needed there") from None


def nodes_of(address: str) -> list[dict[str, Any]]:
    """The nodes of a cluster that are there now, each with its resources, as Ray states them."""
    return [node for node in connection(address).nodes() if node["Alive"]]


def _has_token() -> bool:
    """Whether this machine has a token of a Ray cluster, where Ray looks for it."""
    stated = any(os.environ.get(name) for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"))
    return stated or (Path.home() / ".ray" / "auth_token").is_file()


def _without_token(address: str) -> str:
    """That a cluster may want a token, where none was sent: its answer does not say so."""
    sent = os.environ.get(_AUTHENTICATION) == "token"
    return "" if sent or not address.startswith(CLIENT) else "; if it wants a token, copy its head's ~/.ray/auth_token"


def _quiet_ray() -> Any:  # noqa: ANN401
    """Ray as a module that reports nothing to anybody, and prints nothing of its own between a command's lines."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # What its nodes say, such as that a worker was lost, Ray prints to standard output; it reads this when it loads.
    skipped = "RAY_DEDUP_LOGS_SKIP_REGEX"
    before = os.environ.get(skipped)
    os.environ[skipped] = "."
    try:
        import ray
    finally:
        del os.environ[skipped]
        if before is not None:
            os.environ[skipped] = before
    return ray


def worker_environment() -> dict[str, str]:
    """What a worker finds in its environment: this process's modules and settings, and none of its keys."""
    own = {name: value for name, value in os.environ.items() if name.startswith("VERIDICAL_")}
    own = {name: value for name, value in own.items() if not name.endswith("_KEY")}
    return {**KEPT_MEMORY, **own, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _replied(opening: str, item: str) -> str:
    """The task: the reply to an item, or that this node has other versions."""
    handler, job, problem = _opened(opening)
    if problem:
        return json.dumps({"refused": problem})
    return json.dumps(item_reply(handler, job, json.loads(item)))


@lru_cache(maxsize=1)
def _opened(opening: str) -> tuple[Handler, Json, str]:
    """The handler and job of a crew, and what is wrong with this node."""
    stated = json.loads(opening)
    return function_at(stated["handler"]), stated["job"], node_problem(stated["versions"])


def node_problem(versions: Mapping[str, str]) -> str:
    """That this node has other versions of packages than a driver, in words; empty if it has the same."""
    here = versions_of(*versions)
    others = [
        f"{name} {here.get(name, 'nowhere')} and not {version}"
        for name, version in versions.items()
        if here.get(name) != version
    ]
    return f"the node {gethostname()} has {', '.join(others)}: the same versions are needed" if others else ""


def error_line(error: BaseException) -> str:
    """What went wrong in one line, where Ray's words have many: the first, and after a colon the last."""
    lines = [line.strip() for line in str(getattr(error, "cause", None) or error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    words = f"{lines[0]} {lines[-1]}" if lines[0].endswith(":") and len(lines) > 1 else lines[0]
    return words.rstrip(".:")


def require_visible(files: Sequence[Path]) -> None:
    """Waits until this machine sees files that workers of a cluster wrote; raises `InputError` if it does not.

    A folder that machines share over a network may be seen as it was a while ago.
    """
    until = monotonic() + _UNSEEN
    for file in files:
        while not file.exists():
            if monotonic() > until:
                raise InputError(f"{file} was written on the cluster and is not here: name a folder that they share")
            if file.parent.is_dir():
                next(file.parent.iterdir(), None)  # looks at the folder anew
            sleep(0.5)
