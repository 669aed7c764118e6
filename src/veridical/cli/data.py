"""Verbs that bring in what others made or said: import, people sample, people read, people threshold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.cli.common import JsonFlag, RunFolder, SetFolder, app, estimate_json, levels, show

if TYPE_CHECKING:
    from veridical.records import Estimate, Json

_FEW = 10
people = typer.Typer(help="People as observers.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(people, name="people")
Settings = Annotated[
    list[str] | None,
    typer.Option("--setting", "-S", metavar="NAME=LEVEL,…", help="Levels that people are asked: polarity=forward …"),
]


@app.command("import")
def import_(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="viprobe, or pictures for a table of your own.")],
    place: Annotated[Path, typer.Argument(metavar="PLACE", help="The folder of the release, or the table.")],
    out: Annotated[Path, typer.Option(help="Folder for the stimulus set, new or empty.")],
    as_json: JsonFlag = False,
) -> None:
    """Make a stimulus set of pictures on disk; tell what is wrong."""
    from veridical import verbs
    from veridical.cli.terminal import bar

    with bar("reading pictures") as progress:
        made = verbs.import_release(what, place, out, progress=progress)
    found = made.manifest["import"]
    if as_json:
        show({"set": str(made.folder), "stimuli": len(made), "counts": made.manifest["counts"], **found})
        return
    typer.echo(f"{len(made):,} stimuli in {made.folder}")
    typer.echo(f"measured {found['measured']:,}, not measurable {found['not_measurable']:,}")
    if found["unlabelled"]:
        typer.echo(f"{found['unlabelled']:,} have no published truth and are not asked about")
    _named("missing", found.get("missing", []))
    _named("extra", found.get("extra", []))
    _named("labelled against their pixels", [each["id"] for each in found["contradicted"]])
    for each in found["doubtful"]:
        typer.echo(f"in doubt: {each['case']} {each['variant']}, {each['pictures']:,} pictures: {each['doubt']}")


@people.command()
def sample(
    stimuli: SetFolder,
    out: Annotated[Path, typer.Option(help="The CSV file, new or written over.")],
    per_person: Annotated[int, typer.Option(help="Pictures for each person; each comes with all its questions.")],
    number: Annotated[int, typer.Option("--people", help="So many people.")] = 10,
    seed: Annotated[int, typer.Option(help="The same seed gives the same sample.")] = 0,
    settings: Settings = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw a balanced sample of pictures for people."""
    from veridical.verbs.people import sample_people

    chosen = levels(settings or [])
    rows = sample_people(stimuli, out, per_person=per_person, people=number, seed=seed, settings=chosen)
    if as_json:
        show({"file": str(out), "people": number, "pictures_each": per_person, "questions": rows})
        return
    typer.echo(f"{rows:,} questions in {out}: {number:,} people, {per_person:,} pictures each")


@people.command()
def read(
    stimuli: SetFolder,
    answers: Annotated[Path, typer.Argument(metavar="ANSWERS", help="Columns: participant, trial, answer, seconds.")],
    out: Annotated[Path, typer.Option(help="Run folder.")],
    name: Annotated[str | None, typer.Option(help="Name of the group. Default: the file's.")] = None,
    settings: Settings = None,
    as_json: JsonFlag = False,
) -> None:
    """Make a run of what people answered."""
    from veridical import verbs

    result = verbs.read_people(stimuli, answers, out, name=name, settings=levels(settings or []))
    facts = result.run.identity["people"]
    if as_json:
        show({"run": str(result.folder), "model": result.model, **facts})
        return
    typer.echo(f"{result.model}: {facts['answers']:,} answers in {result.folder}")
    typer.echo(str(result.counts))


@people.command()
def threshold(run: RunFolder, as_json: JsonFlag = False) -> None:
    """Print the smallest change that is seen, per case."""
    from veridical import verbs
    from veridical.verbs.people import detection_threshold

    result = verbs.open_run(run)
    found = detection_threshold(result.outcomes)
    if as_json:
        show([estimate_json(each) for each in found])
        return
    typer.echo(result.model)
    for each in found:
        typer.echo(_told(each))


def _told(each: Estimate) -> str:
    value = "none" if each.value is None else f"|α| {each.value:.2f}"
    ends = ["–" if end is None else f"{end:.2f}" for end in (each.low, each.high)]
    bounds = "" if each.value is None else f" [{', '.join(ends)}]"
    return f"{each.slice['case']}: {value}{bounds}; {each.method}{f'; {each.reason}' if each.reason else ''}"


def _named(what: str, names: list[Json]) -> None:
    if names:
        more = f", and {len(names) - _FEW:,} more (all with --json)" if len(names) > _FEW else ""
        typer.echo(f"{len(names):,} {what}: {', '.join(map(str, names[:_FEW]))}{more}")
