"""A set for another evaluation harness: the questions of its suite's first stage in the files that it reads."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridical.base.files import os_errors, write_whole
from veridical.base.requirements import versions_of
from veridical.base.run_options import RunOptions
from veridical.errors import InputError, unknown
from veridical.observers.harness_answers import HARNESSES
from veridical.records import Json
from veridical.stimulus_set import StimulusSet
from veridical.verbs.exchange.line_files import LineFiles
from veridical.verbs.exchange.planned_stages import outgoing_trials, planned_stage
from veridical.verbs.harnesses.chat_lines import write_evals, write_inspect_task
from veridical.verbs.harnesses.lmms_eval import write_task
from veridical.verbs.harnesses.questions import LeavingQuestions
from veridical.verbs.harnesses.vlmevalkit import write_table
from veridical.verbs.runs.setup import Setup

_FACTS = "export.json"


@dataclass(frozen=True)
class ExportForm:
    """A harness: its own name, and what writes questions into a folder for it and says what is to be told of them."""

    title: str
    write: Callable[[Path, LeavingQuestions], tuple[str, ...]]


FORMS: Mapping[str, ExportForm] = {
    "inspect": ExportForm("inspect", write_inspect_task),
    "lmms-eval": ExportForm("lmms-eval", write_task),
    "openai-evals": ExportForm("OpenAI's evals", write_evals),
    "vlmevalkit": ExportForm("VLMEvalKit", write_table),
}
"""The harnesses for which a set is exported, by the word that `--for` takes."""


def export_set(
    stimuli: StimulusSet | Path | str,
    out: Path | str,
    *,
    harness: str,
    settings: Mapping[str, str | Sequence[str]] | None = None,
    prompts: Path | str | None = None,
    limit: int | None = None,
) -> LineFiles:
    """The questions of a set as another `harness` reads them, written into `out`, a new or empty folder.

    They are those of the suite's first stage with these settings, in the words of a run. Every name and id in the files
    is opaque, and their order tells nothing; the true answer stands where the form of the harness has its column. The
    `notes` say what the harness takes otherwise than as planned, and how its replies are read back. `export.json`,
    which is written last, states what was exported. Raises `InputError` for a harness that is not one of `FORMS`, with
    the nearest name, for a folder that holds something, and for a trial that the form cannot hold.
    """
    if harness not in FORMS:
        raise unknown("harness", harness, FORMS)
    folder, form = Path(out), FORMS[harness]
    _require_empty(folder)
    options: RunOptions = {"settings": settings, "prompts": prompts, "limit": limit}
    setup = planned_stage(stimuli, None, **options)
    questions = LeavingQuestions(setup.suite.name, outgoing_trials(setup), setup.read, setup.stimuli.opaque)
    with os_errors(folder, "written"):
        folder.mkdir(parents=True, exist_ok=True)
        notes = form.write(folder, questions)
        write_whole(folder / _FACTS, json.dumps(_facts(setup, questions, harness), indent=2).encode())
    files = tuple(sorted(path for path in folder.iterdir() if path.is_file()))
    back = (f"read the replies: {_command(setup, harness)}",) if harness in HARNESSES else ()
    return LineFiles(len(questions.trials), files, (*notes, *back, *_notes(setup, questions)))


def _require_empty(folder: Path) -> None:
    with os_errors(folder, "read"):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(f"{folder} holds something: a new or empty folder is needed")


def _notes(setup: Setup, questions: LeavingQuestions) -> list[str]:
    held = sum(setup.schema(trial) is not None for trial in questions.trials)
    frames = sorted({rule.name for rule in setup.rules.values()})
    clips = any(medium.kind == "video" for stimulus in setup.stimuli.stimuli for medium in stimulus.media)
    return [
        *([f"{held:,} replies are held to a JSON schema by a run, and here by nothing"] if held else []),
        *([f"clips stand as pictures of their frames ({', '.join(frames)})"] if clips and frames else []),
    ]


def _facts(setup: Setup, questions: LeavingQuestions, harness: str) -> dict[str, Json]:
    kinds = [medium.kind for medium in questions.media()]
    return {
        "format": 1,
        "harness": harness,
        "suite": setup.suite.name,
        "stage": setup.stage.name,
        "settings": {name: list(levels) for name, levels in setup.asking.levels.items()},
        "limit": setup.options.get("limit"),
        "questions": len(questions.trials),
        "pictures": kinds.count("image"),
        "clips": kinds.count("video"),
        "versions": versions_of("veridical"),
    }


def _command(setup: Setup, harness: str) -> str:
    """The command that reads the replies of the harness, with the settings that were exported."""
    settings = setup.options.get("settings") or {}
    words = ["veridical", "run", setup.suite.name, "--set", str(setup.stimuli.folder)]
    for name, levels in settings.items():
        words += ["-S", f"{name}={levels if isinstance(levels, str) else ','.join(levels)}"]
    limit, prompts = setup.options.get("limit"), setup.options.get("prompts")
    words += ["--limit", str(limit)] if limit is not None else []
    words += ["--prompts", str(prompts)] if prompts is not None else []
    return shlex.join([*words, "-M", "answers=FILE", "--from", harness, "--out", "RUN"])
