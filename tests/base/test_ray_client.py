"""A set made through the client of a Ray cluster that this machine is no node of, and that wants a token."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from uuid import uuid4

import pytest

import veridical
from tests.base.same_sets import assert_same_set
from veridical.stimulus_set import StimulusSet

pytest.importorskip("ray", reason="Ray is not installed: pip install 'veridical[ray]'")

OPTIONS = ("--cases", "zollner", "--units", "5", "--levels", "2", "--size", "96")
TOKEN = uuid4().hex
STARTED = "Ray runtime started"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def address() -> Iterator[str]:
    """The address for clients of a new cluster, which refuses what has no token."""
    port, folder = free_port(), mkdtemp(prefix="ray-")  # sockets stand in it, whose paths must be short
    start = f"start --head --block --port {free_port()} --ray-client-server-port {port} --num-cpus 1"
    start += f" --include-dashboard=false --disable-usage-stats --object-store-memory 80000000 --temp-dir {folder}"
    words = [sys.executable, "-m", "ray.scripts.scripts", *start.split()]
    environment = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": TOKEN}
    head = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    assert head.stdout is not None
    said = next((line for line in head.stdout if STARTED in line), "")
    assert said, head.wait(60)
    yield f"ray://127.0.0.1:{port}"
    head.terminate()
    head.communicate(timeout=60)
    rmtree(folder, ignore_errors=True)


def test_a_client_of_a_cluster_makes_the_set_that_is_made_here(address: str, tmp_path: Path):
    words = [sys.executable, "-m", "veridical", "make", "viprobe", *OPTIONS, "--cluster", address, "--out"]
    environment = {name: value for name, value in os.environ.items() if name != "RAY_AUTH_MODE"}
    environment["RAY_AUTH_TOKEN"] = TOKEN
    made = subprocess.run(
        [*words, tmp_path / "there"], capture_output=True, text=True, timeout=300, check=False, env=environment
    )
    assert (made.returncode, made.stderr) == (0, ""), made.stderr
    alone = veridical.make("viprobe", out=tmp_path / "here", cases=["zollner"], units=5, levels=2, size=96, workers=1)
    assert_same_set(StimulusSet.open(tmp_path / "there"), alone)
