"""A profile from runs: each suite's answers to its questions, and what is missing of which model."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from veridical.ask.log_archives import log_blocks, packed_path
from veridical.ask.run_folder import RESPONSES
from veridical.base.path_checks import holds_run
from veridical.errors import InputError
from veridical.internals.encoded_answer import encoded_answer
from veridical.internals.run_internals import RunInternals
from veridical.records import Json
from veridical.report.profiles import ModelProfile, Profile, ProfileLine, StoredRun, model_titles, with_fresh
from veridical.suite.evaluation import ABILITIES, EvaluationPart, ProfileAnswer
from veridical.suite.record import Suite
from veridical.suite.results import PEOPLE, are_people
from veridical.verbs.evaluation.choices import FILE, Choices, part_of, read_choices
from veridical.verbs.evaluation.differences import model_differences
from veridical.verbs.evaluation.private import PRIVATE, read_private, suite_place
from veridical.verbs.results.result import RunResult, open_run
from veridical.verbs.runs.model_runs import folder_of
from veridical.verbs.runs.roster import Roster, read_roster
from veridical.verbs.sets import set_of
from veridical.verbs.standard import standard_comparison

_NamedRun = tuple[Path | None, str, RunResult]
NO_RUN = "no run"
REPORT = "report.html"
"""A suite's own report, in its folder."""


def profile(
    runs: Sequence[RunResult | Path | str], *, models: Path | str | None = None, beside: Path | None = None
) -> Profile:
    """The profile that runs of any suites come to: a row for each model, a line for each question of each suite.

    A path may be the folder of an evaluation, which stands for all its runs; where two of them have models of one name,
    the folder's name stands beside it. Runs of people come last and are one row, by the name of people, or a row for
    each of their groups where a suite was answered by several. `models` is a file that states what the models are. With
    `beside`, the folder of a page, it has links to the reports of an evaluation from there. Raises `InputError` where
    no run is named, where a suite takes no part in evaluations, and where a model has two runs of one suite.
    """
    named: dict[str, dict[str, RunResult]] = {}
    suites: dict[str, None] = {}
    found = _people_last(
        [(evaluated_folder(each), name, run) for each in runs for name, run in _named_runs(each, suites)]
    )
    titles = model_titles([(place, name) for place, name, _ in found])
    about = {titles[place, name]: name for place, name, _ in found}
    for place, model, run in found:
        name, suite = titles[place, model], str(run.run.identity["suite"])
        own = named.setdefault(name, {})
        if suite in own:
            raise InputError(f"{name} has two runs of {suite}, {own[suite].folder} and {run.folder}: name one")
        own[suite] = run
        suites[suite] = None
    if not named:
        raise InputError("profile: there is no run to make one from")
    links: dict[str, str] = {}
    for place in dict.fromkeys(place for place, _, _ in found):
        if place is not None and beside is not None:
            links |= report_links(place, list(suites), beside.resolve())
    roster = None if models is None else read_roster(Path(models))
    joined = replace(profile_of(named, list(suites), {}, roster, models=about), links=links)
    evaluation = evaluated_folder(runs[0]) if len(runs) == 1 else None
    if evaluation is None or not (choices := read_choices(evaluation)).private_seed:
        return joined
    return against_fresh(joined, evaluation, runs_of(evaluation, choices, fresh=True), {})


def _people_last(found: Sequence[_NamedRun]) -> list[_NamedRun]:
    """Runs with those of people last, which are all called people, or, where two are of one suite, by their groups."""
    people = [each for each in found if are_people(each[1])]
    suites = [str(run.run.identity["suite"]) for _, _, run in people]
    apart = len(set(suites)) < len(suites)
    named = ((place, name.partition(" (")[0] if apart else PEOPLE.rstrip("/"), run) for place, name, run in people)
    return [*(each for each in found if not are_people(each[1])), *named]


def against_fresh(
    found: Profile,
    folder: Path,
    runs: Mapping[str, Mapping[str, RunResult]],
    problems: Mapping[tuple[str, str], str],
) -> Profile:
    """The profile of an evaluation in a folder, with what its runs on fresh units say (see `profile_of`)."""
    path = folder / PRIVATE
    commitment = read_private(path).commitment if path.exists() else ""
    suites = dict.fromkeys(each.suite.name for each in found.questions)
    return with_fresh(found, model_profiles(runs, list(suites), problems), commitment)


def evaluated_folder(place: RunResult | Path | str) -> Path | None:
    """The folder of an evaluation, if that is what a place is."""
    return None if isinstance(place, RunResult) or not (Path(place) / FILE).exists() else Path(place).resolve()


def report_links(folder: Path, suites: Sequence[str], beside: Path | None = None) -> dict[str, str]:
    """The addresses of the suites' own reports in an evaluation's folder that exist, from there or another folder."""
    start = folder if beside is None else beside
    places = {suite: folder / suite / REPORT for suite in suites}
    there = {suite: place for suite, place in places.items() if place.exists()}
    return {suite: quote(Path(os.path.relpath(place, start)).as_posix()) for suite, place in there.items()}


def _named_runs(place: RunResult | Path | str, suites: dict[str, None]) -> Iterator[tuple[str, RunResult]]:
    """The runs in a place by their models' names; `suites` gets those that an evaluation names."""
    folder = evaluated_folder(place)
    if folder is None:
        run = open_run(place)
        yield run.model, run
        return
    choices = read_choices(folder)
    suites |= dict.fromkeys(choices.suites)
    yield from ((name, run) for name, own in runs_of(folder, choices).items() for run in own.values())


def runs_of(
    folder: Path, choices: Choices, opened: Mapping[Path, RunResult] | None = None, *, fresh: bool = False
) -> dict[str, dict[str, RunResult]]:
    """The runs in an evaluation's folder, by model and suite; those that are `opened` already as such."""
    known = opened or {}
    places = {
        model: {suite: run_place(folder, suite, model, fresh=fresh) for suite in choices.suites}
        for model in choices.models
    }
    return {
        model: {suite: known.get(place) or open_run(place) for suite, place in own.items() if holds_run(place)}
        for model, own in places.items()
    }


def run_place(folder: Path, suite: str, model: str, *, fresh: bool = False) -> Path:
    """Where the run of a model on a suite, or on its fresh units, stands in an evaluation's folder."""
    return folder_of(suite_place(folder, suite, fresh=fresh) / "runs", model)


def profile_of(
    runs: Mapping[str, Mapping[str, RunResult]],
    suites: Sequence[str],
    problems: Mapping[tuple[str, str], str],
    roster: Roster | None = None,
    *,
    models: Mapping[str, str] | None = None,
) -> Profile:
    """The profile of runs by model and suite; `problems` say, by model and suite, why one could not be asked.

    `models` are the names of the models, by those that they have here, under which `roster` has what they are.
    """
    sets: dict[str, dict[str, Json]] = {}
    for own in runs.values():
        for suite, run in own.items():
            if suite not in sets:
                sets[suite] = {"set": run.run.identity["set"], **_standard_facts(run)}
    names = {suite: str(facts.get("name", "")) for suite, facts in sets.items()}
    found = tuple(model_profiles(runs, suites, problems, roster, names, models))
    differences = model_differences(found, runs, suites)
    return Profile(models=found, version=version("veridical"), sets=sets, differences=differences)


def _standard_facts(run: RunResult) -> dict[str, Json]:
    """What the set of a run is beside the standard one; nothing where the set is no longer there, or has no such."""
    try:
        compared = standard_comparison(set_of(run.run))
    except InputError:
        return {}
    return {} if compared is None else compared.facts()


def model_profiles(
    runs: Mapping[str, Mapping[str, RunResult]],
    suites: Sequence[str],
    problems: Mapping[tuple[str, str], str],
    roster: Roster | None = None,
    names: Mapping[str, str] | None = None,
    models: Mapping[str, str] | None = None,
) -> Iterator[ModelProfile]:
    """What was found of each model (see `profile_of`); `names` are those of standard sets, by suite."""
    order, named = [*ABILITIES], names or {}
    for model, own in runs.items():
        lines = [
            replace(line, set_name=named.get(suite, ""))
            for suite in suites
            for line in _lines(suite, own.get(suite), problems.get((model, suite)))
        ]
        yield ModelProfile(
            name=model,
            lines=tuple(sorted(lines, key=lambda each: order.index(each.question.ability))),
            about=roster.of((models or {}).get(model, model)) if roster else None,
            problems=tuple(_problems(model, own, suites, problems)),
            runs=tuple(stored_run(own[suite]) for suite in suites if suite in own),
        )


def stored_run(run: RunResult) -> StoredRun:
    """What a profile states of a run: its folder's name, and the hashes of its set and of its replies."""
    identity = run.run.identity
    responses = {}
    packed = packed_path(Path(RESPONSES)).name
    logs = {path.with_name(RESPONSES) for name in (RESPONSES, packed) for path in run.folder.rglob(name)}
    for path in sorted(logs):
        digest = sha256()
        for block in log_blocks(path):
            digest.update(block)
        responses[path.relative_to(run.folder).as_posix()] = digest.hexdigest()
    starts = [str(each.get("started", "")) for each in run.run.executions]
    return StoredRun(
        suite=str(identity["suite"]),
        run=run.folder.name,
        set=str(identity["set"]),
        responses=responses,
        date=max(starts, default="")[:10],
    )


def _lines(name: str, run: RunResult | None, problem: str | None) -> Iterator[ProfileLine]:
    """The lines of a suite on a model."""
    suite, part = part_of(name)
    answers, missing = {}, problem or NO_RUN
    if run is not None:
        answers = _answers(suite, part, run) if run.counts.asked else {}
        missing = problem or "; ".join(map(str, run.waiting)) or "was not asked in this way"
    for question in part.questions:
        answer = answers.get(question.name)
        if answer is None and question.optional:
            continue
        yield ProfileLine(
            suite=suite,
            part=part,
            question=question,
            answer=answer,
            missing="" if answer else missing,
            run="" if run is None else run.folder.name,
        )


def _answers(suite: Suite, part: EvaluationPart, run: RunResult) -> dict[str, ProfileAnswer]:
    """What a run says on its questions, and what its model's states say beside that, if they were read."""
    answers = dict(part.answers(run.result()))
    inside = RunInternals.of(run.folder, run.run.identity)
    encoded = None if part.encoded is None else encoded_answer(part, suite.name, inside, answers)
    return answers if part.encoded is None or encoded is None else {**answers, part.encoded.question: encoded}


def _problems(
    model: str, runs: Mapping[str, RunResult], suites: Sequence[str], problems: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    """What could not be done with a model, a line for each, each said once for all suites that it is true of."""
    told: dict[str, list[str]] = {}
    for suite in suites:
        run, short = runs.get(suite), part_of(suite)[1].short
        if problem := problems.get((model, suite)):
            told.setdefault(problem, []).append(short)
        elif run is None:
            told.setdefault("there is no run", []).append(short)
        elif not run.complete and not are_people(model):
            counts = run.counts
            ended = f"; {run.stopped}" if run.stopped else ""
            text = f"{counts.answered:,} of {counts.planned:,} questions have an answer{ended}"
            told.setdefault(f"incomplete: {text}", []).append(short)
        if run is not None and (trouble := run.unanswered()).many:
            yield f"{short}: {trouble.line()}"
    yield from (f"{', '.join(names)}: {problem}" for problem, names in told.items())
