"""VI-Probe's own command: the threshold of a model or of people."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veridical.records import Estimate

app = typer.Typer(
    help="Commands of VI-Probe alone: the threshold of a model or of people.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.command()
def threshold(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Print the smallest change that is reliably detected, per case."""
    from veridical import verbs
    from veridical.suites.viprobe.analysis.dose import detection_threshold

    result = verbs.open_run(run)
    estimates = detection_threshold(result.outcomes())
    if as_json:
        listed = [{**asdict(each), "unit": str(each.unit)} for each in estimates]
        typer.echo(json.dumps(listed, indent=2, ensure_ascii=False))
        return
    typer.echo(result.model)
    for each in estimates:
        typer.echo(_line(each))


def _line(each: Estimate) -> str:
    value = "none" if each.value is None else f"|α| {each.value:.2f}"
    ends = ["–" if end is None else f"{end:.2f}" for end in (each.low, each.high)]
    bounds = "" if each.value is None else f" [{', '.join(ends)}]"
    return f"{each.slice['case']}: {value}{bounds}; {each.method}{f'; {each.reason}' if each.reason else ''}"
