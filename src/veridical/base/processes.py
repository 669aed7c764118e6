"""Worker processes: a worker reads its job from the first line of its input, then one item per line.

A worker is a fresh interpreter that imports its handler by name, so a script needs no `__main__` guard. It ends when
its input ends, including when its parent process was killed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from importlib import import_module
from itertools import islice
from queue import SimpleQueue
from threading import Event, Thread
from typing import IO, Any, Protocol

from veridical.errors import InputError

Json = Any
Handler = Callable[[Json, Json], Json]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
# Pictures take megabytes each. Without this, glibc returns each to the system and faults the next in page by page.
KEPT_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 25), "MALLOC_TRIM_THRESHOLD_": str(1 << 27)}


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def importable(function: Callable[..., Any]) -> str | None:
    """`module:name` of a function that a fresh interpreter can import, or `None` if it cannot.

    >>> importable(importable), importable(lambda: None)
    ('veridical.base.processes:importable', None)
    """
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    spec = getattr(sys.modules.get(module), "__spec__", None)
    return f"{module}:{name}" if spec is not None and module != "__main__" and name.isidentifier() else None


def function_at(name: str) -> Any:  # noqa: ANN401
    """The function that `importable` named."""
    module, function = name.split(":")
    return getattr(import_module(module), function)


class Crew(Protocol):
    """Workers that share a queue of items: `slots` of them at a time, `window` items at most on their way."""

    @property
    def slots(self) -> int: ...
    @property
    def window(self) -> int: ...
    def submit(self, item: Json) -> Future[Json]:
        """The handler's result for an item, later.

        The future has `InputError` where the handler raises it, RuntimeError for any other failure of a worker.
        """

    def close(self) -> None:
        """Ends the workers; what they are at work on is stopped at once."""


def handler_name(handler: Handler) -> str:
    """The name by which a worker imports a handler; raises ValueError for one that cannot be imported."""
    name = importable(handler)
    if name is None:
        raise ValueError(f"{handler} cannot be imported by name")
    return name


def map_processes(handler: Handler, job: Json, items: Sequence[Json], workers: int) -> Iterator[Json]:
    """The handler's result for each item, computed in `workers` processes and returned in order of completion.

    The handler is an importable function; job, items and results are JSON. Raises as the futures of a `Crew` do. All
    workers end with the iteration; if it ends early, they are terminated at once.
    """
    yield from results_of(ProcessCrew(handler, job, min(workers, len(items))), items)


def results_of(crew: Crew, items: Sequence[Json]) -> Iterator[Json]:
    """The results of items in order of completion; the crew ends with the iteration."""
    todo, news = iter(items), SimpleQueue[Future[Json]]()

    def submit(count: int) -> None:
        for item in islice(todo, count):
            crew.submit(item).add_done_callback(news.put)

    try:
        submit(crew.window)
        for _ in items:
            done = news.get()
            submit(1)
            yield done.result()
    finally:
        crew.close()


def settle(future: Future[Json], reply: Json) -> None:
    """Gives a future what a worker replied: a result, or the error that it stands for."""
    if "refused" in reply:
        future.set_exception(InputError(reply["refused"]))
    elif "broken" in reply:
        future.set_exception(RuntimeError(reply["broken"]))
    else:
        future.set_result(reply["result"])


class ProcessCrew:
    """A `Crew` of processes on this machine. A process that ended in the middle of an item is replaced by another."""

    def __init__(self, handler: Handler, job: Json, workers: int) -> None:
        self._opening = json.dumps({"handler": handler_name(handler), "job": job})
        self.slots, self.window = workers, 2 * workers
        self._workers = [_Worker(self._opening) for _ in range(workers)]
        self._items = SimpleQueue[tuple[Json, Future[Json]] | None]()
        self._closed, self._unfinished = Event(), set[Future[Json]]()
        self._threads = [Thread(target=self._serve, args=(place,), daemon=True) for place in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, item: Json) -> Future[Json]:
        future: Future[Json] = Future()
        self._unfinished.add(future)
        future.add_done_callback(self._unfinished.discard)
        self._items.put((item, future))
        return future

    def close(self) -> None:
        self._closed.set()
        for worker in self._workers if self._unfinished else ():
            worker.process.terminate()
        for _ in self._threads:
            self._items.put(None)
        for thread in self._threads:
            thread.join()

    def _serve(self, place: int) -> None:
        while (waiting := self._items.get()) is not None:
            item, future = waiting
            if self._workers[place].process.poll() is not None:
                with suppress(OSError):  # asking the one that ended says what is wrong
                    self._workers[place] = _Worker(self._opening)
            # Asked last, so that a worker which `close` did not see gets no item.
            if self._closed.is_set():
                future.cancel()
            if not future.set_running_or_notify_cancel():
                continue
            settle(future, self._workers[place].ask(item))
        self._workers[place].end()


class _Worker:
    """A process and its two pipes, in its own session, so that Ctrl-C reaches only the parent."""

    def __init__(self, opening: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603 (this interpreter, this module)
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **ONE_THREAD, **KEPT_MEMORY, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same for Windows
        )
        self._send(opening)

    def ask(self, item: Json) -> Json:
        try:
            self._send(json.dumps(item))
            line = _open(self.process.stdout).readline()
        except (OSError, ValueError) as error:
            return {"broken": f"a worker cannot be reached: {error}"}
        return json.loads(line) if line else {"broken": f"a worker ended with {self.process.wait()}"}

    def end(self) -> None:
        with suppress(OSError):
            _open(self.process.stdin).close()
        self.process.wait()

    def _send(self, line: str) -> None:
        pipe = _open(self.process.stdin)
        pipe.write(line + "\n")
        pipe.flush()


def _open(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


def item_reply(handler: Handler, job: Json, item: Json) -> Json:
    """What a worker replies to an item: its result, or in words why there is none (see `settle`)."""
    try:
        return {"result": handler(job, item)}
    except InputError as error:
        return {"refused": str(error)}
    except Exception as error:  # noqa: BLE001 (the parent raises it)
        from veridical.base.requirements import misfit

        line = misfit(error)  # only here the traceback still says what was being loaded
        return {"broken": f"{type(error).__name__}: {error}"} if line is None else {"refused": line}


def main() -> None:
    """Serves one job: writes one line of output for each line of input."""
    replies, sys.stdout = sys.stdout, sys.stderr
    opening = json.loads(sys.stdin.readline() or "null")
    if opening is None:
        return
    handler: Handler = function_at(opening["handler"])
    for line in sys.stdin:
        reply = json.dumps(item_reply(handler, opening["job"], json.loads(line)))
        try:
            replies.write(reply + "\n")
            replies.flush()
        except OSError:  # on Windows no BrokenPipeError
            os._exit(1)  # the parent has ended


if __name__ == "__main__":
    main()
