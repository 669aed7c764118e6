"""The command of this study."""

from __future__ import annotations

from typing import Annotated

import typer

from studies.rewards.attacks import attack, recipes, table
from veridical.rewards.parts import units_in_turn

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def attacks(
    units: Annotated[int, typer.Option(min=2, help="Units of each family, of which half teach what learns.")] = 24,
    least: Annotated[int, typer.Option(min=2, help="Units of a suite, where this is more.")] = 240,
    replies: Annotated[int, typer.Option(min=0, help="Replies of the readers' corpora that are tried.")] = 300,
    classified: Annotated[int, typer.Option(min=0, help="Prompts that the classifier of words learns.")] = 600,
    recipe: Annotated[list[str] | None, typer.Option(help="Only these recipes, as SUITE/NAME.")] = None,
) -> None:
    """Print what policies without sight earn by each training recipe, as a Markdown table."""
    chosen = [each for each in recipes() if not recipe or f"{each.suite}/{each.recipe}" in recipe]
    results = []
    for source in chosen:
        families = len({family for family, _ in units_in_turn(source, 1, (), None)})
        results.append(attack(source, max(units, -(-least // families)), replies, classified))
    typer.echo("\n".join(table(results)))
