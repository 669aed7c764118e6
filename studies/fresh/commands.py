"""The command of this study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from studies.fresh.comparisons import MECHANISMS, compared, met_before, table
from veridical.errors import InputError
from veridical.report.profiles.fresh import FreshGap
from veridical.verbs.evaluation.choices import part_of

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def fresh(
    runs: Annotated[int, typer.Option(min=1, help="Runs of each mechanism, each with fresh units of its own.")] = 20,
    suites: Annotated[str, typer.Option(help="Suites that are asked.")] = "magic,viabench,viprobe",
    out: Annotated[Path, typer.Option(help="A folder for sets and runs.")] = Path("fresh"),
) -> None:
    """Print who is said to recall the standard sets, as a Markdown table."""
    asked = suites.split(",")
    try:
        for suite in asked:
            part_of(suite)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    found: dict[str, list[list[FreshGap]]] = {name: [] for name in MECHANISMS}
    for number in range(runs):
        for name, gaps in found.items():
            gaps.append(compared(name, number, asked, out))
        typer.echo(f"{number + 1} of {runs} runs", err=True)
    counts = {suite: [met_before(suite, number, out) for number in range(runs)] for suite in asked}
    shared = {suite: (sum(same for same, _ in own), sum(every for _, every in own)) for suite, own in counts.items()}
    typer.echo("\n".join(table(found, shared)))
