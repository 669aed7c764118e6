"""Questions as JSON lines of chat messages: a data set of inspect-ai with its task, and samples of OpenAI's evals."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from veridical.ask.pending_trials import data_url
from veridical.base.files import write_whole
from veridical.records import Json, Media, Message, Text
from veridical.verbs.exchange.line_files import write_lines
from veridical.verbs.exchange.media_copies import MediaCopies
from veridical.verbs.exchange.trials import chat_turns
from veridical.verbs.harnesses.questions import LeavingQuestions

_FILE = "questions.jsonl"
_TASK = '''\
"""{title}: asked here, marked by veridical. `inspect eval {file}` writes the log that it reads."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.solver import generate


@task
def {name}() -> Task:
    return Task(dataset=json_dataset(str(Path(__file__).with_name("{lines}"))), solver=generate(), fail_on_error=False)
'''
_REGISTRY = """\
{name}:
  id: {name}.dev.v1
  metrics: [accuracy]
{name}.dev.v1:
  class: evals.elsuite.basic.match:Match
  args:
    samples_jsonl: {lines}
"""


def write_inspect_task(folder: Path, questions: LeavingQuestions) -> tuple[str, ...]:
    """Writes `questions.jsonl`, which inspect-ai's `json_dataset` reads, its media beside it, and a task that asks it.

    A line has the question's opaque `id`, its messages as `input`, and the true answer as `target`. Media are files.
    """
    with MediaCopies(folder / _FILE, questions.read, questions.opaque) as copies:
        write_lines(
            folder / _FILE,
            (
                {
                    "id": questions.opaque(trial.id),
                    "input": [_turn(message, copies) for message in trial.messages],
                    "target": trial.gold or "",
                }
                for trial in questions.trials
            ),
        )
    name = f"{questions.task}.py"
    text = _TASK.format(title=f"Questions of {questions.suite}", file=name, name=questions.task, lines=_FILE)
    write_whole(folder / name, text.encode())
    return (f"ask them with `inspect eval {name} --model PROVIDER/NAME`, in this folder",)


def _turn(message: Message, copies: MediaCopies) -> dict[str, Json]:
    only = message.parts[0] if len(message.parts) == 1 else None
    return {
        "role": message.role,
        "content": only.text if isinstance(only, Text) else [_part(part, copies) for part in message.parts],
    }


def _part(part: Text | Media, copies: MediaCopies) -> dict[str, Json]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    place = copies.place(part.file)
    if part.kind == "image":
        return {"type": "image", "image": place}
    return {"type": "video", "video": place, "format": "mov" if place.endswith(".mov") else "mp4"}


def write_evals(folder: Path, questions: LeavingQuestions) -> tuple[str, ...]:
    """Writes `questions.jsonl`, whose lines are samples of OpenAI's evals, and the entry of its registry.

    A line has the question's opaque `id`, its messages as `input`, with pictures as data URLs, and the true answer as
    `ideal`. Raises `InputError` for a clip.
    """

    @lru_cache(maxsize=4)
    def url(picture: Media) -> str:
        return data_url(picture, questions.read(picture.file))

    write_lines(
        folder / _FILE,
        (
            {
                "id": questions.opaque(trial.id),
                "input": chat_turns(trial, url, "OpenAI's evals"),
                "ideal": trial.gold or "",
            }
            for trial in questions.trials
        ),
    )
    entry = _REGISTRY.format(name=questions.task.replace("_", "-"), lines=_FILE)
    write_whole(folder / f"{questions.task}.yaml", entry.encode())
    return ("its results are not read back: OpenAI's evals mark the replies by themselves",)
