"""Python's cyclic garbage collector, paused while many records are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Pauses the cyclic garbage collector, which would walk all records again and again while they are made.

    Records have no cycles; counting references frees them as always.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
