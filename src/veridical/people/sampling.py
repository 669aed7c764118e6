"""A balanced subset of a set for people: who is shown which picture, in which order."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

import numpy as np

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.people.questions import ShownQuestion, shown_questions
from veridical.people.reading import stage_of_people
from veridical.records import Stimulus
from veridical.stimulus_set import StimulusSet
from veridical.suite.people_forms import captions_text, worded_question
from veridical.verbs.exchange.line_files import LineFiles
from veridical.verbs.exchange.media_copies import MediaCopies
from veridical.verbs.exchange.planned_stages import Place, is_run, planned_stage
from veridical.verbs.results.result import open_run
from veridical.verbs.runs.setup import Setup

COLUMNS = ("participant", "position", "trial", "picture", "question", "answer", "seconds")
WORDS = "words"
"""A column after the question, where words are spoken over any clip: these, with their times."""
MOST_PEOPLE = 1000
Stratum = Callable[[Stimulus], Hashable]


def sample(
    place: Place,
    out: Path | str,
    *,
    per_person: int,
    people: int = 10,
    pictures: int | None = None,
    seed: int = 0,
    stage: str | None = None,
    settings: Mapping[str, str | Sequence[str]] | None = None,
) -> LineFiles:
    """What was written to the CSV file `out`: a line per question, for so many people and pictures per person.

    `place` is a set; or a run, of which the questions of a `stage`, by default the one of people, are drawn.

    Pictures are drawn over the strata that the stage or else the suite names (its `stratum`): no two of these differ
    by more than one picture per person, as far as they have enough. With `pictures`, so many are drawn first, in the
    same way, and people are shown these alone: with as many per person, everybody sees them all. Each picture comes
    with all its questions (see `questions.shown_questions`), in an order shuffled for each person; the columns `answer`
    and `seconds` are for what people say, and words over a clip stand in a column `words`. Pictures and clips are
    copied beside the file. Neither a true answer nor a name that tells one stands in it: trials and pictures have
    opaque names, and `read` takes these as well as the trials' own ids. Raises `InputError` for numbers that the set
    cannot serve.
    """
    setup, stratum = _planned(place, stage, settings)
    by_stimulus: dict[str, list[ShownQuestion]] = {}
    for question in shown_questions(setup):
        by_stimulus.setdefault(question.stimulus.id, []).append(question)
    shown = {stimulus.id: stimulus for stimulus in setup.stimuli.stimuli if stimulus.id in by_stimulus}
    if pictures is not None and not 1 <= pictures <= len(shown):
        raise InputError(f"pictures {pictures}: 1 to {len(shown):,}, as the set has them, are allowed")
    most, owner = (len(shown), "the set has them") if pictures is None else (pictures, "are drawn")
    if not 1 <= per_person <= most:
        raise InputError(f"per person {per_person}: 1 to {most:,} pictures, as {owner}, are allowed")
    if not 1 <= people <= MOST_PEOPLE:
        raise InputError(f"people {people}: 1 to {MOST_PEOPLE} are allowed")
    rng = np.random.default_rng(seed)
    pool = list(shown.values())
    if pictures is not None:
        pool = next(_drawn(pool, stratum, pictures, 1, rng))
    drawn = list(_drawn(pool, stratum, per_person, people, rng))
    with MediaCopies(Path(out), setup.read, setup.stimuli.opaque) as copies:
        rows: list[dict[str, str | int]] = [
            {"participant": f"p{person:0{len(str(people))}}", "position": position, **_row(setup, question, copies)}
            for person, chosen in enumerate(drawn, start=1)
            for position, question in _order(chosen, by_stimulus, rng)
        ]
        return _write(Path(out), rows)


def _row(setup: Setup, shown: ShownQuestion, copies: MediaCopies) -> dict[str, str]:
    return {
        "trial": setup.stimuli.opaque(shown.trial.id),
        "picture": " ".join(copies.place(medium.file) for medium in shown.media),
        "question": worded_question(setup.suite.asking, shown.stimulus, shown.trial),
        WORDS: captions_text(shown.captions),
        "answer": "",
        "seconds": "",
    }


def _write(out: Path, rows: Sequence[Mapping[str, str | int]]) -> LineFiles:
    place = COLUMNS.index("answer")
    spoken = any(row[WORDS] for row in rows)
    columns = (*COLUMNS[:place], *([WORDS] if spoken else []), *COLUMNS[place:])
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    try:
        write_whole(out, text.getvalue().encode())
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}") from error
    return LineFiles(len(rows), (out,))


def _planned(
    place: Place, stage: str | None, settings: Mapping[str, str | Sequence[str]] | None
) -> tuple[Setup, Stratum]:
    """A set's first stage or a run's stage of people, and what to balance over."""
    if isinstance(place, StimulusSet) or not is_run(place):
        if stage is not None:
            raise InputError(f"stage {stage}: name the run that it is part of, not a set")
        setup = planned_stage(place, None, settings=settings)
        return setup, setup.suite.asking.stratum
    result = open_run(place)
    setup = planned_stage(result, stage_of_people(result, stage), settings=settings)
    if not setup.trials:
        raise InputError(f"{result.folder}: stage {setup.stage.name} has no question for people")
    of_trial, first = setup.stage.stratum, {trial.stimulus: trial for trial in reversed(setup.trials)}
    stratum = result.suite.asking.stratum if of_trial is None else lambda stimulus: of_trial(first[stimulus.id])
    return setup, stratum


def _drawn(
    pictures: Sequence[Stimulus], stratum: Stratum, per_person: int, people: int, rng: np.random.Generator
) -> Iterator[list[Stimulus]]:
    """Each person's pictures: the strata take turns, in one seeded order over all people, and so do a stratum's own."""
    strata: dict[Hashable, list[Stimulus]] = {}
    for index in rng.permutation(len(pictures)):
        strata.setdefault(stratum(pictures[index]), []).append(pictures[index])
    turns = _turns([list(strata.values())[index] for index in rng.permutation(len(strata))])
    for _ in range(people):
        chosen: dict[str, Stimulus] = {}
        # A stratum that this person has seen all of is passed over.
        while len(chosen) < per_person:
            stimulus = next(turns)
            chosen.setdefault(stimulus.id, stimulus)
        yield list(chosen.values())


def _turns(strata: Sequence[Sequence[Stimulus]]) -> Iterator[Stimulus]:
    for turn in count():
        for members in strata:
            yield members[turn % len(members)]


def _order(
    chosen: Sequence[Stimulus], by_stimulus: Mapping[str, Sequence[ShownQuestion]], rng: np.random.Generator
) -> Iterator[tuple[int, ShownQuestion]]:
    questions = [question for stimulus in chosen for question in by_stimulus[stimulus.id]]
    for position, index in enumerate(rng.permutation(len(questions)), start=1):
        yield position, questions[index]
