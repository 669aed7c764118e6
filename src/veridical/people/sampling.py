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
from veridical.people.reading import stage_of_people
from veridical.records import Stimulus, Trial
from veridical.stimulus_set import StimulusSet
from veridical.suite.record import Suite
from veridical.verbs.exchange.line_files import LineFiles
from veridical.verbs.exchange.media_copies import MediaCopies
from veridical.verbs.exchange.planned_stages import Place, is_run, planned_stage, set_of_run
from veridical.verbs.results.result import RunResult, open_run
from veridical.verbs.runs.setup import trials_of
from veridical.verbs.sets import open_set, record_of

COLUMNS = ("participant", "position", "trial", "picture", "question", "answer", "seconds")
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
    with all its questions, in an order shuffled for each person; the columns `answer` and `seconds` are for what
    people say. The pictures are copied beside the file. Neither a true answer nor a name that tells one stands in it:
    trials and pictures have opaque names, and `read` takes these as well as the trials' own ids. Raises `InputError`
    for numbers that the set cannot serve.
    """
    suite, whole, trials, stratum = _questions(place, stage, settings)
    by_stimulus: dict[str, list[Trial]] = {}
    for trial in trials:
        by_stimulus.setdefault(trial.stimulus, []).append(trial)
    shown = {stimulus.id: stimulus for stimulus in whole.stimuli if stimulus.id in by_stimulus}
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
    with MediaCopies(Path(out), whole.read, whole.opaque) as copies:
        files = {each.id: " ".join(copies.place(m.file) for m in each.media) for chosen in drawn for each in chosen}
        rows = [
            (
                f"p{person:0{len(str(people))}}",
                position,
                whole.opaque(trial.id),
                files[trial.stimulus],
                question,
                "",
                "",
            )
            for person, chosen in enumerate(drawn, start=1)
            for position, trial, question in _order(chosen, by_stimulus, suite.asking.bare_question, rng)
        ]
        return _write(Path(out), rows)


def _write(out: Path, rows: Sequence[tuple[str | int, ...]]) -> LineFiles:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([COLUMNS, *rows])
    try:
        write_whole(out, text.getvalue().encode())
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}") from error
    return LineFiles(len(rows), (out,))


def _questions(
    place: Place, stage: str | None, settings: Mapping[str, str | Sequence[str]] | None
) -> tuple[Suite, StimulusSet, Sequence[Trial], Stratum]:
    """The suite, the set, the trials of a set's first stage or of a run's stage of people, and what to balance over."""
    if isinstance(place, StimulusSet) or not is_run(place):
        if stage is not None:
            raise InputError(f"stage {stage}: name the run that it is part of, not a set")
        assert not isinstance(place, RunResult)
        whole = open_set(place)
        suite = record_of(whole)
        return suite, whole, trials_of(suite, whole, suite.asked(settings), None), suite.asking.stratum
    result = open_run(place)
    setup = planned_stage(result, stage_of_people(result, stage), settings=settings)
    if not setup.trials:
        raise InputError(f"{result.folder}: stage {setup.stage.name} has no question for people")
    of_trial, first = setup.stage.stratum, {trial.stimulus: trial for trial in reversed(setup.trials)}
    stratum = result.suite.asking.stratum if of_trial is None else lambda stimulus: of_trial(first[stimulus.id])
    return result.suite, set_of_run(result), setup.trials, stratum


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
    chosen: Sequence[Stimulus],
    by_stimulus: Mapping[str, Sequence[Trial]],
    bare_question: Callable[[Stimulus, Trial], str],
    rng: np.random.Generator,
) -> Iterator[tuple[int, Trial, str]]:
    questions = [(trial, bare_question(stimulus, trial)) for stimulus in chosen for trial in by_stimulus[stimulus.id]]
    for position, index in enumerate(rng.permutation(len(questions)), start=1):
        yield position, *questions[index]
