"""Clean stops on signals, also where an event loop already runs, as in a notebook."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any


def run_to_end(work: Coroutine[Any, Any, None], stopped: threading.Event) -> None:
    """Runs a coroutine to its end; if a loop already runs in this thread, in a loop of another thread.

    There, the first SIGINT or SIGTERM does what it does in `cancelled_by_signals`.
    """
    if not _in_a_loop():
        asyncio.run(work)
        return
    loop: asyncio.AbstractEventLoop | None = None
    task: asyncio.Task[None] | None = None

    async def watched() -> None:
        nonlocal loop, task
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
        if not stopped.is_set():
            await task

    def cancel() -> None:
        stopped.set()
        if loop and task:
            loop.call_soon_threadsafe(task.cancel)

    with ThreadPoolExecutor(1) as pool, _handled(cancel):
        pool.submit(asyncio.run, watched()).result()


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@contextmanager
def _handled(stop: Callable[[], None]) -> Iterator[None]:
    """Calls the function on the first SIGINT or SIGTERM; a second one has its usual effect."""
    earlier: dict[signal.Signals, Callable[..., Any] | int] = {}

    def restore() -> None:
        for number, handler in earlier.items():
            signal.signal(number, handler)
        earlier.clear()

    def first(number: int, frame: object) -> None:  # noqa: ARG001 - the shape of a handler
        restore()
        stop()

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            earlier[number] = signal.getsignal(number) or signal.SIG_DFL
            signal.signal(number, first)
    try:
        yield
    finally:
        restore()


@contextmanager
def cancelled_by_signals(stopped: threading.Event) -> Iterator[None]:
    """The first SIGINT or SIGTERM sets the event and cancels the task; a second one has its usual effect."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    earlier: dict[signal.Signals, Callable[..., Any] | int] = {}

    def stop() -> None:
        stopped.set()
        restore()
        if task:
            task.cancel()

    def restore() -> None:
        for number, handler in earlier.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
        earlier.clear()

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(number) or signal.SIG_DFL
            try:
                loop.add_signal_handler(number, stop)
            except NotImplementedError:  # Windows: Ctrl-C then raises KeyboardInterrupt once the file is closed
                break
            earlier[number] = handler
    try:
        yield
    finally:
        restore()
