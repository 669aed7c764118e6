"""Local models asked about VI-Probe by the command line and by inspect's runner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import veridical
from tests.ask import tiny

pytestmark = pytest.mark.local_models


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    tiny.llava(folder / "plain")
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("set") / "set"
    return veridical.make("viprobe", out=folder, cases=["muller_lyer"], units=1, levels=2, size=64)


@pytest.mark.usefixtures("no_figures", "one_process")
def test_the_command_line_asks_it_stores_what_was_loaded_and_takes_no_other_weights_for_it(
    home: Path, small, tmp_path: Path, cli
):
    model = f"veridical-hf/{tiny.llava(tmp_path / 'model')}"
    words = ("run", "viprobe", "--set", small.folder, "--model", model, "--out", tmp_path / "run", "--yes")
    words += ("--max-tokens", 6, "--max-connections", 4, "-M", "dtype=float32")
    code, _, errors = cli(*words)
    assert code == 0, errors
    stored = json.loads((tmp_path / "run" / "run.json").read_text())
    loaded = stored["execution"][0]["loaded"]
    assert stored["identity"]["model_args"] == {"dtype": "float32"}
    assert stored["identity"]["revision"] == loaded["revision"]
    assert set(loaded["versions"]) == {"transformers", "torch"}
    assert (loaded["device"], loaded["dtype"]) == ("cpu", "float32")
    tiny.llava(tmp_path / "model", seed=1)
    code, _, errors = cli(*words)
    assert code == 2
    assert "revision: " in errors


@pytest.mark.usefixtures("no_figures", "one_process")
def test_inspects_runner_gets_the_replies_of_a_run(home: Path, small, tmp_path: Path):
    from inspect_ai import eval as inspect_eval

    from veridical.verbs.inspect_tasks import outcomes_of, task_of

    model = f"veridical-hf/{home / 'plain'}"
    options = {"log_dir": str(tmp_path / "logs"), "display": "none", "log_realtime": False, "max_tokens": 6}
    (log,) = inspect_eval(task_of("viprobe")(set=str(small.folder)), model=model, **options)
    assert log.status == "success"
    run = veridical.run(small, model, out=tmp_path / "run", show="quiet", analyze=False, max_tokens=6)
    columns = ["trial", "status", "text", "stop_reason", "input_tokens", "output_tokens"]
    assert outcomes_of(log).select(columns).equals(run.outcomes().select(columns))
    assert run.outcomes()["status"].null_count() == 0
