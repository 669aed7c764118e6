"""Estimates and the report in trackers, read back by each tracker's own means, and a line where that cannot be."""

import csv
import io
import json
import os
import re
import shutil
import socket
import struct
from pathlib import Path

import pytest

import veridical
from tests.ask.server import serve
from veridical import verbs

KEY = "sk-a-key-that-nobody-may-read"


@pytest.fixture(scope="module")
def run(small, tmp_path_factory):
    return veridical.run(small, "veridical/eye", out=tmp_path_factory.mktemp("runs") / "run", show="quiet")


@pytest.fixture(scope="module")
def exported(run):
    """Every estimate as `report --export json` has it."""
    return json.loads(verbs.export([run], "json"))


@pytest.fixture
def closed():
    """A port of this machine at which nobody listens."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        yield place.getsockname()[1]


def numbers(exported):
    whole = [row for row in exported if not row["slice"]]
    parts = ("value", "low", "high", "n")
    return {f"{row['metric']}/{part}": row[part] for row in whole for part in parts if row[part] is not None}


def files_with(folder, text):
    return [path for path in Path(folder).rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_a_judge_is_followed_and_logged_like_a_run(run, tmp_path, said):
    copied, file = tmp_path / "run", tmp_path / "estimates.jsonl"
    shutil.copytree(run.folder, copied)
    code, out, err = said("judge", copied, "--judge", "veridical/judge", "--log-to", f"jsonl:{file}", "--live")
    assert re.match(r"live: http://127.0.0.1:[0-9]+/\n", err)
    judged = veridical.open_run(copied)
    assert "stage mark (judge), complete" in out
    assert (code == 0) is judged.complete is file.exists()
    assert code == 0, err


def test_lines_of_json_have_every_estimate_and_are_appended(run, exported, tmp_path, said):
    file = tmp_path / "new" / "estimates.jsonl"
    for _ in range(2):
        code, _, err = said("report", run.folder, "--log-to", f"jsonl:{file}")
        assert (code, err.splitlines()[-1]) == (0, f"{run.folder} was logged to {file}")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(rows) == 2 * len(exported)
    assert rows[: len(exported)] == [
        {"run": "run", **row, "report": str(run.folder / "report.html")} for row in exported
    ]


def test_without_a_target_the_lines_stand_in_the_run(run, exported, said):
    code, *_ = said("report", run.folder, "--log-to", "jsonl")
    assert code == 0
    assert len((run.folder / "estimates.jsonl").read_text().splitlines()) == len(exported)


@pytest.mark.parametrize("verb", ["run", "report"])
def test_an_unknown_tracker_is_refused_with_the_nearest_before_anything_is_asked(verb, run, small, tmp_path, said):
    with serve() as server:
        asked = ("probe", "--set", small.folder, "--base-url", server.url, "--model", "m", "--out", tmp_path / "run")
        words = (*asked, "--yes") if verb == "run" else (run.folder,)
        code, _, err = said(verb, *words, "--log-to", "mlfow")
    assert (code, err) == (
        2,
        "veridical: unknown tracker of --log-to 'mlfow': did you mean 'mlflow'? known: jsonl, mlflow, wandb\n",
    )
    assert not server.requests
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["mlflow", "wandb"])
def test_a_missing_package_is_told_with_its_extra_before_the_run(name, small, tmp_path, said, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, name, None)
    asked = ("run", "probe", "--set", small.folder, "--model", "veridical/eye", "--out", tmp_path / "run")
    code, _, err = said(*asked, "--log-to", name)
    assert (code, err) == (2, f'veridical: --log-to {name} needs {name}: pip install "veridical[{name}]"\n')
    assert not (tmp_path / "run").exists()


def test_a_run_that_is_complete_writes_its_report_and_is_logged(small, exported, tmp_path, said):
    file, out = tmp_path / "lines.jsonl", tmp_path / "run"
    code, _, err = said(
        *("run", "probe", "--set", small.folder, "--model", "veridical/eye", "--out", out, "--log-to", f"jsonl:{file}")
    )
    assert code == 0
    assert f"{out} was logged to {file}" in err
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["value"] for row in rows] == [row["value"] for row in exported]
    assert "<html" in Path(rows[0]["report"]).read_text()[:500]


def test_a_run_that_is_incomplete_is_not_logged(small, tmp_path, said):
    file, out = tmp_path / "lines.jsonl", tmp_path / "run"
    with serve() as server:
        words = ("run", "probe", "--set", small.folder, "--model", "m", "--base-url", server.url, "--out", out, "--yes")
        code, _, err = said(
            *words, "-S", "lens=derived", "--budget-tokens", 30, "--max-connections", 1, "--log-to", f"jsonl:{file}"
        )
    assert code == 1
    assert f"note: {out} is incomplete, and was not logged" in err
    assert not file.exists()


def test_a_file_that_cannot_be_written_leaves_the_report_whole(run, tmp_path, said):
    (tmp_path / "file").write_text("")
    (run.folder / "report.html").unlink(missing_ok=True)
    code, _, err = said("report", run.folder, "--log-to", f"jsonl:{tmp_path / 'file' / 'lines'}")
    assert code == 1
    assert err.splitlines()[-1].startswith(f"veridical: {run.folder} was not logged to jsonl: {tmp_path}")
    assert (run.folder / "report.html").stat().st_size > 10_000


def test_mlflow_reads_back_every_number_and_the_report_from_its_own_store(run, exported, tmp_path, said, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    pytest.importorskip("sqlalchemy")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_EXPERIMENT_NAME", "seeing")
    monkeypatch.setenv("SOME_API_KEY", KEY)
    place = f"sqlite:///{tmp_path / 'mlflow.db'}"
    code, _, err = said("report", run.folder, "--log-to", f"mlflow:{place}")
    assert code == 0, err
    client = mlflow.MlflowClient(place)
    (stored,) = client.search_runs([client.get_experiment_by_name("seeing").experiment_id])
    assert stored.info.status == "FINISHED"
    assert stored.data.metrics == numbers(exported)
    assert {"suite": "probe", "model": "veridical/eye"}.items() <= stored.data.params.items()
    folder = Path(client.download_artifacts(stored.info.run_id, "", dst_path=str(tmp_path)))
    assert json.loads((folder / "estimates.json").read_text()) == exported
    assert (folder / "report.html").read_bytes() == (run.folder / "report.html").read_bytes()
    assert not files_with(tmp_path, KEY)


def test_an_mlflow_server_that_is_away_is_one_line_without_its_password(run, closed, said, monkeypatch):
    pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    code, _, err = said("report", run.folder, "--log-to", f"mlflow:http://user:{KEY}@127.0.0.1:{closed}")
    assert code == 1
    line = err.splitlines()[-1]
    assert line.startswith(f"veridical: {run.folder} was not logged to mlflow: ")
    assert KEY not in err
    assert (run.folder / "report.html").exists()


def records(path):
    """The records in W&B's log, by their message types; its form is that of LevelDB's logs."""
    from wandb.proto.wandb_internal_pb2 import Record

    block, content, at, parts = 32_768, path.read_bytes(), 7, []
    while at + 7 <= len(content):
        if block - at % block < 7:
            at += block - at % block
            continue
        _, length, kind = struct.unpack("<IHB", content[at : at + 7])
        parts.append(content[at + 7 : at + 7 + length])
        at += 7 + length
        if kind in (1, 4):  # whole, or the last part
            yield Record.FromString(b"".join(parts))
            parts = []


def test_wandb_keeps_every_number_and_the_report_while_it_is_offline(run, exported, tmp_path, said, monkeypatch):
    wandb = pytest.importorskip("wandb")
    for name in ("WANDB_DIR", "WANDB_DATA_DIR", "WANDB_CACHE_DIR", "WANDB_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_API_KEY", KEY.ljust(40, "0"))
    wandb.teardown()  # so that it reads these variables
    code, _, err = said("report", run.folder, "--log-to", "wandb:some-lab/seeing")
    wandb.teardown()
    assert code == 0, err
    (log,) = tmp_path.rglob("*.wandb")
    kept = list(records(log))
    (begun,) = [each.run for each in kept if each.HasField("run")]
    assert (begun.entity, begun.project) == ("some-lab", "seeing")
    assert {item.key: json.loads(item.value_json) for item in begun.config.update}["model"] == "veridical/eye"
    summary = {
        item.key or "/".join(item.nested_key): json.loads(item.value_json)
        for each in kept
        if each.HasField("summary")
        for item in each.summary.update
    }
    assert numbers(exported).items() <= summary.items()
    (table,) = tmp_path.rglob("*.table.json")
    stored = json.loads(table.read_text())
    written = list(csv.DictReader(io.StringIO(verbs.export([run], "csv"))))
    assert [(row[3], row[4], row[5]) for row in stored["data"]] == [
        (row["metric"], row["slice"], float(row["value"]) if row["value"] else None) for row in written
    ]
    names = [entry.path for each in kept if each.HasField("artifact") for entry in each.artifact.manifest.contents]
    assert "report.html" in names
    page = (run.folder / "report.html").read_bytes()
    assert any(path.read_bytes() == page for path in tmp_path.rglob("*") if path.is_file())
    assert not files_with(tmp_path, KEY)


def test_wandb_without_a_key_is_refused_before_the_run(small, tmp_path, said, monkeypatch):
    wandb = pytest.importorskip("wandb")
    for name in [name for name in os.environ if name.startswith("WANDB_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("WANDB_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    wandb.teardown()
    asked = ("run", "probe", "--set", small.folder, "--model", "veridical/eye", "--out", tmp_path / "run")
    code, _, err = said(*asked, "--log-to", "wandb")
    wandb.teardown()
    problem = "no key is stored: call `wandb login`, or set WANDB_MODE=offline"
    assert (code, err) == (2, f"veridical: --log-to wandb: {problem}\n")
    assert not (tmp_path / "run").exists()
