"""One thread for the linear algebra of small networks, which threads that wait for each other make slower."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """A context in which the linear algebra of this process runs in one thread; afterwards in as many as before.

    The libraries are looked for once: those that are loaded later are not limited.
    """
    context: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return context


@cache
def _libraries() -> Any:  # noqa: ANN401 (a class without types)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
