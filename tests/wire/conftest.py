from __future__ import annotations

import os

import pytest

from tests.ask.conftest import server

__all__ = ["server"]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.endswith(("_API_KEY", "_TOKEN", "_SECRET", "_PROXY", "_proxy", "_BASE_URL")):
            monkeypatch.delenv(name)
