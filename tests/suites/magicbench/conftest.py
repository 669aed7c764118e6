"""What tests of MagicBench share: a small set of performances, made once."""

from __future__ import annotations

import pytest

from tests.calling import call
from veridical.suites.magicbench.make import chunks, make
from veridical.suites.magicbench.options import MagicBenchOptions

SMALL = MagicBenchOptions(units=2, tricks=("coin",), height=180, rate=12)


@pytest.fixture(scope="session")
def made():
    """The stimuli of a small set with the bytes of their clips, unit by unit."""
    return [list(make(SMALL, chunk)) for chunk in chunks(SMALL)]


@pytest.fixture
def called(monkeypatch, capsys):
    """Calls a command in this process, and gives its exit code, output and error output."""
    return lambda *words: call(monkeypatch, capsys, *words)
