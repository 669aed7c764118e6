"""lmms-eval as one who asks: an environment of its own, a task on the same pictures, and the command that runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from bench.asking_clients import MODEL, Job

_PACKAGE = "lmms-eval"
# The name of a folder where it is started would be taken for that folder.
_NAME = "veridical_bench"
_INSTALLED_WITHIN = 1800.0
_TASK = """task: {name}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {questions}
test_split: test
output_type: generate_until
doc_to_messages: !function utils.messages
doc_to_visual: !function utils.pictures
doc_to_text: "{{{{question}}}}"
doc_to_target: "Yes"
generation_kwargs:
  max_new_tokens: 16
process_results: !function utils.score
metric_list:
  - metric: said_yes
    aggregation: mean
    higher_is_better: true
"""
_TASK_UTILS = '''"""What the task is made of."""

from PIL import Image


def pictures(row):
    return [Image.open(row["picture"]).convert("RGB")]


def messages(row, *_, **__):
    shown = [{"type": "image", "url": picture} for picture in pictures(row)]
    return [{"role": "user", "content": [*shown, {"type": "text", "text": row["question"]}]}]


def score(row, replies):
    return {"said_yes": float("yes" in replies[0].lower())}
'''


def environment(folder: Path) -> tuple[Path | None, str]:
    """The interpreter of an environment with lmms-eval (gigabytes) made in `folder`, or `None` and why not."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    steps: tuple[Sequence[str], ...] = (
        (sys.executable, "-m", "venv", str(folder)),
        (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", _PACKAGE),
        (str(python), "-c", "import lmms_eval.evaluator"),
    )
    for step in steps:
        try:
            done = subprocess.run(step, capture_output=True, text=True, timeout=_INSTALLED_WITHIN)  # noqa: S603
        except subprocess.TimeoutExpired:
            return None, f"skipped, it cannot be installed within {_INSTALLED_WITHIN:.0f} s"
        if done.returncode:
            said = (done.stderr.strip() or f"code {done.returncode}").splitlines()[-1]
            return None, f"skipped, it cannot be installed: {said[:200]}"
    return python, ""


def command(job: Job, python: Path) -> list[str]:
    """The command that has lmms-eval, in the environment of that interpreter, ask the same; its task is written."""
    task = job.out / "task"
    task.mkdir()
    (task / f"{_NAME}.yaml").write_text(_TASK.format(name=_NAME, questions=json.dumps(str(job.questions))))
    (task / "utils.py").write_text(_TASK_UTILS)
    facts = {"model_version": MODEL, "base_url": job.url, "api_key": "none", "num_cpus": job.connections}
    options = {
        "--model": "async_openai",
        "--model_args": ",".join(f"{name}={value}" for name, value in facts.items()),
        "--tasks": _NAME,
        "--include_path": str(task),
        "--batch_size": "1",
        "--output_path": str(job.out / "log"),
    }
    return [str(python), "-m", "lmms_eval", *chain(*options.items()), "--log_samples"]
