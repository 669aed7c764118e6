"""Verbs on stimulus sets: make, check, describe, share."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from veridical.base.progress import bar
from veridical.cli.by_suite import takes_suite
from veridical.cli.common import JsonFlag, SetFolder, app, show
from veridical.cli.set_words import SetWords


@takes_suite(recipe=lambda suite: next(iter(suite.recipes)))
def make(
    suite: str,
    chosen: SetWords,
    out: Annotated[Path, typer.Option(help="Folder for the stimulus set, new or empty.")],
    as_json: JsonFlag = False,
) -> None:
    """Draw a stimulus set. The same command resumes a stopped one."""
    from veridical.verbs import sets

    with bar("drawing units") as progress:
        made = sets.make(suite, out=out, progress=progress, **chosen)
    if as_json:
        show({"set": str(made.folder), "stimuli": len(made), "counts": made.manifest["counts"]})
        return
    typer.echo(f"{len(made):,} stimuli in {made.folder}")


@app.command()
def check(stimuli: SetFolder, as_json: JsonFlag = False) -> None:
    """Measure and hash every medium of a set again. Exit code 2 if anything is wrong."""
    from veridical.verbs import sets

    with bar("measuring stimuli") as progress:
        report = sets.check(stimuli, progress=progress)
    if as_json:
        show(asdict(report))
    else:
        for failure in report.failed:
            typer.echo(f"{failure['id']}: {failure['problem']}")
        typer.echo(f"{report.stimuli:,} stimuli, {report.verified:,} verified, {len(report.failed):,} failed")
        for reason, count in report.not_measurable.items():
            typer.echo(f"{count:,} not measurable from the media: {reason}")
    if report.failed:
        raise typer.Exit(2)


@app.command()
def describe(stimuli: SetFolder, as_json: JsonFlag = False) -> None:
    """Count what a set holds, and write it into its data set card."""
    from veridical.verbs import sets

    facts = sets.describe(stimuli)
    if as_json:
        show(facts)
        return
    for line in facts.lines:
        typer.echo(line)


@app.command()
def share(
    stimuli: SetFolder,
    out: Annotated[Path, typer.Option(help="Archive that ends in .zip, new or overwritten, or a new or empty folder.")],
    as_json: JsonFlag = False,
) -> None:
    """Pack a set for others.

    Media that may not be passed on are left out: their ids, hashes and how to obtain them take their place.
    """
    from veridical.verbs.sharing import share as packed

    with bar("packing stimuli") as progress:
        made = packed(stimuli, out, progress=progress)
    if as_json:
        show({**asdict(made), "out": str(made.out)})
        return
    if made.with_media:
        typer.echo(f"{made.stimuli:,} stimuli with their media in {made.out}")
        return
    typer.echo(f"ids and hashes of {made.stimuli:,} stimuli in {made.out}, without their media, questions and answers:")
    typer.echo("others made them, and nobody stated that they may be passed on (`veridical import --passed-on` does)")
