"""Calling the command line, or that of a study, in this process, as a user would."""

import sys

import pytest

from veridical import cli


def call(monkeypatch, capsys, *words):
    return called(cli.main, monkeypatch, capsys, *words)


def called(main, monkeypatch, capsys, *words):
    monkeypatch.setattr(sys, "argv", ["veridical", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    return ended.value.code, said.out, said.err
