"""Whether a node of a cluster sees a folder: what it does not see, it would not read, or write to a disk of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from socket import gethostname
from uuid import uuid4

from veridical.base.files import write_whole
from veridical.base.processes import Handler, Json
from veridical.base.workers import Workers
from veridical.errors import InputError

_CREW = "VERIDICAL_CREW"
"""The variable by which a process knows that it is a worker of a cluster."""


def map_in_folder(workers: Workers, handler: Handler, job: Json, items: Sequence[Json], folder: Path) -> Iterator[Json]:
    """As `Workers.map`, for a handler that writes to a folder: the job has a `token`, for `require_shared`.

    That is an empty file with a random name in the folder until all is done. Another machine sees it only if it sees
    this folder, and not one of the same name on a disk of its own.
    """
    token = write_whole(folder / f"shared-{uuid4().hex}", b"").resolve()
    try:
        yield from workers.map(handler, {**job, "token": str(token)}, items)
    finally:
        with suppress(OSError):
            token.unlink()


@lru_cache(maxsize=8)
def require_shared(file: str) -> None:
    """Raises `InputError` on a node of a cluster that does not see a file of its driver; elsewhere it does nothing.

    It waits as long as a file system that machines share may show a folder as it was before.
    """
    if _CREW not in os.environ:
        return
    from veridical.base.cluster import require_visible

    try:
        require_visible([Path(file)])
    except InputError:
        unseen = f"the node {gethostname()} does not see {Path(file).parent}"
        raise InputError(f"{unseen}: name a folder that all nodes share") from None
