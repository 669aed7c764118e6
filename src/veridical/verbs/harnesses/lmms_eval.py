"""Questions as a task of lmms-eval: a YAML file, the functions that it names, a table, and the media beside it.

The form of a task is documented in `docs/task_guide.md` of EvolvingLMMs-Lab/lmms-eval.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import polars as pl

from veridical.base.files import replace_atomically, write_whole
from veridical.records import Json, Text, Trial
from veridical.verbs.exchange.media_copies import MediaCopies
from veridical.verbs.harnesses import lmms_functions as functions
from veridical.verbs.harnesses.questions import FlatQuestion, LeavingQuestions

_FUNCTIONS, _TABLE = "veridical_functions", "questions.parquet"
_TASK = f"""\
task: {{task}}
dataset_path: parquet
dataset_kwargs:
  data_files:
    test: {_TABLE}
test_split: test
output_type: generate_until
doc_to_visual: !function {_FUNCTIONS}.{functions.doc_to_visual.__name__}
doc_to_text: !function {_FUNCTIONS}.{functions.doc_to_text.__name__}
doc_to_messages: !function {_FUNCTIONS}.{functions.doc_to_messages.__name__}
doc_to_target: !function {_FUNCTIONS}.{functions.doc_to_target.__name__}
process_results: !function {_FUNCTIONS}.{functions.process_results.__name__}
metric_list:
  - metric: item
    aggregation: !function {_FUNCTIONS}.{functions.count_items.__name__}
    higher_is_better: true
generation_kwargs:
  max_new_tokens: 2048
  until: []
metadata:
  version: 1.0
"""


def write_task(folder: Path, questions: LeavingQuestions) -> tuple[str, ...]:
    """Writes `veridical_SUITE.yaml`, its functions, and its table with `questions-media/` beside it.

    lmms-eval finds the table from the folder in which it is called. A row has the question's opaque `id`, its turns as
    JSON (`messages`), the same as one text (`question`), and the true `answer`.
    """
    with MediaCopies(folder / _TABLE, questions.read, questions.opaque) as copies:
        rows = [_row(trial, questions, copies) for trial in questions.trials]
        with replace_atomically(folder / _TABLE) as temporary:
            pl.DataFrame(rows, schema=dict.fromkeys(("id", "messages", "question", "answer"), pl.String)).write_parquet(
                temporary
            )
    write_whole(folder / f"{_FUNCTIONS}.py", inspect.getsource(functions).encode())
    write_whole(folder / f"{questions.task}.yaml", _TASK.format(task=questions.task).encode())
    return (f"call lmms_eval in this folder: --include_path . --tasks {questions.task} --log_samples",)


def _row(trial: Trial, questions: LeavingQuestions, copies: MediaCopies) -> dict[str, str]:
    turns: list[Json] = [
        {
            "role": message.role,
            "content": [
                {"type": "text", "text": part.text}
                if isinstance(part, Text)
                else {"type": part.kind, "url": copies.place(part.file)}
                for part in message.parts
            ],
        }
        for message in trial.messages
    ]
    text, answer = FlatQuestion.of(trial).text, trial.gold or ""
    return {"id": questions.opaque(trial.id), "messages": json.dumps(turns), "question": text, "answer": answer}
