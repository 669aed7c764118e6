"""The commands on folders of an S3 server on this machine: equal to those on folders here, also when a machine ends."""

import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from wsgiref.simple_server import WSGIRequestHandler, make_server

import polars
import pytest

from tests.ask.server import said, serve
from veridical import open_run
from veridical.base import remote_folders, working_copy

moto = pytest.importorskip("moto.server", reason="moto and s3fs are not installed")
pytest.importorskip("s3fs", reason="s3fs is not installed")

SET = ("--recipe", "quick", "--units", "1", "--cases", "ponzo,zollner", "--size", "128", "--levels", "2")
BUCKET = "s3://lab-bucket"
QUICKLY = "from veridical.base import working_copy\nworking_copy.EVERY = 0.05\nfrom veridical.cli import main\nmain()"
DENIED = b'<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'


def storage():
    """The driver as it is after the environment has changed: drivers keep their connections for the process."""
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    remote_folders._storage.cache_clear()
    return remote_folders._storage("s3")


@pytest.fixture(scope="module")
def bucket(tmp_path_factory):
    """A server with a bucket, named by the environment."""
    server = moto.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", "http://{}:{}".format(*server.get_host_and_port()))
        patch.setenv("AWS_ACCESS_KEY_ID", "key")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("VERIDICAL_CACHE", str(tmp_path_factory.mktemp("cache")))
        files = storage()
        files.mkdir("lab-bucket")
        yield files
    server.stop()
    storage()


@pytest.fixture
def called(cli, tmp_path):
    """Runs a command that must succeed; returns its output."""

    def run(*words):
        code, out, errors = cli(*words, columns=200)
        assert code == 0, errors
        return out

    return run


def held(files, folder):
    """The files of a folder in the bucket, by path.

    A folder that gets its first file while it is looked for is found as a file of its own name.
    """
    root = f"lab-bucket/{folder}"
    files.invalidate_cache()
    found = [key for key in files.find(root) if key.startswith(f"{root}/")]
    return {key.removeprefix(f"{root}/"): files.cat_file(key) for key in found}


def of_folder(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def outcomes(content):
    """The table of outcomes of a run, without its times."""
    return polars.read_parquet(content).drop("latency", "ended")


@pytest.fixture(scope="module")
def other_machine(tmp_path_factory):
    """Makes this process another machine: it has no copy of anything."""

    @contextmanager
    def machine():
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("VERIDICAL_CACHE", str(tmp_path_factory.mktemp("machine")))
            yield

    return machine


def test_sets_runs_and_reports_elsewhere_equal_those_here(bucket, called, tmp_path, other_machine):
    local = tmp_path / "set", tmp_path / "run", tmp_path / "page.html"
    remote = f"{BUCKET}/set", f"{BUCKET}/run", f"{BUCKET}/page.html"
    shown = []
    for (stimuli, run, page), reader in ((local, nullcontext), (remote, other_machine)):
        lines = [called("make", "viprobe", *SET, "--out", stimuli), called("check", stimuli)]
        lines += [called("run", "viprobe", "--set", stimuli, "--out", run, "--model", "veridical/pixel")]
        with reader():
            lines += [called("metrics", run), called("report", run, "--out", page)]
        for place, name in (stimuli, "SET"), (run, "RUN"), (page, "PAGE"):
            lines = [line.replace(str(place), name) for line in lines]
        shown.append(lines)
    assert shown[0] == shown[1]
    assert held(bucket, "set") == of_folder(local[0])
    here, there = of_folder(local[1]), held(bucket, "run")
    assert there.keys() == {name for name in here if not name.startswith("figures/")}  # a report writes them
    assert outcomes(there["outcomes.parquet"]).equals(outcomes(here["outcomes.parquet"]))
    same = {name for name in there if name.endswith(".csv") or name == "trials.parquet"}
    assert {name: there[name] for name in same} == {name: here[name] for name in same}
    pages = [
        page.decode().count("data:image") for page in (local[2].read_bytes(), bucket.cat_file("lab-bucket/page.html"))
    ]
    assert pages[0] == pages[1] > 3


def test_shards_of_two_machines_are_merged_from_the_bucket(bucket, called, tmp_path, other_machine):
    called("make", "viprobe", *SET, "--out", f"{BUCKET}/sharded")
    words = ("run", "viprobe", "--set", f"{BUCKET}/sharded", "--model", "veridical/pixel", "--out")
    called(*words, tmp_path / "whole")
    for number in (1, 2):
        with other_machine():
            called(*words, f"{BUCKET}/shards/a", "--shard", f"{number}/2")
    with other_machine():
        called("merge", f"{BUCKET}/shards/a-1-of-2", f"{BUCKET}/shards/a-2-of-2", "--out", f"{BUCKET}/shards/a")
        merged = held(bucket, "shards/a")
    whole = (tmp_path / "whole" / "outcomes.parquet").read_bytes()
    assert outcomes(merged["outcomes.parquet"]).equals(outcomes(whole))


def wait_for(event, process):
    until = monotonic() + 60
    while not event():
        assert process.poll() is None, process.stderr.read()
        assert monotonic() < until
        sleep(0.02)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_run_that_is_killed_while_blocks_are_uploaded_goes_on_elsewhere_and_asks_no_stored_question_again(
    bucket, called, cli, tmp_path, other_machine
):
    called("make", "viprobe", *SET, "--out", tmp_path / "set")
    out = f"{BUCKET}/killed"
    with serve(lambda _: said("Yes", delay=0.05)) as server:
        words = ("run", "viprobe", "--set", str(tmp_path / "set"), "--out", out, "--model", "m", "--yes")
        words += ("--base-url", server.url, "--max-connections", "2")
        process = subprocess.Popen([sys.executable, "-c", QUICKLY, *words], stderr=subprocess.PIPE, text=True)
        wait_for(lambda: any(".blocks" in name for name in held(bucket, "killed")), process)
        process.kill()
        process.communicate()
        uploaded = held(bucket, "killed")
        assert not any(name.startswith("tables") for name in uploaded)
        with other_machine():
            code, _, errors = cli(*words)
            assert (code, "is being written by" in errors) == (2, True)
            assert "veridical --take-over" in errors
            server.behaviour = lambda _: said("Yes")
            stored = open_run(Path(called("status", out) and working_copy.RemoteFolder.of(out).local)).run.responses()
            assert stored
            server.requests.clear()
            called("--take-over", *words)
            asked = sum(not request.counts for request in server.requests)
            assert asked <= len(open_run(working_copy.RemoteFolder.of(out).local).run.trials()) - len(stored) + 1
            assert not any(".blocks" in name or "writer" in name for name in held(bucket, "killed"))
        called("run", *words[1:3], words[3], "--out", tmp_path / "whole", *words[6:])
    whole, there = of_folder(tmp_path / "whole"), held(bucket, "killed")
    assert outcomes(there["outcomes.parquet"]).equals(outcomes(whole["outcomes.parquet"]))
    tables = [name for name in whole if name.startswith("tables/") and "served" not in name]  # that one has times
    assert [there[name] for name in tables] == [whole[name] for name in tables]


def test_a_local_run_is_mirrored_and_read_elsewhere(bucket, called, cli, tmp_path):
    called("make", "viprobe", *SET, "--out", tmp_path / "set")
    words = ("run", "viprobe", "--set", tmp_path / "set", "--out", tmp_path / "run", "--model", "veridical/pixel")
    called(*words, "--mirror", f"{BUCKET}/mirror")
    assert held(bucket, "mirror") == of_folder(tmp_path / "run")
    code, _, errors = cli(*words, "--mirror", tmp_path / "other")
    assert (code, errors) == (
        2,
        f"veridical: --mirror '{tmp_path / 'other'}': a URL is allowed, such as s3://BUCKET/FOLDER\n",
    )


def test_what_a_verb_writes_beside_its_file_and_into_what_it_describes_is_uploaded_too(bucket, called, other_machine):
    called("make", "viprobe", *SET, "--out", f"{BUCKET}/described")
    card = held(bucket, "described")["README.md"]
    with other_machine():
        called("describe", f"{BUCKET}/described")
        called("trials", f"{BUCKET}/described", "--out", f"{BUCKET}/trials/asked.jsonl")
    trials = held(bucket, "trials")
    lines = [json.loads(line) for line in trials.pop("asked.jsonl").splitlines()]
    assert len(lines) > 5
    assert trials
    assert all(name.startswith("asked-media/") for name in trials)
    assert len(held(bucket, "described")["README.md"]) > len(card)
    with other_machine():
        called("check", f"{BUCKET}/described")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ("check", "s3://no-such-bucket/set"),
            "s3://no-such-bucket/set cannot be read: The specified bucket does not exist",
        ),
        (("check", f"{BUCKET}/nothing"), f"{BUCKET}/nothing holds no stimulus set"),
        (
            ("make", "viprobe", "--out", "ftp://host/set"),
            "ftp://host/set is no folder that can be used: s3://, gs://, hf:// or a path is allowed",
        ),
        (
            ("people", "invite", f"{BUCKET}/study", "--people", "1"),
            f"{BUCKET}/study: a study's votes are in a database, so it must be on this machine",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(bucket, cli, words, problem):
    assert cli(*words) == (2, "", f"veridical: {problem}\n")


def deny(environment, start):
    """An application that gives nobody a permission."""
    start("403 Forbidden", [("Content-Type", "application/xml"), ("Content-Length", str(len(DENIED)))])
    return [] if environment["REQUEST_METHOD"] == "HEAD" else [DENIED]


class _Silent(WSGIRequestHandler):
    def log_message(self, *words):
        pass


def test_a_bucket_without_permission_is_refused_in_one_line_and_nothing_is_lost(
    bucket, cli, called, tmp_path, monkeypatch
):
    called("make", "viprobe", *SET, "--out", f"{BUCKET}/kept")
    before = held(bucket, "kept")
    http = make_server("127.0.0.1", 0, deny, handler_class=_Silent)
    Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{http.server_port}")
        storage()
        for words in (("check", f"{BUCKET}/kept"), ("make", "viprobe", *SET, "--out", f"{BUCKET}/kept")):
            code, out, errors = cli(*words)
            assert (code, out) == (2, "")
            assert re.fullmatch(rf"veridical: {BUCKET}/kept cannot be read: no permission \(.*\)\n", errors)
    finally:
        http.shutdown()
        http.server_close()
        monkeypatch.undo()
        storage()
    assert held(bucket, "kept") == before
