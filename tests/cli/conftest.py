"""A command line in this process, and a suite of somebody else's with an option of every type."""

import sys

import pytest

from tests.cli import elsewhere
from veridical import cli as command_line
from veridical.suite import registry


@pytest.fixture
def cli(monkeypatch, capsys):
    """Runs a command line on a terminal of so many columns; returns its exit code, output and errors."""

    def called(*words, columns=80):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "argv", ["veridical", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            command_line.main()
        shown = capsys.readouterr()
        return ended.value.code, shown.out, shown.err

    return called


@pytest.fixture
def other(monkeypatch):
    """A suite that is known while a test runs."""
    monkeypatch.setitem(registry._REGISTERED, elsewhere.SUITE.name, elsewhere.SUITE)
    return elsewhere.SUITE
