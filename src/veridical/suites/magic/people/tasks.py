"""What people do with replies of MagiC in an app: label and rewrite steps, and code failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from veridical.errors import InputError
from veridical.people.codes import codes_task
from veridical.people.reply_samples import keyed_row, reply_id, reply_key, spread_sample
from veridical.people.run_media import RunMedia
from veridical.records import Json
from veridical.suite.people_tasks import (
    FieldOption,
    PeopleTask,
    StudyVote,
    TaskChoices,
    TaskItem,
    TextBlock,
)
from veridical.suites.magic.asking.readers import parts_of
from veridical.suites.magic.people.labeled_steps import read_steps
from veridical.suites.magic.people.labels import FAILED, answered_replies, step_lines
from veridical.suites.magic.people.practice import PRACTICE
from veridical.suites.magic.people.step_fields import RIGHT, SILENT, WRONG, step_field, step_fields
from veridical.suites.magic.steps import DESCRIPTION, EXHAUSTIVE, PLACE, RELATION
from veridical.suites.magic.stimuli import NAME
from veridical.verbs.results.result import RunResult, open_run

_LABELS = {RIGHT: "yes", WRONG: "no", SILENT: ""}
"""How a table of steps has each label."""


def step_items(places: Sequence[Path], choices: TaskChoices) -> Iterator[TaskItem]:
    """A sample of the answered replies of runs with steps (default: all), one screen each."""
    runs = [open_run(place) for place in places]
    media = [RunMedia(run) for run in runs]
    rows = pl.concat([answered_replies(run).with_columns(run=pl.lit(k)) for k, run in enumerate(runs)])
    rows = rows.filter(pl.col("answer").str.contains("\n"))
    if rows.is_empty():
        raise InputError(f"{', '.join(map(str, places))}: no answered reply has steps, so there is nothing to label")
    for row in spread_sample(rows, choices.items, choices.seed).iter_rows(named=True):
        _, steps = parts_of(row["answer"])
        yield TaskItem(
            id=reply_id(row, steps),
            blocks=[*media[row["run"]].blocks([row["picture"]]), TextBlock(text=row["question"], title="Question")],
            fields=step_fields(steps),
            key={**reply_key(row), "steps": steps},
            stratum=row["category"],
        )


def step_rows(votes: Sequence[StudyVote]) -> list[dict[str, Json]]:
    """The rows of votes as tables of steps have them, one for each step and person."""
    return [row for vote in votes for row in _rows(vote)]


def _rows(vote: StudyVote) -> Iterator[dict[str, Json]]:
    for number, step in enumerate(vote.key["steps"], start=1):
        label = _LABELS[vote.answer[step_field(number)]]
        row = keyed_row(vote, reply=vote.item, number=number, step=step, label=label)
        yield {**row, "item": f"{vote.item}-{number}"}


def wrong_replies(run: RunResult) -> pl.DataFrame:
    """The replies of a run whose answer is wrong, as people who code them see them."""
    rows = answered_replies(run).filter(FAILED)
    texts = [_reply_text(answer) for answer in rows["answer"]]
    media = pl.Series("media", [[picture] for picture in rows["picture"]], pl.List(pl.String))
    return rows.with_columns(pl.Series("reply", texts, pl.String), media)


def _reply_text(answer: str) -> str:
    stated, steps = parts_of(answer)
    return f"{step_lines(steps)}\nAnswer: {stated}".strip()


STEPS = PeopleTask(
    title="Label reasoning steps",
    help="Label each step of sampled replies, and rewrite the wrong ones.",
    instructions="Label each step by the picture alone: right, wrong, or stating nothing about it. Rewrite each wrong "
    "step so that it is right. A step that follows from a wrong one is labeled by what it states itself.",
    items=step_items,
    read=read_steps,
    practice=PRACTICE,
    sheet=step_rows,
)
_CODES = (
    FieldOption(EXHAUSTIVE, "Exhaustive", "It goes through all boxes, although not all matter."),
    FieldOption(PLACE, "Place", "It puts a thing into another's box, or out of its own."),
    FieldOption(RELATION, "Relation", "Two things stand to each other otherwise than it says."),
    FieldOption(DESCRIPTION, "Description", "A thing looks otherwise than it says, or is not in the picture."),
    FieldOption("other", "Other", "Something else went wrong."),
)
PEOPLE: Mapping[str, PeopleTask] = {
    "steps": STEPS,
    "codes": codes_task(NAME, _CODES, wrong_replies, "Code the patterns of error of wrong replies (section 5.3)."),
}
