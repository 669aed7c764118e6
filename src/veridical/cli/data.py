"""Verbs that bring in or derive media and answers: import, derive."""

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
    a_set,
    app,
    bar,
    something,
    suites_with,
    tell,
)
from veridical.cli.front import Click
from veridical.cli.options import options_of, takes

if TYPE_CHECKING:
    from veridical.records import Json

_FEW, _FEW_LINES = 10, 3


class ImportVerb(TyperCommand):
    """The verb whose help lists the releases that the suites can import."""

    def format_options(self, ctx: Click, formatter: Click) -> None:
        super().format_options(ctx, formatter)
        rows = [(name, each.help) for suite in suites_with("releases") for name, each in suite.releases.items()]
        with formatter.section("What can be imported (WHAT)"):
            formatter.write_dl(rows or [("nothing", "")])


@app.command("import", cls=ImportVerb)
def import_(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="A release, as listed below.",
            autocompletion=lambda: [name for suite in suites_with("releases") for name in suite.releases],
        ),
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
    whole = {"set": str(made.folder), "stimuli": len(made), "counts": made.manifest["counts"], **facts}
    tell(whole, [f"{len(made):,} stimuli in {made.folder}", *_imported(facts)], as_json=as_json)


def _imported(facts: Mapping[str, Json]) -> Iterator[str]:
    """What was found in the media that a set was made from."""
    yield f"measured {facts['measured']:,}, not measurable {facts['not_measurable']:,}"
    if facts["unlabelled"]:
        yield f"{facts['unlabelled']:,} have no published truth"
    for name, each in facts.get("published", {}).get("counts", {}).items():
        counts = ", ".join(f"{level} {count['here']:,} of {count['published']:,}" for level, count in each.items())
        yield f"{name}, of those published: {counts}"
    yield from _left_out(facts.get("left_out"))
    wrong = [each["id"] for each in facts["contradicted"]]
    named = {"missing": facts.get("missing"), "extra": facts.get("extra")}
    for what, names in {**named, "with a label that contradicts their media": wrong}.items():
        if names:
            more = f", and {len(names) - _FEW:,} more (all with --json)" if len(names) > _FEW else ""
            yield f"{len(names):,} {what}: {', '.join(map(str, names[:_FEW]))}{more}"
    for each in facts["doubtful"]:
        yield f"in doubt: {each['family']} {each['variant']}, {each['stimuli']:,} stimuli: {each['doubt']}"


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
    first = f"{len(made):,} stimuli in {made.folder}, of {facts['stimuli_of_the_run']:,} that the run asked about"
    lines = [first, *_left_out(facts.get("left_out"))]
    tell({"set": str(made.folder), "stimuli": len(made), **facts}, lines, as_json=as_json)


@app.command()
@takes("settings", "workers", "cluster")
def derive(stimuli: SetFolder, as_json: JsonFlag = False, **words: Any) -> None:  # noqa: ANN401
    """Make the frames and marked pictures that runs need."""
    from veridical.verbs.runs.preparation import derive_media

    with bar("deriving media") as progress:
        options = options_of(words)
        how: dict[str, Any] = {name: options.get(name) for name in ("settings", "workers", "cluster")}
        made = derive_media(stimuli, progress=progress, **how)
    facts = [
        {"rule": each.manifest["rule"]["name"], "media": len(each.rows), "folder": str(each.place)} for each in made
    ]
    lines = [f"{fact['rule']}: {fact['media']:,} media in {fact['folder']}" for fact in facts]
    tell(facts, lines, as_json=as_json)


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
