"""Calling the command line, or that of a study, in this process, as a user would, or as one with few rights."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def as_nobody() -> Iterator[None]:
    """Within it, a superuser has no more rights than anybody."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
