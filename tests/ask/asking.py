"""Asks the plan of the kill tests in a process of its own, forked from one that has everything loaded already."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.ask.plans import plan, put
from veridical.ask.loop import Tally
from veridical.errors import InputError

PICTURES, QUESTIONS = 20, 3
FORKED = get_context("forkserver")
FORKED.set_forkserver_preload(["tests.ask.loaded"])


async def _in_a_notebook(work: Callable[[], Tally]) -> Tally:
    """What a notebook does: it calls while an event loop runs."""
    return work()


def _ask(
    folder: str, url: str, out: str, pictures: int, file_size: int | None, notebook: bool, options: dict[str, Any]
) -> None:
    # Descriptors, not sys.stdout: nothing that a library writes is to be missed.
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"{out}.{name}", os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    if file_size is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, resource.RLIM_INFINITY))
    try:
        work = partial(put, Path(folder), url, plan(pictures, QUESTIONS), mode="plain", **options)
        tally = asyncio.run(_in_a_notebook(work)) if notebook else work()
    except InputError as error:
        os.write(2, f"error: {error}\n".encode())
        os._exit(2)
    os.write(1, json.dumps(asdict(tally)).encode())
    os._exit(0)


@contextmanager
def asking(
    folder: Path,
    url: str,
    out: Path,
    *,
    pictures: int = PICTURES,
    file_size: int | None = None,
    notebook: bool = False,
    **options: Any,
) -> Iterator[BaseProcess]:
    """A process that asks into `folder`; what it says goes to `out`.out and `out`.err; killed at the end."""
    process = FORKED.Process(target=_ask, args=(str(folder), url, str(out), pictures, file_size, notebook, options))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()
