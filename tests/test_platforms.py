"""What macOS and Windows lack is not needed: everything imports and works with those names taken away."""

import os
import re
import subprocess
import sys

import pytest

from veridical.errors import InputError
from veridical.stimulus_set.read import StimulusSet

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
asyncio.SelectorEventLoop.add_signal_handler = refused
asyncio.SelectorEventLoop.remove_signal_handler = refused
"""
# Windows replaces and deletes no file that is open, and has no files of such names; text is cp1252 unless it is said.
AS_ON_WINDOWS = r"""
import re, warnings
warnings.filterwarnings("error", category=EncodingWarning, module="veridical")
def is_open(place):
    numbers = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ()
    return os.path.realpath(place) in {os.path.realpath(f"/proc/self/fd/{number}") for number in numbers}
def as_on_windows(event, arguments):
    if event in ("os.rename", "os.remove"):
        for place in arguments[:2]:
            if isinstance(place, (str, os.PathLike)) and is_open(place):
                raise PermissionError(13, "Access is denied", os.fspath(place))
    if event == "os.mkdir" or event == "open" and not isinstance(arguments[0], int) and arguments[2] & os.O_CREAT:
        inside = os.path.relpath(os.fsdecode(arguments[0]))
        if not inside.startswith("..") and re.search(r'[<>:"|?*\\]|[ .](/|$)', inside):
            raise OSError(22, "Invalid argument", inside)
sys.addaudithook(as_on_windows)
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
COMMANDS = """
import sys
from veridical.__main__ import main
ends = []
def command(*words, code=None):
    sys.argv = ["veridical", *words]
    try:
        main()
    except SystemExit as ended:
        ends.append(ended)  # a notebook too keeps what an error was raised from
        assert ended.code in (code, code or 0), (words, ended.code)
    else:
        assert not code, words
"""
WORKED = """
import os
os.cpu_count = lambda: 1
run = "run", "viprobe", "--set", "set", "--out", "run", "--model", "veridical/pixel", "--limit", "6"
command("make", "viprobe", "--recipe", "quick", "--units", "1", "--out", "set")
command(*run)
with open("run/responses.jsonl", "rb+") as file:
    file.write(b"[")
command("metrics", "run", code=2)
command("repair", "run")
command(*run)
command("report", "run")
"""
SHOWN = """
command("run", "viprobe", "--out", "run", "--model", "veridical/prior", "--limit", "6")
command("metrics", "run")
sys.stdout.reconfigure(encoding="ascii", errors="strict")
command("metrics", "run")
"""


def ran(folder, code, *options, **environment):
    return subprocess.run(
        [sys.executable, *options, "-c", code],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def test_all_imports_and_a_set_is_drawn_asked_about_and_reported_without_what_only_linux_has(tmp_path):
    code = TAKEN_AWAY + AS_ON_WINDOWS + IMPORTED + COMMANDS + WORKED
    ended = ran(tmp_path, code, "-X", "warn_default_encoding")
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "run" / "report.html").stat().st_size > 100_000
    assert len((tmp_path / "run" / "responses.jsonl").read_bytes().splitlines()) > 6
    assert len((tmp_path / "run" / "responses.torn").read_bytes().splitlines()) == 1


def test_a_terminal_without_our_signs_shows_results(tmp_path):
    """Such is a pipe on Windows; the minus of a difference is not in its code page."""
    ended = ran(tmp_path, COMMANDS + SHOWN, PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    shown = re.findall(r"\[(.)\d+\.\d, \+\d+\.\d\]", ended.stdout)  # an interval from below zero, in each encoding
    assert len(shown) > 2
    assert len(shown) % 2 == 0
    assert set(shown) <= {"?", "-"}


@pytest.mark.parametrize("name", ["media/..\\..\\key.pem", "media\\..\\key.pem", "../key.pem", "/media/key.pem"])
def test_no_path_that_leaves_a_set_on_any_platform_is_read(tmp_path, name):
    with pytest.raises(InputError, match="is no path inside"):
        StimulusSet(tmp_path, {}).read(name)
