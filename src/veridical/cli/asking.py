"""Verbs that ask models: run, status, demo."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.cli.common import JsonFlag, RunFolder, SuiteName, app, levels, pairs, show
from veridical.errors import IncompleteError, InputError

if TYPE_CHECKING:
    from veridical.runs import Plan
    from veridical.stimulus_set import StimulusSet
    from veridical.verbs import RunResult

Model = Annotated[str, typer.Option(help="PROVIDER/NAME, veridical/pixel, veridical/prior, or a server's own name.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--setting", "-S", metavar="NAME=LEVEL,…", help="Levels to cross: instruction=none,weigh …"),
]


@app.command()
def run(
    suite: SuiteName,
    model: Model,
    out: Annotated[Path, typer.Option(help="Run folder; the same command takes it up again.")],
    stimuli: Annotated[
        Path | None, typer.Option("--set", help="A stimulus set. Default: a quick one, made inside the run.")
    ] = None,
    limit: Annotated[int | None, typer.Option(help="So many whole units, evenly over the cases.")] = None,
    max_connections: Annotated[int, typer.Option(help="Pictures asked about at the same time.")] = 8,
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature. Default: the model's own.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Limit of a reply's length.")] = None,
    model_args: Annotated[list[str] | None, typer.Option("-M", metavar="KEY=VALUE", help="For the provider.")] = None,
    base_url: Annotated[str | None, typer.Option(help="An OpenAI-compatible server, such as vLLM's.")] = None,
    settings: Settings = None,
    prompts: Annotated[Path | None, typer.Option(help="Folder with other wordings for the suite's own.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Send without asking.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Ask a model. Exit code 1 if the run ends incomplete."""
    from veridical import verbs

    result = verbs.run(
        _set(suite, stimuli, out),
        model,
        out=out,
        limit=limit,
        max_connections=max_connections,
        temperature=temperature,
        max_tokens=max_tokens,
        model_args=pairs(model_args or []),
        base_url=base_url,
        settings=levels(settings or []),
        prompts=prompts,
        confirm=lambda plan: _confirmed(plan, yes=yes),
    )
    _summary(result, as_json=as_json)
    if not result.complete:
        raise IncompleteError(f"the run is incomplete: {result.counts}; the same command asks what is missing")


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
    from veridical import demonstration

    shown = demonstration.demo(out)
    if as_json:
        show(shown.facts)
        return
    for line in shown.lines:
        typer.echo(line)


def _set(suite: str, stimuli: Path | None, out: Path) -> StimulusSet:
    from veridical import sets, suites
    from veridical.terminal import bar

    chosen = suites.get(suite)
    if stimuli is not None:
        return sets.open_set(stimuli, chosen.name)
    recipe = "quick" if "quick" in chosen.recipes else next(iter(chosen.recipes))
    with bar("drawing units") as progress:
        return sets.make(chosen.name, out=out / "stimuli", recipe=recipe, progress=progress)


def _summary(result: RunResult, *, as_json: bool) -> None:
    counts = result.counts
    if as_json:
        facts = {"run": str(result.folder), "suite": result.suite.name, "model": result.model}
        show({**facts, "complete": result.complete, "counts": asdict(counts)})
        return
    typer.echo(f"{result.model} on {result.suite.name}, {'complete' if result.complete else 'incomplete'}: {counts}")


def _confirmed(plan: Plan, *, yes: bool) -> bool:
    typer.echo(str(plan), err=True)
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InputError("nothing was sent: give --yes to send without being asked")
    return typer.confirm("Send?", err=True)
