"""What people answered, as a run folder: each participant is one repeat of the questions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from veridical.ask import Run
from veridical.base.files import folder_lock
from veridical.base.run_options import MOST_REPEATS
from veridical.errors import InputError, unknown
from veridical.records import Response, Trial
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.imports.sheets import SheetRow, number, read_rows
from veridical.suite.results import PEOPLE as PEOPLE_ARE
from veridical.suite.stages import PEOPLE
from veridical.verbs.exchange.planned_stages import Place, is_run, planned_stage
from veridical.verbs.results.result import RunResult, open_run, refresh
from veridical.verbs.runs.places import stage_folder
from veridical.verbs.sets import folder_for

COLUMNS = ("participant", "trial", "answer")


class _Answer(NamedTuple):
    participant: str
    trial: str
    text: str
    seconds: float | None


def read(
    place: Place,
    answers: Path | str,
    out: Path | str | None = None,
    *,
    stage: str | None = None,
    name: str | None = None,
    settings: Mapping[str, str | Sequence[str]] | None = None,
) -> RunResult:
    """The run of people on a set, from a table with the columns participant, trial, answer and, if known, seconds.

    A trial is named by its id, or as the sheet of a sample names it.
    Each participant, in the order of their names, is one repeat; the names stay in the table. The model of the run is
    `people/NAME` (default: the file's name) with the numbers of people and of pictures. An answer is text that the
    trial's reader reads, such as 1, 0, yes or no; an empty one is unparsed, for a missed answer is no refusal. What
    somebody was not shown is not asked.

    `place` is a set; or a run, in which a `stage`, by default the one of people, gets the answers in a folder of its
    own inside the run, for the stages that need it. Raises `InputError` for an unknown trial, and for a second answer
    of one participant to one trial.
    """
    within = open_run(place) if not isinstance(place, StimulusSet) and is_run(place) else None
    read = _stored(place, within, Path(answers), out, stage=stage, name=name, settings=settings)
    result = RunResult(read) if within is None else RunResult(Run.open(within.folder))
    refresh(result)
    return result


def _stored(
    place: Place,
    within: RunResult | None,
    path: Path,
    out: Path | str | None,
    *,
    stage: str | None,
    name: str | None,
    settings: Mapping[str, str | Sequence[str]] | None,
) -> Run:
    """The answers as stored responses, in a run of their own or in a stage of the one that they are `within`."""
    name = path.stem if name is None else name
    if not re.fullmatch(r"[\w.-]{1,50}", name):
        raise InputError(f"name {name!r}: 1 to 50 letters, digits, dots and dashes are allowed")
    answers = [_answer(row) for row in read_rows(path, COLUMNS, ("seconds",), others=True)]
    people = sorted({each.participant for each in answers})
    if len(people) > MOST_REPEATS:
        raise InputError(f"{path}: {len(people):,} participants: at most {MOST_REPEATS} are read")
    if within is None and stage is not None:
        raise InputError(f"stage {stage}: name the run that it is part of, not a set")
    stage = None if within is None else stage_of_people(within, stage)
    setup = planned_stage(place, stage, PEOPLE_ARE + name, repeats=len(people), settings=settings)
    trials = {trial.id: trial for trial in setup.trials}
    own = {setup.stimuli.opaque(name): name for name in trials}
    answers = [each._replace(trial=own.get(each.trial, each.trial)) for each in answers]
    _require_known(path, answers, trials)
    pictures = len({trials[each.trial].stimulus for each in answers})
    facts = {"participants": len(people), "pictures": pictures, "answers": len(answers)}
    digest = sha256(path.read_bytes()).hexdigest()
    model = f"{PEOPLE_ARE}{name} ({_many(len(people), 'person', 'people')}, {_many(pictures, 'picture', 'pictures')})"
    identity = {**setup.identity(), "model": model, "people": facts, "answers": f"sha256:{digest}"}
    start = Run.start if within is None else Run.start_stage
    folder = folder_for(out) if within is None else stage_folder(within.folder, identity)
    place_of = {participant: index for index, participant in enumerate(people, start=1)}
    with nullcontext() if within is None else folder_lock(within.folder):
        factors = setup.suite.design.factors
        run = start(folder, identity, setup.execution(), setup.trials, factors=factors, repeats=len(people))
        stored = run.responses()
        with run.writer() as writer:
            for each in answers:
                repeat = place_of[each.participant]
                if (each.trial, repeat) not in stored:
                    writer.append(
                        Response(trial=each.trial, repeat=repeat, requests=0, text=each.text, latency=each.seconds)
                    )
        return Run.open(run.folder)


def stage_of_people(run: RunResult, named: str | None) -> str:
    """The stage of a run that people are asked; raises `InputError` for another, and where it must be named.

    Of several, it is the one whose needs were asked, if that is one alone.
    """
    stages = [stage for stage in run.stages.ordered if stage.role == PEOPLE]
    names = [stage.name for stage in stages]
    if named in names:
        return str(named)
    if named is not None:
        raise unknown(f"stage of people of {run.suite.name}", named, names)
    if len(names) > 1:
        ready = [stage.name for stage in stages if all(run.stages.runs.get(need) for need in stage.needs)]
        names = ready if len(ready) == 1 else names
    if len(names) != 1:
        problem = f"has the stages {' and '.join(names)} of people: say which" if names else "has no stage of people"
        raise InputError(f"the suite {run.suite.name} {problem}")
    return names[0]


def _answer(row: SheetRow) -> _Answer:
    participant, trial = row.cells["participant"], row.cells["trial"]
    if not participant or not trial:
        raise InputError(f"{row.place}: {'trial' if participant else 'participant'} is empty")
    seconds = number(row, "seconds") if row.cells["seconds"] else None
    if seconds is not None and seconds < 0:
        raise InputError(f"{row.place}: seconds {seconds:g}: 0 or more are allowed")
    return _Answer(participant, trial, row.cells["answer"], seconds)


def _require_known(path: Path, answers: Sequence[_Answer], trials: Mapping[str, Trial]) -> None:
    rows: dict[tuple[str, str], int] = {}
    for index, each in enumerate(answers, start=1):
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
