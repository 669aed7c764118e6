"""The suite as far as it is there: parts that are not are stood in for, so that verbs can be tried on imported sets."""

from __future__ import annotations

import pytest

from tests.calling import call
from tests.suites.hocabench.pipeline import stand_in
from veridical.suite import registry


@pytest.fixture(scope="package", autouse=True)
def hocabench():
    before = dict(registry._REGISTERED)
    stand_in()
    yield registry.get("hocabench")
    registry._REGISTERED.clear()
    registry._REGISTERED.update(before)


@pytest.fixture
def said(monkeypatch, capsys):
    """Calls a command in this process, and gives its exit code, output and error output."""
    return lambda *words: call(monkeypatch, capsys, *words)
