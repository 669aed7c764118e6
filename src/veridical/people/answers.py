"""The task of every suite: answer items as a model is asked, and become a run that stands beside the models'."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from veridical.base.files import write_whole
from veridical.base.path_checks import holds_run
from veridical.errors import InputError
from veridical.people.form_checks import FLAG, NOTE
from veridical.people.questions import ShownQuestion, shown_questions
from veridical.people.reading import read, stage_of_people
from veridical.records import Json
from veridical.suite.people_forms import captions_text, reply_of
from veridical.suite.people_tasks import (
    MediumBlock,
    PeopleTask,
    ReadVotes,
    StudyVote,
    TaskChoices,
    TaskItem,
    TextBlock,
)
from veridical.verbs.exchange.planned_stages import planned_stage
from veridical.verbs.results.result import open_run
from veridical.verbs.runs.setup import Setup

NOTHING_SHOWN = "No picture or clip is shown for this question."


def answer_items(places: Sequence[Path], choices: TaskChoices) -> Iterator[TaskItem]:
    """The questions of a set, or of the stage of people of a run, one item each."""
    place = _one(places)
    setup = _setup(place, choices)
    questions = shown_questions(setup)
    if choices.items is not None:
        if choices.items > len(questions):
            raise InputError(f"items {choices.items}: 1 to {len(questions):,}, as there are questions, are allowed")
        chosen = np.random.default_rng(choices.seed).permutation(len(questions))[: choices.items]
        questions = [questions[index] for index in sorted(chosen)]
    for each in questions:
        yield _item(setup, each)


def _one(places: Sequence[Path]) -> Path:
    if len(places) != 1:
        raise InputError(f"{', '.join(map(str, places))}: one set or run is answered in a study")
    return places[0]


def _setup(place: Path, choices: TaskChoices) -> Setup:
    stage = stage_of_people(open_run(place), choices.stage) if holds_run(place) else choices.stage
    return planned_stage(place, stage, settings=choices.settings or None)


def _item(setup: Setup, shown: ShownQuestion) -> TaskItem:
    trial, asking = shown.trial, setup.suite.asking
    return TaskItem(
        id=trial.id,
        blocks=[*_blocks(setup, shown), TextBlock(text=shown.question)],
        fields=shown.form,
        key={"trial": trial.id},
        stratum=setup.stage.stratum(trial) if setup.stage.stratum else asking.stratum(shown.stimulus),
    )


def _blocks(setup: Setup, shown: ShownQuestion) -> Iterator[TextBlock | MediumBlock]:
    """The pictures and clips, with the words that are spoken over the first clip; words without a clip are read."""
    words = shown.captions
    for part in shown.parts:
        if isinstance(part, str):
            yield TextBlock(text=part)
            continue
        spoken, words = (words, ()) if part.kind == "video" else ((), words)
        yield MediumBlock(medium=part, path=setup.home(part.file) / part.file, captions=spoken)
    if shown.stimulus.media and not shown.media:
        yield TextBlock(text=NOTHING_SHOWN)
    if words:
        yield TextBlock(title="What is said", text=captions_text(words))


def read_answers(
    places: Sequence[Path], votes: Sequence[StudyVote], out: Path | None, choices: TaskChoices
) -> ReadVotes:
    """The votes as a run of people in `out`, or in the stage of the run that they are about.

    Raises `InputError` where nothing was answered yet, and for a set without `out`.
    """
    place = _one(places)
    if not votes:
        raise InputError("nobody has answered yet: there is nothing to read")
    if out is None and not holds_run(place):
        raise InputError(f"{place} is a set: --out FOLDER is needed, for the run of people")
    name = "people" if out is None else out.name
    with TemporaryDirectory() as folder:
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(("participant", "trial", "answer", "seconds"))
        writer.writerows((vote.person, vote.key["trial"], _reply(vote), vote.seconds) for vote in votes)
        table = write_whole(Path(folder) / "answers.csv", text.getvalue().encode())
        result = read(place, table, out, stage=choices.stage, name=name, settings=choices.settings or None)
    flagged = len({vote.item for vote in votes if vote.answer.get(FLAG)})
    lines = [f"{len(votes):,} answers in {result.folder}"]
    lines += [f"{flagged:,} questions are called bad by somebody: the audit trail says why"] if flagged else []
    facts: Mapping[str, Json] = {"answers": len(votes), "flagged": flagged, "run": str(result.folder)}
    return ReadVotes(result.folder, lines, facts)


def _reply(vote: StudyVote) -> str:
    return reply_of({name: value for name, value in vote.answer.items() if name not in (FLAG, NOTE)})


ANSWER = PeopleTask(
    title="Answer",
    help="Answer the questions of a set as a model is asked them.",
    instructions="Look at each picture or clip, and answer the question about it.",
    items=answer_items,
    read=read_answers,
)
