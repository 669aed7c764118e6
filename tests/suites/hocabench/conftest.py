"""What tests of HOCA-Bench share."""

from __future__ import annotations

import pytest

from tests.calling import call


@pytest.fixture
def said(monkeypatch, capsys):
    """Calls a command in this process, and gives its exit code, output and error output."""
    return lambda *words: call(monkeypatch, capsys, *words)
