"""`python -m studies.width`: runs that stop at a width, by simulation."""

from __future__ import annotations

from typing import Annotated

import typer

from studies.width.stopped_runs import CELLS, measured, table

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def width(
    runs: Annotated[int, typer.Option(min=2, help="Runs of each cell.")] = 400,
    points: Annotated[float, typer.Option(min=0.5, help="Half the width of the interval, in points.")] = 5.0,
) -> None:
    """Print questions and coverage of runs that stop at a width, as a Markdown table."""
    typer.echo("\n".join(table([measured(cell, points, runs) for cell in CELLS], points)))


if __name__ == "__main__":
    app()
