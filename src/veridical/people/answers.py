"""The task of every suite: answer items as a model is asked, and become a run that stands beside the models'."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from veridical.base.path_checks import holds_run
from veridical.errors import InputError
from veridical.people.reading import read, stage_of_people
from veridical.records import Json, Stimulus, Trial
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


def answer_items(places: Sequence[Path], choices: TaskChoices) -> Iterator[TaskItem]:
    """The questions of a set, or of the stage of people of a run, one item each."""
    place = _one(places)
    setup = _setup(place, choices)
    stimuli = {stimulus.id: stimulus for stimulus in setup.stimuli.stimuli}
    trials = setup.trials
    if choices.items is not None:
        if choices.items > len(trials):
            raise InputError(f"items {choices.items}: 1 to {len(trials):,}, as there are questions, are allowed")
        chosen = np.random.default_rng(choices.seed).permutation(len(trials))[: choices.items]
        trials = [trials[index] for index in sorted(chosen)]
    for trial in trials:
        yield _item(setup, stimuli[trial.stimulus], trial)


def _one(places: Sequence[Path]) -> Path:
    if len(places) != 1:
        raise InputError(f"{', '.join(map(str, places))}: one set or run is answered in a study")
    return places[0]


def _setup(place: Path, choices: TaskChoices) -> Setup:
    stage = stage_of_people(open_run(place), choices.stage) if holds_run(place) else choices.stage
    return planned_stage(place, stage, settings=choices.settings or None)


def _item(setup: Setup, stimulus: Stimulus, trial: Trial) -> TaskItem:
    asking = setup.suite.asking
    own = stimulus.media
    media = [
        MediumBlock(medium=medium, path=setup.stimuli.folder / medium.file, captions=asking.captions(stimulus, trial))
        for medium in own
    ]
    stratum = setup.stage.stratum(trial) if setup.stage.stratum else asking.stratum(stimulus)
    return TaskItem(
        id=trial.id,
        blocks=[*media, TextBlock(text=asking.bare_question(stimulus, trial))],
        fields=[asking.answer_field(stimulus, trial)],
        key={"trial": trial.id},
        stratum=stratum,
    )


def text_of(value: Json) -> str:
    """What a person stated, as the text of a reply: intervals as "1.5 to 2.25", several after commas; else as it is.

    >>> text_of([[1.5, 2.25], [3, 4]])
    '1.5 to 2.25, 3 to 4'
    """
    if isinstance(value, list):
        return ", ".join(" to ".join(f"{number:g}" for number in each) for each in value)
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def read_answers(
    places: Sequence[Path], votes: Sequence[StudyVote], out: Path | None, choices: TaskChoices
) -> ReadVotes:
    """The votes as a run of people in `out`, or in the stage of the run that they are about."""
    place = _one(places)
    name = "people" if out is None else out.name
    with TemporaryDirectory() as folder:
        table = Path(folder) / "answers.csv"
        with table.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("participant", "trial", "answer", "seconds"))
            writer.writerows(
                (vote.person, vote.key["trial"], text_of(next(iter(vote.answer.values()), None)), vote.seconds)
                for vote in votes
            )
        result = read(place, table, out, stage=choices.stage, name=name, settings=choices.settings or None)
    facts: Mapping[str, Json] = {"answers": len(votes), "run": str(result.folder)}
    return ReadVotes(result.folder, [f"{len(votes):,} answers in {result.folder}"], facts)


ANSWER = PeopleTask(
    title="Answer",
    help="Answer the questions of a set as a model is asked them.",
    instructions="Look at each picture or clip, and answer the question about it.",
    items=answer_items,
    read=read_answers,
)
