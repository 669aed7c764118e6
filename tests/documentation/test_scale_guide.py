"""The commands of the guide to more than one machine work as they stand: run by bash, with small sets, on this machine.

Programs that need a GPU or the network have stand-ins; ports are free ones, and `/shared` is a folder of the test.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress

import pytest

import veridical
from tests.ask import tiny
from tests.documentation import vllm_standin
from tests.documentation.written import ROOT, blocks
from tests.verbs.schedulers import array
from veridical.suite import registry

pytestmark = [
    pytest.mark.skipif(not all(map(shutil.which, ("bash", "curl"))), reason="bash and curl run the page's commands"),
    pytest.mark.skipif(not {"viprobe", "magic"} <= set(registry.names()), reason="without viprobe and magic"),
    pytest.mark.usefixtures("one_process"),
]
PAGE = [text for _, text in blocks("sh", ["docs/howto/scale.md"])]
SERVERS, SHARDS, SLURM, JUDGED, RAY, LOCAL, BUCKET = (
    next(text for text in PAGE if part in text)
    for part in ("for GPU", "--shard 1/2", "#SBATCH", "-magic --judge", "rule --cluster", "veridical-hf", "s3://")
)
SMALL = "--units 1 --cases zollner --levels 2 --size 128"
DRAWN = {"units": 2, "cases": ["zollner", "ponzo"], "levels": 2, "size": 128}
PATIENCE = 300
SERVED = """vllm serve m --served-model-name my-vlm --port 8000 &
until curl --silent --fail --output models.json http://127.0.0.1:8000/v1/models; do sleep 5; done
"""


def test_every_block_of_the_page_is_run_here():
    assert sorted(PAGE) == sorted([SERVERS, SHARDS, SLURM, JUDGED, RAY, LOCAL, BUCKET])


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="module")
def programs(shared):
    """A folder with the programs that the page calls: this library's own, and stand-ins."""
    folder = shared / "bin"
    folder.mkdir()
    called = {
        "veridical": f'exec {sys.executable} -m veridical "$@"',
        "vllm": f'exec {sys.executable} {vllm_standin.__file__} "$@"',
        "sleep": "exec /usr/bin/env -i PATH=/usr/bin:/bin sleep 0.1",
        "pip": f'test "$*" = "install {ROOT}[ray]" -o "$*" = "install {ROOT}[remote]"',
    }
    for name, line in called.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def drawn(shared, one_process):
    """The set `set` of viprobe, and a run of MagiC that no judge has marked yet."""
    made = veridical.make("viprobe", out=shared / "set", **DRAWN)
    table = veridical.make("magic", out=shared / "magic-set", units=1, scenes=["table"])
    run = veridical.run(
        table, "veridical/simulated", out=shared / "runs/my-vlm-magic", limit=1, show="quiet", analyze=False
    )
    shutil.copytree(run.folder, shared / "cluster" / "replies")
    return made


@pytest.fixture
def called(programs, shared, drawn, tmp_path):
    """Runs a block of the page in the shared folder, and whatever it left running is stopped."""

    def run(text, place=shared, **variables):
        environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", **variables}
        ten = f"{ten_ports() // 10}"
        text = re.sub(r"\b800(?=[0-9$])", ten, text).replace("/shared", str(place))
        text = re.sub(r'"\.(\[\w+\])"', rf"'{ROOT}\1'", text)
        with (tmp_path / "output").open("w+") as output:
            process = subprocess.Popen(
                ["bash", "-e", "-c", text],
                cwd=shared,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code = process.wait(PATIENCE)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            output.seek(0)
            told = output.read()
        assert code == 0, told
        assert "Traceback" not in told
        return told

    return run


def ten_ports():
    """The first of ten free ports in a row, a multiple of ten."""
    for first in range(20_000 + os.getpid() % 1000 * 10, 32_000, 10):
        with suppress(OSError), ExitStack() as held:
            for port in range(first, first + 10):
                held.enter_context(socket.socket()).bind(("127.0.0.1", port))
            return first
    raise AssertionError("no ten ports in a row are free")


def test_a_run_on_eight_servers(called, shared):
    assert "complete: planned" in called(SERVERS)
    every = veridical.open_run(shared / "run").run.responses().values()
    assert {each.server for each in every} == set(range(8))


def test_shards_are_asked_and_merged_and_the_stage_of_a_judge_after_that(called, shared):
    text = SHARDS.replace("node1", "127.0.0.1").replace("--shard", "--yes --shard")
    assert "complete" in called(SERVED + text)
    merged = veridical.open_run(shared / "runs/my-vlm")
    assert len(merged.outcomes()) == sum(
        len(veridical.open_run(f"{merged.folder}-{k}-of-2").outcomes()) for k in (1, 2)
    )
    assert "judge), complete" in called(JUDGED)


def test_a_task_of_a_slurm_array_asks_its_shard_with_a_server_of_its_own(called, shared):
    called(SLURM, **array(1, 8, 1, 3, 8))
    run = veridical.open_run(shared / "runs/my-vlm-3-of-8")
    assert run.complete
    assert str(run.run.shard) == "3/8"


@pytest.fixture
def cluster(monkeypatch):
    """The address of a cluster on this machine, without GPUs."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'veridical[ray]'")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    how = {"num_cpus": 1, "num_gpus": 0, "include_dashboard": False, "object_store_memory": 80_000_000}
    ray.init(address="local", log_to_driver=False, **how)
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()


def test_commands_on_a_cluster(called, shared, cluster):
    clips = {"units": 1, "height": 180, "rate": 10, "panels": 0, "sequences": 0, "sub_types": ["gravity"]}
    place = shared / "cluster"
    veridical.make("hocabench", out=place / "clips", **clips)
    told = called(RAY.replace("--units 1000", SMALL), place, RAY_ADDRESS=cluster)
    assert "stimuli in" in told
    assert "0 failed" in told
    assert veridical.open_run(place / "run").complete
    assert (place / "clips/.derived").is_dir()


@pytest.mark.local_models
def test_a_local_model_on_a_cluster(called, shared, cluster, tmp_path):
    model = tiny.llava(tmp_path / "model")
    text = LOCAL.replace("Qwen/Qwen2.5-VL-7B-Instruct", str(model)).strip()
    called(f"{text} --gpus-per-model 0 --max-tokens 2 --limit 1 --yes", RAY_ADDRESS=cluster)
    assert veridical.open_run(shared / "vlm").run.missing() == 0


def test_commands_on_folders_elsewhere(called, shared, monkeypatch):
    moto = pytest.importorskip("moto.server", reason="moto and s3fs are not installed")
    s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed")
    server = moto.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    access = {"AWS_ENDPOINT_URL": address, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
    how = {"key": "key", "secret": "secret", "endpoint_url": address}
    files = s3fs.S3FileSystem(**how, skip_instance_cache=True)
    try:
        files.mkdir("lab")
        text = BUCKET.replace("gpu1", "127.0.0.1").replace("viprobe --out", f"viprobe {SMALL} --out")
        told = called(
            SERVED + text.replace("--model my-vlm", "--model my-vlm --yes"),
            VERIDICAL_CACHE=str(shared / "cache"),
            **access,
            AWS_DEFAULT_REGION="us-east-1",
        )
        files.invalidate_cache()
        assert files.cat_file("lab/pages/my-vlm.html").startswith(b"<!doctype html>")
    finally:
        server.stop()
    assert "0 failed" in told
