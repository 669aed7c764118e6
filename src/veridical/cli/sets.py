"""Verbs on stimulus sets: make, check, describe, gallery, suites."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.common import JsonFlag, SetFolder, SuiteName, app, listed, numbers, show

Out = Annotated[Path, typer.Option(help="Folder for the stimulus set, new or empty.")]
RecipeName = Annotated[str, typer.Option(help="Named design: balanced, paper, quick; `suites` tells them.")]
Cases = Annotated[str | None, typer.Option(help="Cases or groups of them, comma-separated. Default: all classic ones.")]
Units = Annotated[int | None, typer.Option(help="Base items per case. Default: the recipe's.")]
Levels = Annotated[int | None, typer.Option(help="Signed strengths of the change, an even number.")]
Alphas = Annotated[str | None, typer.Option(help="Strengths by hand instead, comma-separated, in [-1, 1].")]
Size = Annotated[int | None, typer.Option(help="Longer side of the pictures, px: 64 to 4096.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same pixels.")]
Variants = Annotated[str | None, typer.Option(help="Picture types, comma-separated. Default: the recipe's.")]


@app.command()
def make(
    suite: SuiteName,
    out: Out,
    recipe: RecipeName = "balanced",
    cases: Cases = None,
    units: Units = None,
    levels: Levels = None,
    alphas: Alphas = None,
    size: Size = None,
    seed: Seed = 0,
    variants: Variants = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw a stimulus set. Stopped, the same command goes on."""
    from veridical.cli.terminal import bar
    from veridical.verbs import sets

    with bar("drawing units") as progress:
        made = sets.make(
            suite,
            out=out,
            recipe=recipe,
            cases=listed(cases),
            units=units,
            levels=levels,
            alphas=numbers(alphas),
            size=size,
            seed=seed,
            variants=listed(variants),
            progress=progress,
        )
    if as_json:
        show({"set": str(made.folder), "stimuli": len(made), "counts": made.manifest["counts"]})
        return
    typer.echo(f"{len(made):,} stimuli in {made.folder}")


@app.command()
def check(stimuli: SetFolder, as_json: JsonFlag = False) -> None:
    """Measure and hash every picture of a set again. Exit code 2 if anything is wrong."""
    from veridical.cli.terminal import bar
    from veridical.verbs import sets

    with bar("measuring pictures") as progress:
        found = sets.check(stimuli, progress=progress)
    if as_json:
        show(asdict(found))
    else:
        for failure in found.failed:
            typer.echo(f"{failure['id']}: {failure['problem']}")
        typer.echo(f"{found.stimuli:,} stimuli, {found.verified:,} verified, {len(found.failed):,} failed")
    if found.failed:
        raise typer.Exit(2)


@app.command()
def describe(stimuli: SetFolder, as_json: JsonFlag = False) -> None:
    """Count what a set holds, and write it into its data set card."""
    from veridical.stimulus_set.describe import lines
    from veridical.verbs import sets

    facts = sets.describe(stimuli)
    if as_json:
        show(facts)
        return
    for line in lines(facts):
        typer.echo(line)


@app.command()
def gallery(
    out: Annotated[Path, typer.Option(help="Folder for the page and its pictures.")], as_json: JsonFlag = False
) -> None:
    """Draw every case in every picture type on one page."""
    from veridical.suites.viprobe.gallery.gallery import write_gallery

    page = write_gallery(out)
    if as_json:
        show({"gallery": str(page)})
        return
    typer.echo(str(page))


@app.command()
def models(as_json: JsonFlag = False) -> None:
    """List the observers that come with the library."""
    from veridical.observers import OBSERVERS

    if as_json:
        show({f"veridical/{name}": line for name, line in OBSERVERS.items()})
        return
    widest = max(map(len, OBSERVERS))
    for name, line in OBSERVERS.items():
        typer.echo(f"veridical/{name:<{widest}}  {line}")


@app.command()
def suites(as_json: JsonFlag = False) -> None:
    """List the suites with their recipes, settings and cases."""
    from veridical.suite import registry

    known = [registry.get(name) for name in registry.names()]
    if as_json:
        show(
            [
                {
                    "name": suite.name,
                    "title": suite.title,
                    "citation": suite.citation,
                    "recipes": {name: asdict(recipe) for name, recipe in suite.recipes.items()},
                    "settings": {name: list(levels) for name, levels in suite.settings.items()},
                    "cases": list(suite.families),
                }
                for suite in known
            ]
        )
        return
    for suite in known:
        typer.echo(f"{suite.name}: {suite.title} ({suite.citation})")
        for name, recipe in suite.recipes.items():
            typer.echo(f"  recipe {name}: {recipe.units} units, {recipe.levels} strengths. {recipe.note}".rstrip())
        for name, levels in suite.settings.items():
            typer.echo(f"  setting {name}: {', '.join(levels)}")
        typer.echo("  cases: " + ", ".join(suite.families))
