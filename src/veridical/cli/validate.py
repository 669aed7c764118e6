"""The verb that checks the instruments on observers whose mechanism is known."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.common import JsonFlag, app, show


@app.command()
def validate(
    out: Annotated[Path, typer.Option(help="The Markdown file.")] = Path("docs/validation.md"),
    seeds: Annotated[int, typer.Option(help="Runs per mechanism; twice as many for intervals and tests.")] = 200,
    as_json: JsonFlag = False,
) -> None:
    """Check the instruments on observers whose mechanism is known."""
    from veridical.base.files import write_whole
    from veridical.cli.terminal import bar
    from veridical.suites.viprobe import validation

    with bar("simulated observers") as progress:
        found = validation.validate(seeds, progress=progress)
    write_whole(out, found.page.encode())
    if as_json:
        show({"page": str(out), **asdict(found), "promises": found.promises})
        return
    for name in found.missed:
        typer.echo(f"missed: {name}")
    typer.echo(f"{len(found.promises) - len(found.missed)} of {len(found.promises)} promises kept; {out}")
