"""The command of this study."""

from __future__ import annotations

from typing import Annotated

import typer

from studies.rewards.attacks import attack, recipes, table

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def attacks(
    units: Annotated[int, typer.Option(min=2, help="Units of each family, of which half teach what learns.")] = 24,
) -> None:
    """Print what policies without sight earn by each training recipe, as a Markdown table."""
    typer.echo("\n".join(table([attack(source, units) for source in recipes()])))
