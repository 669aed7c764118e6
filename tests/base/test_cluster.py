"""Work on a real Ray cluster of two workers: what processes make, whatever is killed, and one line where it cannot."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from socket import gethostname
from time import sleep

import pytest

import veridical
from tests.base.same_sets import assert_same_set
from tests.rewards.exports import digests, exported
from tests.stimulus_set.standin import opened, pictures, shades
from tests.suites.viprobe.working import LOST, echo, make_once_lost, process_of, slowly
from veridical.base import cluster as backend
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet, write_set
from veridical.stimulus_set.derive import derive
from veridical.stimulus_set.read import verify_named
from veridical.stimulus_set.write import draw_named
from veridical.suite import registry
from veridical.suites.viprobe.illusions.make import chunks, make

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'veridical[ray]'")

OPTIONS = {"cases": ("zollner", "muller_lyer"), "units": 20, "levels": 2, "size": 128}
MAKE = "make viprobe --cases zollner,muller_lyer --units 20 --levels 2 --size 128 --cluster auto --out"
AUTO = Workers(cluster="auto")


@pytest.fixture(scope="module", autouse=True)
def _cluster():
    """A cluster of two workers, which this process and all commands find as `auto`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(
            address="local", num_cpus=2, include_dashboard=False, object_store_memory=80_000_000, log_to_driver=False
        )
        # Not one that other tests on this machine started later, and end.
        patch.setenv("RAY_ADDRESS", ray.get_runtime_context().gcs_address)
        yield
        ray.shutdown()


def written(folder, make, workers):
    """The set that the command `MAKE` makes."""
    options, factors = veridical.design("viprobe", **OPTIONS).options, registry.get("viprobe").design.factors
    return write_set(folder, "viprobe", options, chunks(options), make, factors=factors, workers=workers)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The set as one process makes it."""
    return written(tmp_path_factory.mktemp("alone") / "set", make, Workers(1))


def test_a_worker_that_is_killed_in_the_middle_changes_nothing_in_the_set(tmp_path, alone, monkeypatch):
    monkeypatch.setenv(LOST, str(tmp_path / "lost"))
    made = written(tmp_path / "set", make_once_lost, AUTO)
    assert (tmp_path / "lost").exists()
    assert_same_set(made, alone)


def test_a_command_that_was_killed_goes_on_where_it_was(tmp_path, alone):
    folder = tmp_path / "set"
    words = [sys.executable, "-m", "veridical", *MAKE.split(), str(folder)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while len(kept := [*(folder / ".parts").glob("*.jsonl")]) < 3 and process.poll() is None:
        sleep(0.005)
    process.kill()
    process.communicate(timeout=300)
    assert process.returncode == -signal.SIGKILL
    before = {path: path.stat().st_mtime_ns for path in kept}
    assert not (folder / "manifest.json").exists()
    resumed = subprocess.run([*words, "--json"], capture_output=True, text=True, timeout=300, check=False)
    assert (resumed.returncode, "Traceback" in resumed.stderr) == (0, False), resumed.stderr
    assert json.loads(resumed.stdout)["stimuli"] == len(alone)
    assert_same_set(StimulusSet.open(folder), alone)
    assert len(before) >= 3


def test_a_set_is_checked_and_what_is_damaged_is_found(tmp_path, alone):
    copied = written(tmp_path / "set", make, Workers(1))
    (copied.folder / copied.stimuli[70].media[0].file).write_bytes(b"no picture")
    found = veridical.check(copied.folder, cluster="auto")
    assert [each["id"] for each in found.failed] == [copied.stimuli[70].id]
    assert found == veridical.check(copied.folder, workers=1)


def test_media_are_derived_as_processes_derive_them(tmp_path):
    source = pictures(tmp_path / "set", 70)
    whole = []
    for name, workers in (("here", Workers(1)), ("there", AUTO)):
        made = derive(
            source.stimuli,
            source.read,
            shades(),
            tmp_path / name,
            source=source.folder,
            opened=opened,
            workers=workers,
        )
        whole.append({path.name: path.read_bytes() for path in made.place.rglob("*") if path.is_file()})
    assert whole[0] == whole[1]


def test_an_embedded_observer_gives_the_replies_that_it_gives_here(tmp_path, alone):
    told = []
    for name, words in (("here", {}), ("there", {"cluster": "auto"})):
        run = veridical.run(
            alone, "veridical/learned-textbook", out=tmp_path / name, limit=4, show="quiet", analyze=False, **words
        )
        told.append({key: each.digest for key, each in run.run.responses().items()})
    assert told[0] == told[1]
    assert len(told[0]) > 50
    assert run.run.executions[-1]["workers"] == {"cluster": "auto", "nodes": 1}


def test_training_prompts_are_those_of_one_process(tmp_path):
    exported(tmp_path / "here", examples=12)
    exported(tmp_path / "there", examples=12, workers=None, cluster="auto")
    assert digests(tmp_path / "there") == digests(tmp_path / "here")


def test_what_a_handler_refuses_is_told_and_each_job_has_workers_of_its_own():
    first, second = (set(AUTO.map(process_of, None, [0, 1])) for _ in range(2))
    assert first.isdisjoint(second)
    with pytest.raises(InputError, match=r"^no$"):
        list(AUTO.map(echo, "job", ["refuse", 4]))


def test_who_wants_no_more_does_not_wait_for_what_is_in_work(tmp_path):
    found = AUTO.map(slowly, str(tmp_path), [0, 1])
    next(found)
    found.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0 begun", "1 begun"]


def test_a_node_with_another_version_of_a_package_is_refused(monkeypatch):
    monkeypatch.setattr(backend, "versions_of", lambda *_: {"numpy": "0.1"})
    with pytest.raises(InputError, match=f"has numpy {version('numpy')} and not 0.1: the same versions are needed"):
        list(AUTO.map(echo, "job", [1]))


def test_a_node_with_a_disk_of_its_own_makes_nothing(tmp_path, alone, monkeypatch):
    monkeypatch.setenv("VERIDICAL_CREW", "one")
    monkeypatch.setattr(backend, "_UNSEEN", 0.0)
    (tmp_path / ".parts").mkdir()
    told = f"the node {gethostname()} does not see {tmp_path / '.parts'}: name a folder that all nodes share"
    with pytest.raises(InputError, match=re.escape(told)):
        draw_named({"folder": str(tmp_path), "token": str(tmp_path / ".parts" / "shared-none")}, [0, "zollner", 0])
    with pytest.raises(InputError, match=re.escape(f"does not see {tmp_path}: ")):
        verify_named({"folder": str(tmp_path), "verify": "none"}, [0, 1])
    assert [path.name for path in tmp_path.rglob("*")] == [".parts"]
    assert not [path for path in alone.folder.rglob("*") if "shared-" in path.name]


def test_what_is_on_another_machine_alone_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(backend, "_UNSEEN", 0.0)
    with pytest.raises(InputError, match="was written on the cluster and is not here"):
        AUTO.require_visible([Path(tmp_path / "none" / "0.jsonl")])
