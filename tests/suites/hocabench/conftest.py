"""The suite as far as it is there: parts that are not are stood in for, so that verbs can be tried on imported sets."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import pytest

from tests.calling import call
from tests.suites.hocabench.parts import STANDING_IN
from veridical.suite import registry
from veridical.suites.hocabench import SUITE


@pytest.fixture(scope="package", autouse=True)
def hocabench():
    places = {name: str(SUITE.parts[name]).partition(":")[0] for name in STANDING_IN}
    lacking = {name: part for name, part in STANDING_IN.items() if find_spec(places[name]) is None}
    before = dict(registry._REGISTERED)
    if lacking:
        later = () if "asking" in lacking else SUITE.later_stages
        registry._REGISTERED["hocabench"] = replace(SUITE, parts={**SUITE.parts, **lacking}, later_stages=later)
    yield registry.get("hocabench")
    registry._REGISTERED.clear()
    registry._REGISTERED.update(before)


@pytest.fixture
def said(monkeypatch, capsys):
    """Calls a command in this process, and gives its exit code, output and error output."""
    return lambda *words: call(monkeypatch, capsys, *words)
