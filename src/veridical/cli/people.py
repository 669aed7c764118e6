"""Verbs for people by sheets: sample, read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from veridical.base.path_checks import STUDY
from veridical.base.study_options import StudyDatabase
from veridical.cli.common import JsonFlag, a_file, a_run_or_set, app, tell
from veridical.cli.options import options_of, takes
from veridical.errors import InputError

group = typer.Typer(
    help="Ask people: sheets or an app, and what they say read back.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(group, name="people")


@group.command()
@takes("settings")
def sample(
    place: Annotated[
        Path,
        typer.Argument(
            metavar="PLACE", help="Stimulus set; for questions of a stage of a run, its folder.", callback=a_run_or_set
        ),
    ],
    out: Annotated[Path, typer.Option(help="CSV file, new or overwritten.")],
    per_person: Annotated[int, typer.Option(help="Stimuli per person; each comes with all its questions.")],
    number: Annotated[int, typer.Option("--people", help="Number of people.")] = 10,
    pictures: Annotated[
        int | None, typer.Option(help="Draw this many stimuli first, and show people these alone. Default: all.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same sample.")] = 0,
    stage: Annotated[str | None, typer.Option(help="Stage of a run. Default: the stage asked of people.")] = None,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Draw a balanced sample of stimuli for people."""
    from veridical import people

    rows = people.sample(
        place,
        out,
        per_person=per_person,
        people=number,
        pictures=pictures,
        seed=seed,
        stage=stage,
        settings=options_of(words)["settings"],
    ).lines
    facts = {"file": str(out), "people": number, "pictures_each": per_person, "questions": rows}
    line = f"{rows:,} questions in {out}: {number:,} people, {per_person:,} pictures each"
    tell(facts, [line], as_json=as_json)


@group.command()
@takes("settings")
def read(
    place: Annotated[Path, typer.Argument(metavar="PLACE", help="A study; or a stimulus set, or a run, and a table.")],
    answers: Annotated[
        Path | None,
        typer.Argument(metavar="ANSWERS", help="Table: participant, trial, answer, seconds.", callback=a_file),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for what is made of answers about a set.")] = None,
    stage: Annotated[str | None, typer.Option(help="Stage of a run. Default: the stage asked of people.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the group. Default: the name of the file.")] = None,
    database: StudyDatabase = None,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Make a run, or a stage of one, from the answers of people."""
    chosen = {"stage": stage, "name": name, "settings": options_of(words)["settings"]}
    if (place / STUDY).is_file():
        _read_study(place, out, database, {"ANSWERS": answers, **chosen}, as_json=as_json)
        return
    if answers is None:
        raise InputError(f"{place} is no study: name the table of answers after it")
    _read_table(place, answers, out, chosen, as_json=as_json)


def _read_study(
    place: Path, out: Path | None, database: str | None, chosen: Mapping[str, Any], *, as_json: bool
) -> None:
    """What people stated in a study, brought back as its task does."""
    if named := [word for word, value in chosen.items() if value]:
        raise InputError(f"{place} is a study, which states its own: leave out {', '.join(named)}")
    from veridical.base.requirements import extra_needed

    with extra_needed("people", "the app for people"):
        from veridical.people.study import open_study
    from veridical.people.study_sheets import write_audit

    study = open_study(place, database)
    if changed := study.changed():
        raise InputError(changed)
    read = study.task.read(study.design.paths, study.votes(), out, study.design.choices)
    audit = write_audit(study)
    lines = [*read.lines, f"Audit trail: {audit}"]
    tell({"place": str(read.place), **read.facts, "audit": str(audit)}, lines, as_json=as_json)


def _read_table(place: Path, answers: Path, out: Path | None, chosen: Mapping[str, Any], *, as_json: bool) -> None:
    a_run_or_set(place)
    from veridical import people
    from veridical.records import Counts

    of_run = (place / "run.json").exists()
    if of_run == (out is not None):
        advice = "leave out --out" if of_run else "--out FOLDER is needed"
        raise InputError(f"{place} is a {'run, which gets the answers itself' if of_run else 'set'}: {advice}")
    result = people.read(place, answers, out, **chosen)
    read = max(
        (run for runs in result.stages.runs.values() for run in runs if "people" in run.identity),
        key=lambda run: run.started,
    )
    facts, table = read.identity["people"], result.stages.outcomes(read)
    first = f"{read.identity['model']}: {facts.get('answers', 0):,} answers in {read.folder}"
    whole = {"run": str(read.folder), "model": read.identity["model"], **facts}
    tell(whole, [first, str(Counts.of(table))], as_json=as_json)
