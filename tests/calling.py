"""Calling the command line in this process, as a user would."""

import sys

import pytest

from veridical import cli


def call(monkeypatch, capsys, *words):
    monkeypatch.setattr(sys, "argv", ["veridical", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    return ended.value.code, said.out, said.err
