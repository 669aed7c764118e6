"""Making a set on all cores: the same set as in one process, and nothing lost or half-made however it ends."""

import resource
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from time import sleep

import pytest

import veridical
from tests.suites.viprobe.working import echo, slowly
from veridical.base.processes import map_processes
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet, read, write_set
from veridical.suite import registry
from veridical.suites.viprobe.illusions.make import chunks, make

STOPPED = "veridical: stopped; what was finished is kept; the same command goes on\n"
MAKE = "make viprobe --cases zollner,muller_lyer --units 20 --levels 2 --size 128 --out"


def interruptible():
    """A shell starts what runs in the background with interrupts ignored, and so is all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def veridical_(*words, preexec_fn=interruptible, **options):
    return subprocess.Popen(
        [sys.executable, "-m", "veridical", *map(str, words)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=preexec_fn,
        **options,
    )


def written(folder, make=make, **how):
    """The set that the command `MAKE` makes."""
    options = veridical.design("viprobe", cases=("zollner", "muller_lyer"), units=20, levels=2, size=128).options
    factors = registry.get("viprobe").design.factors
    return write_set(folder, "viprobe", options, chunks(options), make, factors=factors, **how)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The set as one process makes it."""
    return written(tmp_path_factory.mktemp("alone") / "set", workers=Workers(1))


def parts(folder: Path):
    return sorted((folder / ".parts").glob("*.jsonl"))


def wait_for_parts(process, folder, count):
    while len(parts(folder)) < count and process.poll() is None:
        sleep(0.005)


def test_each_item_comes_back_once():
    found = sorted(map_processes(echo, "job", list(range(100)), 3))
    assert found == [["job", item] for item in range(100)]


@pytest.mark.parametrize(
    ("item", "error", "words"),
    [
        ("refuse", InputError, "^no$"),
        ("break", RuntimeError, "KeyError: 'gone'"),
        ("die", RuntimeError, "ended with 3"),
    ],
)
def test_what_goes_wrong_in_a_process_is_told(item, error, words):
    with pytest.raises(error, match=words):
        list(map_processes(echo, "job", [1, 2, item, 4], 2))


def test_who_wants_no_more_does_not_wait_for_what_is_in_work(tmp_path):
    found = map_processes(slowly, str(tmp_path), [0, 1], 2)
    next(found)
    found.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0 begun", "1 begun"]


def test_processes_and_one_process_make_the_same_set(tmp_path, alone, monkeypatch):
    several = written(tmp_path / "several", workers=Workers(2))
    assert several.digest == alone.digest
    assert several.stimuli == alone.stimuli
    monkeypatch.setattr(read, "cores", lambda: 1)
    assert veridical.check(several).failed == []


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_set_that_was_stopped_goes_on_where_it_was(tmp_path, alone, sign, monkeypatch):
    folder = tmp_path / "set"
    process = veridical_(*MAKE.split(), folder)
    wait_for_parts(process, folder, 5)
    process.send_signal(sign)
    _, said = process.communicate(timeout=300)
    assert process.returncode == (130 if sign == signal.SIGINT else -sign), said
    assert "Traceback" not in said
    assert (said == STOPPED) == (sign == signal.SIGINT)
    assert not (folder / "manifest.json").exists()
    kept = {path: path.stat().st_mtime_ns for path in parts(folder)}
    assert len(kept) >= 5
    drawn = []
    resumed = written(folder, partial(recorded, drawn), workers=Workers(1))
    assert len(drawn) == 40 - len(kept)
    assert resumed.digest == alone.digest
    monkeypatch.setattr(read, "cores", lambda: 1)
    assert veridical.check(resumed).failed == []


def recorded(drawn, options, chunk):
    drawn.append(chunk)
    return make(options, chunk)


def test_a_full_disk_is_one_line_and_nothing_looks_whole(tmp_path):
    folder = tmp_path / "set"
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))  # noqa: E731
    process = veridical_(*MAKE.split(), folder, preexec_fn=limit)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 2
    assert said.startswith(f"veridical: {folder} cannot be written: File too large")
    assert said.count("\n") == 1
    with pytest.raises(InputError, match="only partly made"):
        StimulusSet.open(folder)


def test_a_folder_that_cannot_be_made_is_one_line():
    process = veridical_(*MAKE.split(), "/proc/nowhere/set")
    _, said = process.communicate(timeout=300)
    assert process.returncode == 2
    assert said.startswith("veridical: /proc/nowhere/set cannot be used: ")
    assert said.count("\n") == 1
