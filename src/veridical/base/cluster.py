"""Work on a Ray cluster: each item is a task, which Ray starts again elsewhere if its worker or node is lost.

A task gets its handler by name, and job and item as JSON; it returns JSON. Each crew has workers of its own, so that
what a handler remembers ends with its job.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Sequence
from concurrent.futures import Future
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
from veridical.errors import InputError

_LOST = 3
"""How often Ray starts a task again whose worker or node was lost."""

_WAITING = 256
"""Items at least that Ray is given at a time, so that a cluster that grows by itself sees what waits."""

_UNSEEN = 60.0
"""Seconds for which a file system that machines share may show a folder as it was before."""

_SAME = ("veridical", "av", "matplotlib", "numpy", "pillow", "polars", "scipy")
"""Packages by whose version results may differ."""


class ClusterCrew:
    """A `Crew` of the workers of a cluster, which is connected to when the first crew is made."""

    def __init__(self, handler: Handler, job: Json, address: str) -> None:
        self._address, self._ray = address, connection(address)
        name = handler_name(handler)
        self._opening = json.dumps({"handler": name, "job": job, "versions": versions_of(*_SAME)})
        environment = {"env_vars": {**_environment(), "VERIDICAL_CREW": uuid4().hex}}
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
            future.set_exception(InputError(f"cluster '{self._address}': {_in_words(error)}"))


def connection(address: str) -> Any:  # noqa: ANN401 (a module that is loaded here only)
    """Ray, connected to the cluster at an address (see `Workers`); a connection that this process has is used again.

    Raises `InputError`, in one line, where Ray is not installed, and for a cluster that cannot be reached, or that has
    other versions of Ray or Python.
    """
    with extra_needed("ray", f"cluster '{address}'"):
        ray = _quiet_ray()
    if ray.is_initialized():
        return ray
    logging.getLogger("ray").setLevel(logging.ERROR)
    how: dict[str, Any] = {} if address.startswith("ray://") else {"include_dashboard": False}
    try:
        with catch_warnings(action="ignore"):  # the error says the same
            ray.init(address=address, log_to_driver=False, configure_logging=False, **how)
    except (ConnectionError, ImportError, OSError, RuntimeError, ValueError) as error:
        raise InputError(f"cluster '{address}' cannot be used: {_in_words(error)}") from None
    return ray


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


def _environment() -> dict[str, str]:
    """What a worker finds in its environment: one thread, this process's modules and settings, and none of its keys."""
    own = {name: value for name, value in os.environ.items() if name.startswith("VERIDICAL_")}
    own = {name: value for name, value in own.items() if not name.endswith("_KEY")}
    return {**ONE_THREAD, **KEPT_MEMORY, **own, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _replied(opening: str, item: str) -> str:
    """The task: the reply to an item, or that this node has other versions."""
    handler, job, differing = _opened(opening)
    if differing:
        return json.dumps({"refused": f"the node {gethostname()} has {differing}: the same versions are needed"})
    return json.dumps(item_reply(handler, job, json.loads(item)))


@lru_cache(maxsize=1)
def _opened(opening: str) -> tuple[Handler, Json, str]:
    """The handler and job of a crew, and which versions here differ from those of its driver."""
    stated = json.loads(opening)
    here = versions_of(*_SAME)
    others = [
        f"{name} {here.get(name, 'nowhere')} and not {version}"
        for name, version in stated["versions"].items()
        if here.get(name) != version
    ]
    return function_at(stated["handler"]), stated["job"], ", ".join(others)


def _in_words(error: BaseException) -> str:
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
