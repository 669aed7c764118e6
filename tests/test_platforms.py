"""What macOS and Windows lack is not needed: everything imports and works with those names taken away."""

import os
import subprocess
import sys

import pytest

# The standard library and the dependencies look for their own platform: they are loaded before the names go.
TAKEN_AWAY = """
import asyncio, concurrent.futures, multiprocessing, os, selectors, shutil, signal, subprocess, sys, tempfile
import anyio, av, httpx2, inspect_ai.model, isal, jinja2, matplotlib.figure, openai, PIL.Image, polars, rich.progress
import scipy.stats, sentencex, typer
for name in ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "posix", "readline"):
    sys.modules[name] = None
for name in ("sched_getaffinity", "sched_setaffinity", "fork", "forkpty", "getuid", "geteuid", "getgid", "setsid",
             "killpg", "getpgid", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC", "posix_fallocate", "statvfs", "mkfifo"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGUSR1", "SIGALRM", "SIGPIPE", "SIGCHLD", "alarm", "setitimer", "pthread_kill"):
    if hasattr(signal, name):
        delattr(signal, name)
def refused(*_):
    raise NotImplementedError
asyncio.unix_events._UnixSelectorEventLoop.add_signal_handler = refused
asyncio.unix_events._UnixSelectorEventLoop.remove_signal_handler = refused
"""
IMPORTED = """
import importlib, pkgutil, veridical
missing = []
for module in pkgutil.walk_packages(veridical.__path__, "veridical."):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        missing.append((error.name or "").split(".")[0] or str(error))
assert set(missing) <= {"torch", "torchvision", "transformers"}, missing
"""
WORKED = """
import veridical.stimulus_set.write as write
from veridical.cli import main
write.cores = lambda: 1
for words in (
    ["make", "viprobe", "--recipe", "quick", "--units", "1", "--out", "set"],
    ["run", "viprobe", "--set", "set", "--out", "run", "--model", "veridical/pixel", "--limit", "6"],
    ["run", "viprobe", "--set", "set", "--out", "run", "--model", "veridical/pixel", "--limit", "6"],
    ["report", "run"],
):
    sys.argv = ["veridical", *words]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, (words, ended.code)
"""


def ran(folder, code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def test_every_module_imports_without_what_only_linux_has(tmp_path):
    ended = ran(tmp_path, TAKEN_AWAY + IMPORTED)
    assert ended.returncode == 0, ended.stderr


def test_a_set_is_drawn_asked_about_and_reported_without_what_only_linux_has(tmp_path):
    ended = ran(tmp_path, TAKEN_AWAY + WORKED)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "run" / "report.html").stat().st_size > 100_000
    assert len((tmp_path / "run" / "responses.jsonl").read_bytes().splitlines()) > 6


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_without_our_signs_shows_results(tmp_path, encoding):
    """Such is a pipe on Windows; the minus of a difference is not in its code page."""
    command = "import sys; sys.argv = ['veridical', *{}]; from veridical.__main__ import main; main()"
    asked = ["run", "viprobe", "--out", "run", "--model", "veridical/prior", "--limit", "6"]
    first = ran(tmp_path, command.format(asked), PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    shown = ran(tmp_path, command.format(["metrics", "run"]), PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    for ended in (first, shown):
        assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in first.stderr + shown.stderr
    assert "I" in shown.stdout
