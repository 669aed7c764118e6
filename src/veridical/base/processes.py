"""Work in processes of its own: a worker gets its job on the first line of its input, then one item a line.

A worker is a fresh interpreter that imports its handler by name, so that a script needs no guard around its calls. It
ends when its input does: also when the process that started it was killed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import IO, Any

from veridical.errors import InputError

Json = Any
Handler = Callable[[Json, Json], Json]
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
# Pictures come and go by the megabyte: glibc would hand each back to the system, and fetch the next page by page.
_KEPT_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 25), "MALLOC_TRIM_THRESHOLD_": str(1 << 27)}


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def importable(function: Callable[..., Any]) -> str | None:
    """`module:name` of a function that a fresh interpreter can import, or `None` where it cannot.

    >>> importable(importable), importable(lambda: None)
    ('veridical.base.processes:importable', None)
    """
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    found = getattr(sys.modules.get(module), "__spec__", None)
    return f"{module}:{name}" if found is not None and module != "__main__" and name.isidentifier() else None


def imported(name: str) -> Any:  # noqa: ANN401
    """The function that `importable` named."""
    module, function = name.split(":")
    return getattr(import_module(module), function)


def in_processes(handler: Handler, job: Json, items: Sequence[Json], workers: int) -> Iterator[Json]:
    """What the handler makes of the job and each item, in so many processes, as it comes, in no order.

    The handler is an importable function; job, items and results are JSON. Raises `InputError` for what a handler
    refuses so, RuntimeError for anything else that breaks in one. All workers end with the iteration; where it ends
    early, they are terminated in the midst of their work.
    """
    name = importable(handler)
    if name is None:
        raise ValueError(f"{handler} cannot be imported by name")
    opening = json.dumps({"handler": name, "job": job})
    crew = [_Worker(opening) for _ in range(min(workers, len(items)))]
    todo, lock, stop, news = iter(items), Lock(), Event(), SimpleQueue[Json]()

    def feed(worker: _Worker) -> None:
        while not stop.is_set():
            with lock:
                item = next(todo, _END)
            if item is _END:
                return
            news.put(worker.ask(item))

    for worker in crew:
        Thread(target=feed, args=(worker,), daemon=True).start()
    try:
        for _ in items:
            yield _result(news.get())
    except BaseException:
        for worker in crew:
            worker.terminate()
        raise
    finally:
        stop.set()
        for worker in crew:
            worker.end()


_END = object()


def _result(said: Json) -> Json:
    if "refused" in said:
        raise InputError(said["refused"])
    if "broken" in said:
        raise RuntimeError(said["broken"])
    return said["result"]


class _Worker:
    """A process and its two pipes; in a session of its own, so that Ctrl-C reaches the process that waits alone."""

    def __init__(self, opening: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 (this interpreter, this module)
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **_ONE_THREAD, **_KEPT_MEMORY, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,
        )
        self._send(opening)

    def ask(self, item: Json) -> Json:
        try:
            self._send(json.dumps(item))
            line = _open(self._process.stdout).readline()
        except (OSError, ValueError) as error:
            return {"broken": f"a worker cannot be reached: {error}"}
        return json.loads(line) if line else {"broken": f"a worker ended with {self._process.wait()}"}

    def terminate(self) -> None:
        self._process.terminate()

    def end(self) -> None:
        with suppress(OSError):
            _open(self._process.stdin).close()
        self._process.wait()

    def _send(self, line: str) -> None:
        pipe = _open(self._process.stdin)
        pipe.write(line + "\n")
        pipe.flush()


def _open(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


def _answer(handler: Handler, job: Json, item: Json) -> Json:
    try:
        return {"result": handler(job, item)}
    except InputError as error:
        return {"refused": str(error)}
    except Exception as error:  # noqa: BLE001 (told by the process that waits)
        return {"broken": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Serves one job: a line of answer to each line of input."""
    answers, sys.stdout = sys.stdout, sys.stderr
    opening = json.loads(sys.stdin.readline() or "null")
    if opening is None:
        return
    handler: Handler = imported(opening["handler"])
    for line in sys.stdin:
        answer = json.dumps(_answer(handler, opening["job"], json.loads(line)))
        try:
            answers.write(answer + "\n")
            answers.flush()
        except BrokenPipeError:
            os._exit(1)  # nobody waits any more; there is nothing to tell, and nobody to tell it to


if __name__ == "__main__":
    main()
