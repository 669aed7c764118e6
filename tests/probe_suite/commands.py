"""A command of the probe's own: `veridical probe palette`."""

import typer

app = typer.Typer(help="Commands of the probe.")


@app.callback()
def _group() -> None:
    """Commands of the probe."""


@app.command()
def palette() -> None:
    """List the colors of the tiles."""
    from tests.probe_suite.design import COLORS

    for name in COLORS:
        typer.echo(name)
