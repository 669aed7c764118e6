"""What people answered, as a run folder: each participant is one repeat of the questions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from veridical.ask import Run
from veridical.ask.policy import MOST_REPEATS
from veridical.errors import InputError
from veridical.records import Response, Trial
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.imported.sheets import Row, number, read_rows
from veridical.suite.results import PEOPLE
from veridical.verbs.sets import folder_for
from veridical.verbs.setup import prepare

COLUMNS = ("participant", "trial", "answer")


class _Answer(NamedTuple):
    participant: str
    trial: str
    text: str
    seconds: float | None


def read_people(
    stimuli: StimulusSet | Path | str,
    answers: Path | str,
    out: Path | str | None = None,
    *,
    name: str | None = None,
    settings: Mapping[str, str | Sequence[str]] | None = None,
) -> Run:
    """The run of people on a set, from a table with the columns participant, trial, answer and, if known, seconds.

    Each participant, in the order of their names, is one repeat; the names stay in the table. The model of the run is
    `people/NAME` (default: the file's name) with the numbers of people and of pictures. An answer is text that the
    trial's reader reads, such as 1, 0, yes or no; an empty one is unparsed, for a missed answer is no refusal. What
    somebody was not shown is not asked. Raises `InputError` for an unknown trial, and for a second answer of one
    participant to one trial.
    """
    path = Path(answers)
    name = path.stem if name is None else name
    if not re.fullmatch(r"[\w.-]{1,50}", name):
        raise InputError(f"name {name!r}: 1 to 50 letters, digits, dots and dashes are allowed")
    found = [_answer(row) for row in read_rows(path, COLUMNS, ("seconds",), others=True)]
    people = sorted({each.participant for each in found})
    if len(people) > MOST_REPEATS:
        raise InputError(f"{path}: {len(people):,} participants: at most {MOST_REPEATS} are read")
    setup = prepare(stimuli, PEOPLE + name, repeats=len(people), settings=settings)
    trials = {trial.id: trial for trial in setup.trials}
    _require_known(path, found, trials)
    pictures = len({trials[each.trial].stimulus for each in found})
    facts = {"participants": len(people), "pictures": pictures, "answers": len(found)}
    digest = sha256(path.read_bytes()).hexdigest()
    model = f"{PEOPLE}{name} ({_many(len(people), 'person', 'people')}, {_many(pictures, 'picture', 'pictures')})"
    identity = {**setup.identity(), "model": model, "people": facts, "answers": f"sha256:{digest}"}
    run = Run.start(
        folder_for(out),
        identity,
        setup.execution(),
        setup.trials,
        factors=setup.suite.design.factors,
        repeats=len(people),
    )
    there = run.responses()
    place = {participant: index for index, participant in enumerate(people, start=1)}
    with run.writer() as writer:
        for each in found:
            repeat = place[each.participant]
            if (each.trial, repeat) not in there:
                writer.append(
                    Response(trial=each.trial, repeat=repeat, requests=0, text=each.text, latency=each.seconds)
                )
    return Run.open(run.folder)


def _answer(row: Row) -> _Answer:
    participant, trial = row.cells["participant"], row.cells["trial"]
    if not participant or not trial:
        raise InputError(f"{row.place}: {'trial' if participant else 'participant'} is empty")
    seconds = number(row, "seconds") if row.cells["seconds"] else None
    if seconds is not None and seconds < 0:
        raise InputError(f"{row.place}: seconds {seconds:g}: 0 or more are allowed")
    return _Answer(participant, trial, row.cells["answer"], seconds)


def _require_known(path: Path, found: Sequence[_Answer], trials: Mapping[str, Trial]) -> None:
    rows: dict[tuple[str, str], int] = {}
    for index, each in enumerate(found, start=1):
        if each.trial not in trials:
            remedy = "the set that people were shown, and the settings, are needed"
            raise InputError(f"{path}, row {index}: the set has no trial '{each.trial}': {remedy}")
        key = each.participant, each.trial
        if key in rows:
            raise InputError(
                f"{path}, row {index}: '{each.participant}' answered '{each.trial}' in row {rows[key]} already"
            )
        rows[key] = index


def _many(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"
