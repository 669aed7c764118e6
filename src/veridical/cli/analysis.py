"""Verbs that analyse runs: metrics, report, compare."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.common import JsonFlag, RunFolder, app, estimate_json, show


@app.command()
def metrics(run: RunFolder, as_json: JsonFlag = False) -> None:
    """Print a run's estimates with their intervals and counts."""
    from veridical import verbs
    from veridical.terminal import estimates_tables

    result = verbs.open_run(run)
    if as_json:
        show([estimate_json(each) for each in result.estimates()])
        return
    estimates_tables(result)


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders of one suite.")],
    out: Annotated[Path | None, typer.Option(help="The HTML file. Default: report.html in the first run.")] = None,
    items: Annotated[int, typer.Option(help="At most so many pictures in the browser, in whole units.")] = 220,
    assets: Annotated[Path | None, typer.Option(help="Folder for all pictures, beside the page.")] = None,
    stimuli: Annotated[Path | None, typer.Option("--set", help="The stimulus set, if it was moved.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Write tables, figures and one HTML page."""
    from veridical import verbs

    page = verbs.write_report(runs, out, items=items, assets=assets, stimuli=stimuli)
    if as_json:
        show({"report": str(page), "bytes": page.stat().st_size})
        return
    typer.echo(f"{page} ({page.stat().st_size / 1e6:.1f} MB)")


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="The baseline's run folder.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="The other run folder.")],
    as_json: JsonFlag = False,
) -> None:
    """Print paired differences of two runs, B less A."""
    from veridical import verbs
    from veridical.terminal import differences_table

    found = verbs.compare(first, second)
    if as_json:
        show([estimate_json(each) for each in found])
        return
    differences_table(found, verbs.open_run(first).model, verbs.open_run(second).model)
