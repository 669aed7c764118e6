from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.ask.server import Server, serve


@pytest.fixture
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.endswith(("_API_KEY", "_TOKEN", "_SECRET", "_PROXY", "_proxy")):
            monkeypatch.delenv(name)
