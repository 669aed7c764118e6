"""Files that the Hugging Face Hub reads: `eval.yaml` of a data set, and `.eval_results/` of each model.

They hold JSON, which is YAML: a loader of either reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.records import Json
from veridical.report.boards.board import BoardModel, ProfileBoard
from veridical.suite.conclusions import interval_text

FRAMEWORK = "veridical"
_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)


def write_hub_files(board: ProfileBoard, out: Path, dataset: str, revision: str | None = None) -> list[Path]:
    """The files that were written: `dataset/eval.yaml`, and `models/NAME/.eval_results/veridical.yaml` for each model.

    `dataset` is the data set's name on the Hub, OWNER/NAME, and `revision` the one that was asked about. Raises
    `InputError` for a name of another form.
    """
    if not _ID.fullmatch(dataset):
        raise InputError(f"data set {dataset!r}: OWNER/NAME is needed, of letters, digits, '.', '_' and '-'")
    written = [_write(out / "dataset" / "eval.yaml", eval_file(board))]
    for place, model in enumerate(board.models, start=1):
        name = re.sub(r"[^A-Za-z0-9.]+", "-", model.name).strip("-.") or "model"
        folder = out / "models" / f"{place}-{name[:80]}" / ".eval_results"
        written.append(_write(folder / "veridical.yaml", list(results(model, dataset, revision))))
    return written


def eval_file(board: ProfileBoard) -> dict[str, Json]:
    """What `eval.yaml` holds: a task for each question; a suite's set is the configuration of its name."""
    tasks: list[Json] = [
        {"id": _task(each.suite, each.question), "config": each.suite, "split": "train"} for each in board.questions
    ]
    return {
        "name": "veridical",
        "description": "Does a vision-language model perceive what is in front of it, or recall what is usually there? "
        "Each task is a question with one effect in points, from -100 to 100.",
        "evaluation_framework": FRAMEWORK,
        "tasks": tasks,
    }


def results(model: BoardModel, dataset: str, revision: str | None = None) -> Iterator[dict[str, Json]]:
    """The entries of a model: the effect of each question in points, with interval, units and verdict as a note."""
    dates = {each.suite: each.date for each in model.stored.runs}
    for each in model.stored.questions:
        if each.value is None or each.low is None or each.high is None:
            continue
        about: dict[str, Json] = {"id": dataset, "task_id": _task(each.suite, each.question)}
        interval = interval_text(each.value, each.low, each.high, 1)
        entry: dict[str, Json] = {
            "dataset": about | ({"revision": revision} if revision else {}),
            "value": round(each.value, 2),
            "source": {"name": f"{FRAMEWORK} {model.profile.version}"},
            "notes": f"points: {each.effect}; {interval}, 95 % interval over n = {each.n} units; {each.verdict}",
        }
        if dates.get(each.suite):
            entry["date"] = dates[each.suite]
        yield entry


def _task(suite: str, question: str) -> str:
    return f"{suite}-{question}"


def _write(path: Path, value: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_whole(path, (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode())
