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
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import IO, Any

from veridical.errors import InputError

Json = Any
Handler = Callable[[Json, Json], Json]
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
# Pictures take megabytes each. Without this, glibc returns each to the system and faults the next in page by page.
_KEPT_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 25), "MALLOC_TRIM_THRESHOLD_": str(1 << 27)}


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


def map_processes(handler: Handler, job: Json, items: Sequence[Json], workers: int) -> Iterator[Json]:
    """The handler's result for each item, computed in `workers` processes and returned in order of completion.

    The handler is an importable function; job, items and results are JSON. Raises `InputError` where a handler raises
    it, RuntimeError for any other failure in a worker. All workers end with the iteration; if it ends early, they are
    terminated at once.
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
            worker.process.terminate()
        raise
    finally:
        stop.set()
        for worker in crew:
            worker.end()


_END = object()


def _result(reply: Json) -> Json:
    if "refused" in reply:
        raise InputError(reply["refused"])
    if "broken" in reply:
        raise RuntimeError(reply["broken"])
    return reply["result"]


class _Worker:
    """A process and its two pipes, in its own session, so that Ctrl-C reaches only the parent."""

    def __init__(self, opening: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603 (this interpreter, this module)
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **_ONE_THREAD, **_KEPT_MEMORY, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
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


def _answer(handler: Handler, job: Json, item: Json) -> Json:
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
    answers, sys.stdout = sys.stdout, sys.stderr
    opening = json.loads(sys.stdin.readline() or "null")
    if opening is None:
        return
    handler: Handler = function_at(opening["handler"])
    for line in sys.stdin:
        answer = json.dumps(_answer(handler, opening["job"], json.loads(line)))
        try:
            answers.write(answer + "\n")
            answers.flush()
        except OSError:  # on Windows no BrokenPipeError
            os._exit(1)  # the parent has ended


if __name__ == "__main__":
    main()
