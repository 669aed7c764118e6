"""The real lmms-eval asks an exported set, and its own output gives the figures of a run of the same model."""

import os
import subprocess
import sys
from importlib.util import find_spec

import polars as pl
import pytest

import veridical
from tests.ask.server import serve
from tests.harnesses.mirror import served

pytestmark = pytest.mark.skipif(find_spec("lmms_eval") is None, reason="lmms-eval is not installed")


def asked_by_lmms_eval(folder, url):
    """The sample file that lmms-eval wrote, after it asked the task in a folder."""
    (task,) = folder.glob("*.yaml")
    words = ["--model", "openai", "--model_args", f"model=m,base_url={url},api_key=none", "--tasks", task.stem]
    words += ["--include_path", ".", "--log_samples", "--output_path", "out", "--batch_size", "1"]
    ended = subprocess.run(
        [sys.executable, "-m", "lmms_eval", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "HF_HOME": str(folder / "home"), "HF_HUB_OFFLINE": "1", "WANDB_MODE": "disabled"},
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (samples,) = (folder / "out").rglob("*_samples_*.jsonl")
    return samples


@pytest.mark.parametrize("suite", ["viprobe", "magicbench"])
def test_its_output_gives_the_outcomes_of_a_run(made, suite, tmp_path):
    options = {"settings": {"stance": ["forensic"]}, "limit": 1} if suite == "magicbench" else {}
    veridical.export_set(made(suite), tmp_path / "task", harness="lmms-eval", **options)
    with serve(served) as server:
        samples = asked_by_lmms_eval(tmp_path / "task", server.url)
        asked = {"base_url": server.url, "show": "quiet", "analyze": False}
        wanted = veridical.run(made(suite), "m", out=tmp_path / "own", **asked, **options).outcomes()
    args = {"answers": str(samples), "from": "lmms-eval"}
    found = veridical.run(
        made(suite), "veridical/replay", model_args=args, out=tmp_path / "run", show="quiet", analyze=False, **options
    ).outcomes()
    columns = [name for name in found.columns if name not in ("model", "latency", "ended", "served_model", *TOKENS)]
    assert found.select(columns).equals(wanted.select(columns))
    assert found.filter(pl.col("status") == "error").is_empty()


TOKENS = ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens")
