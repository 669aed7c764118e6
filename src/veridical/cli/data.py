"""Verbs that bring in or derive media and answers: import, derive, people sample, people read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from veridical.cli.common import (
    JsonFlag,
    RunFolder,
    SetFolder,
    a_file,
    a_run_or_set,
    a_set,
    app,
    bar,
    show,
    something,
    suites_with,
)
from veridical.cli.front import Click
from veridical.cli.options import options_of, takes
from veridical.errors import InputError

if TYPE_CHECKING:
    from veridical.ask import Run
    from veridical.records import Json

_FEW, _FEW_LINES = 10, 3
group = typer.Typer(
    help="Sample stimuli for people, and read their answers.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(group, name="people")


class Importing(TyperCommand):
    """The verb whose help lists the releases that the suites can import."""

    def format_options(self, ctx: Click, formatter: Click) -> None:
        super().format_options(ctx, formatter)
        rows = [(name, each.help) for suite in suites_with("releases") for name, each in suite.releases.items()]
        with formatter.section("What can be imported (WHAT)"):
            formatter.write_dl(rows or [("nothing", "")])


def _importable() -> list[str]:
    return [name for suite in suites_with("releases") for name in suite.releases]


@app.command("import", cls=Importing)
def import_(
    what: Annotated[
        str, typer.Argument(metavar="WHAT", help="A release, as listed below.", autocompletion=_importable)
    ],
    place: Annotated[Path, typer.Argument(metavar="PLACE", help="Its folder or file on disk.", callback=something)],
    out: Annotated[Path, typer.Option(help="Folder for the stimulus set, new or empty.")],
    source: Annotated[str | None, typer.Option(help="Where the media are from, such as an address.")] = None,
    license_name: Annotated[str | None, typer.Option("--license", help="Their license, such as CC-BY-4.0.")] = None,
    attribution: Annotated[str | None, typer.Option(help="Whom to name as their authors.")] = None,
    may_be_passed_on: Annotated[
        bool | None, typer.Option("--passed-on/--not-passed-on", help="Whether the media may be passed on.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse if any item would be left out.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a stimulus set from media on disk. Lists what is wrong with them."""
    from veridical import verbs

    with bar("reading pictures") as progress:
        made = verbs.import_release(
            what,
            place,
            out,
            source=source,
            license_name=license_name,
            attribution=attribution,
            may_be_passed_on=may_be_passed_on,
            strict=strict,
            progress=progress,
        )
    facts = made.manifest["import"]
    if as_json:
        show({"set": str(made.folder), "stimuli": len(made), "counts": made.manifest["counts"], **facts})
        return
    typer.echo(f"{len(made):,} stimuli in {made.folder}")
    typer.echo(f"measured {facts['measured']:,}, not measurable {facts['not_measurable']:,}")
    if facts["unlabelled"]:
        typer.echo(f"{facts['unlabelled']:,} have no published truth")
    for name, each in facts.get("published", {}).get("counts", {}).items():
        counts = ", ".join(f"{level} {count['here']:,} of {count['published']:,}" for level, count in each.items())
        typer.echo(f"{name}, of those published: {counts}")
    for line in _left_out(facts.get("left_out")):
        typer.echo(line)
    _named("missing", facts.get("missing", []))
    _named("extra", facts.get("extra", []))
    _named("with a label that contradicts their media", [each["id"] for each in facts["contradicted"]])
    for each in facts["doubtful"]:
        typer.echo(f"in doubt: {each['family']} {each['variant']}, {each['stimuli']:,} stimuli: {each['doubt']}")


@app.command()
def adopt(
    run: RunFolder,
    out: Annotated[Path, typer.Option(help="Folder for the stimulus set, new or empty.")],
    stimuli: Annotated[
        Path | None, typer.Option("--set", help="Stimulus set of the run, if it has moved.", callback=a_set)
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Make a stimulus set from the outcomes of a run."""
    from veridical import verbs

    made = verbs.adopt(run, out, stimuli=stimuli)
    facts = made.manifest["import"]
    if as_json:
        show({"set": str(made.folder), "stimuli": len(made), **facts})
        return
    typer.echo(f"{len(made):,} stimuli in {made.folder}, of {facts['stimuli_of_the_run']:,} that the run asked about")
    for line in _left_out(facts.get("left_out")):
        typer.echo(line)


@app.command()
@takes("settings")
def derive(stimuli: SetFolder, as_json: JsonFlag = False, **words: Any) -> None:  # noqa: ANN401
    """Make the frames and marked pictures that runs need."""
    from veridical.verbs.runs.setup import derive_media

    with bar("deriving media") as progress:
        made = derive_media(stimuli, settings=options_of(words)["settings"], progress=progress)
    facts = [
        {"rule": each.manifest["rule"]["name"], "media": len(each.rows), "folder": str(each.place)} for each in made
    ]
    if as_json:
        show(facts)
        return
    for fact in facts:
        typer.echo(f"{fact['rule']}: {fact['media']:,} media in {fact['folder']}")


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
    from veridical.verbs import people

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
    if as_json:
        show({"file": str(out), "people": number, "pictures_each": per_person, "questions": rows})
        return
    typer.echo(f"{rows:,} questions in {out}: {number:,} people, {per_person:,} pictures each")


@group.command()
@takes("settings")
def read(
    place: Annotated[
        Path,
        typer.Argument(metavar="PLACE", help="Stimulus set; for a stage of a run, its folder.", callback=a_run_or_set),
    ],
    answers: Annotated[
        Path, typer.Argument(metavar="ANSWERS", help="Table: participant, trial, answer, seconds.", callback=a_file)
    ],
    out: Annotated[Path | None, typer.Option(help="Run folder, for answers about a set.")] = None,
    stage: Annotated[str | None, typer.Option(help="Stage of a run. Default: the stage asked of people.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the group. Default: the name of the file.")] = None,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Make a run, or a stage of one, from the answers of people."""
    from veridical.records import Counts
    from veridical.verbs import people

    of_run = (place / "run.json").exists()
    if of_run == (out is not None):
        advice = "leave out --out" if of_run else "--out FOLDER is needed"
        raise InputError(f"{place} is a {'run, which gets the answers itself' if of_run else 'set'}: {advice}")
    result = people.read(place, answers, out, stage=stage, name=name, settings=options_of(words)["settings"])
    read = max((run for runs in result.stages.runs.values() for run in runs if "people" in run.identity), key=_latest)
    facts, table = read.identity["people"], result.stages.outcomes(read)
    if as_json:
        show({"run": str(read.folder), "model": read.identity["model"], **facts})
        return
    typer.echo(f"{read.identity['model']}: {facts.get('answers', 0):,} answers in {read.folder}")
    typer.echo(str(Counts.of(table)))


def _latest(run: Run) -> str:
    return str(run.executions[-1].get("started")) if run.executions else ""


def _left_out(facts: Mapping[str, Json] | None) -> Iterator[str]:
    """How many items are left out, and for each kind of reason how many and which."""
    from veridical.base.format import visible

    if not facts or not facts["items"]:
        return
    yield f"{facts['items']:,} {'item is' if facts['items'] == 1 else 'items are'} left out:"
    for reason, count in facts["reasons"].items():
        details = [each["detail"] for each in facts["each"] if each["reason"] == reason]
        more = f"; and {count - _FEW_LINES:,} more (all with --json)" if count > _FEW_LINES else ""
        yield f"  {count:,} for {reason}: {visible('; '.join(details[:_FEW_LINES]))}{more}"


def _named(what: str, names: list[Json]) -> None:
    if names:
        more = f", and {len(names) - _FEW:,} more (all with --json)" if len(names) > _FEW else ""
        typer.echo(f"{len(names):,} {what}: {', '.join(map(str, names[:_FEW]))}{more}")
