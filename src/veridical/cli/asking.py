"""Verbs that ask models, or tell what asking would take: run, plan, status, demo."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import typer

from veridical.cli.common import JsonFlag, RunFolder, SuiteName, app, listed, numbers, show
from veridical.cli.options import RunWords, options_of, takes_run_words
from veridical.cli.sets import Alphas, Cases, Levels, Size, Units, Variants
from veridical.errors import IncompleteError, InputError

if TYPE_CHECKING:
    from veridical.records import Json
    from veridical.stimulus_set import StimulusSet
    from veridical.suite import Suite
    from veridical.verbs import RunResult
    from veridical.verbs.run_options import Options
    from veridical.verbs.setup import Setup

Model = Annotated[str, typer.Option(help="PROVIDER/NAME, veridical/pixel, veridical/prior, or a server's own name.")]


@app.command()
@takes_run_words
def run(
    suite: SuiteName,
    model: Model,
    out: Annotated[Path, typer.Option(help="Run folder; the same command takes it up again.")],
    stimuli: Annotated[
        Path | None, typer.Option("--set", help="A stimulus set. Default: a quick one, made inside the run.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Send without asking.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the first three requests, and send nothing.")
    ] = False,
    as_json: JsonFlag = False,
    **words: Unpack[RunWords],
) -> None:
    """Ask a model. Exit code 1 if the run ends incomplete or at a limit."""
    from veridical import verbs

    options = options_of(words)
    if dry_run:
        _show_requests(_set(suite, stimuli, None), model, options, as_json=as_json)
        return
    result = verbs.run(
        _set(suite, stimuli, out), model, out=out, confirm=lambda setup: _confirmed(setup, yes=yes), **options
    )
    _summary(result, as_json=as_json)
    if result.cache_problem:
        typer.echo(f"note: {result.cache_problem}", err=True)
    if result.stopped:
        raise IncompleteError(f"the run stopped early: {result.stopped}; {result.counts}; the same command goes on")
    if not result.complete:
        raise IncompleteError(f"the run is incomplete: {result.counts}; the same command asks what is missing")


@app.command()
@takes_run_words
def plan(
    suite: SuiteName,
    model: Annotated[str | None, typer.Option(help="The model's name in the table of prices.")] = None,
    stimuli: Annotated[
        Path | None, typer.Option("--set", help="A stimulus set; else a design, by the options of `make`.")
    ] = None,
    recipe: Annotated[str | None, typer.Option(help="Named design. Default: that of `run` without a set.")] = None,
    cases: Cases = None,
    units: Units = None,
    levels: Levels = None,
    alphas: Alphas = None,
    size: Size = None,
    variants: Variants = None,
    image_tokens: Annotated[int | None, typer.Option(help="Tokens that a picture counts. Default: unknown.")] = None,
    output_tokens: Annotated[int | None, typer.Option(help="Tokens of a reply. Default: --max-tokens.")] = None,
    as_json: JsonFlag = False,
    **words: Unpack[RunWords],
) -> None:
    """Tell what a run would take and could find; nothing is asked."""
    from veridical.cli.terminal import bar
    from veridical.suite import registry
    from veridical.verbs import planning, sets

    design: dict[str, Any] = {
        "recipe": recipe,
        "cases": listed(cases),
        "units": units,
        "levels": levels,
        "alphas": numbers(alphas),
    }
    design |= {"size": size, "variants": listed(variants)}
    given = {name: value for name, value in design.items() if value is not None}
    if stimuli is not None and given:
        raise InputError(f"--set beside --{next(iter(given))}: a set that is there, or a design, is allowed")
    chosen = registry.get(suite)
    given = {"recipe": _usual_recipe(chosen), **given}
    place = sets.open_set(stimuli, chosen.name) if stimuli is not None else sets.design(chosen.name, **given)
    with bar("drawing a unit of each case") as progress:
        told = planning.plan(
            place, model, image_tokens=image_tokens, output_tokens=output_tokens, progress=progress, **options_of(words)
        )
    if as_json:
        show(asdict(told))
        return
    for line in told.lines():
        typer.echo(line)


@app.command()
def status(run: RunFolder, as_json: JsonFlag = False) -> None:
    """Print how far a run is."""
    from veridical import verbs

    _summary(verbs.open_run(run), as_json=as_json)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the set, the runs and the report.")] = Path("demo"),
    as_json: JsonFlag = False,
) -> None:
    """Show how looking and recalling differ, from set to report."""
    from veridical.cli.terminal import bar
    from veridical.suites.viprobe import demonstration

    with bar("observers") as progress:
        shown = demonstration.demo(out, progress)
    if as_json:
        show(shown.facts)
        return
    for line in shown.lines:
        typer.echo(line)


def _set(suite: str, stimuli: Path | None, out: Path | None) -> StimulusSet:
    """The set named, else a quick one, drawn inside the run `out`, or where it is gone when the command ends."""
    from veridical.cli.terminal import bar
    from veridical.suite import registry
    from veridical.verbs import sets

    chosen = registry.get(suite)
    if stimuli is not None:
        return sets.open_set(stimuli, chosen.name)
    with bar("drawing units") as progress:
        place = out / "stimuli" if out is not None else None
        return sets.make(chosen.name, out=place, recipe=_usual_recipe(chosen), progress=progress)


def _usual_recipe(suite: Suite) -> str:
    return "quick" if "quick" in suite.recipes else next(iter(suite.recipes))


def _show_requests(stimuli: StimulusSet, model: str, options: Options, *, as_json: bool) -> None:
    from veridical.verbs.rehearsal import dry_run

    requests = dry_run(stimuli, model, **options)
    if as_json:
        show([request.facts() for request in requests])
        return
    for request in requests:
        for line in request.lines():
            typer.echo(line)
        typer.echo("")
    typer.echo("nothing was sent")


def _summary(result: RunResult, *, as_json: bool) -> None:
    from veridical.ask import is_embedded
    from veridical.report import visible

    counts, spending = result.counts, result.spending()
    if as_json:
        facts: dict[str, Json] = {"run": str(result.folder), "suite": result.suite.name, "model": result.model}
        facts |= {"complete": result.complete, "stopped": result.stopped, "counts": asdict(counts)}
        show({**facts, "not_asked": result.not_asked, "spending": asdict(spending)})
        return
    lines = [f"{result.model} on {result.suite.name}, {'complete' if result.complete else 'incomplete'}: {counts}"]
    lines += [] if is_embedded(result.model) else [str(spending)]
    lines += [*(f"{number:,} {reason}" for reason, number in result.not_asked.items())]
    lines += [f"the latest start stopped early: {result.stopped}"] if result.stopped else []
    for line in lines:
        typer.echo(visible(line))


def _confirmed(setup: Setup, *, yes: bool) -> bool:
    typer.echo(str(setup), err=True)
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InputError("nothing was sent: give --yes to send without being asked")
    return typer.confirm("Send?", err=True)
