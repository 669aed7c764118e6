"""Stopping cleanly when somebody asks for it."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def cancelled_by_signals() -> Iterator[threading.Event]:
    """Within it, the first SIGINT or SIGTERM sets the event and cancels the task; a second does what it did before."""
    stopped = threading.Event()
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
        yield stopped
    finally:
        restore()
