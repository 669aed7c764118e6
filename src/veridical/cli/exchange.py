"""Verbs for other runners: trials."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.cli.common import JsonFlag, Limit, Prompts, Settings, app, levels, show
from veridical.cli.options import AcceptErrors, RestsOn
from veridical.cli.places import a_run_or_set
from veridical.errors import InputError

if TYPE_CHECKING:
    from veridical.verbs.run_options import RunOptions


@app.command()
def trials(
    place: Annotated[
        Path,
        typer.Argument(metavar="PLACE", help="A stimulus set; for a later stage, a run folder.", callback=a_run_or_set),
    ],
    out: Annotated[Path, typer.Option(help="JSON Lines file, new or overwritten.")],
    stage: Annotated[str | None, typer.Option(help="Stage of the suite. Default: the first.")] = None,
    rests_on: RestsOn = None,
    accept_errors: AcceptErrors = False,
    batch: Annotated[
        bool,
        typer.Option(
            "--batch", help="Write the input of an OpenAI batch, with media inside; several files if one is too large."
        ),
    ] = False,
    model: Annotated[str | None, typer.Option(help="Name of the model in a batch.")] = None,
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature of a batch.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Maximum tokens of a reply in a batch.")] = None,
    settings: Settings = None,
    prompts: Prompts = None,
    limit: Limit = None,
    gold: Annotated[bool, typer.Option("--gold", help="Add the true answers.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write the trials that a run would ask. `veridical/replay` with `-M answers.STAGE=FILE` reads the replies."""
    sampled = {"model": model, "temperature": temperature, "max_tokens": max_tokens}
    _require_fitting(sampled, batch=batch, gold=gold)
    from veridical.verbs.exchange import export

    options: RunOptions = {"settings": levels(settings or []), "prompts": prompts, "limit": limit}
    options |= {"rests_on": rests_on, "accept_errors": accept_errors}
    written = export(place, out, stage=stage, gold=gold, batch=batch, sampled=sampled, options=options)
    sizes = {str(file): file.stat().st_size for file in written.files}
    if as_json:
        parts = [{"file": file, "bytes": size} for file, size in sizes.items()]
        several = {"files": parts} if len(parts) > 1 else {}
        show({"file": str(out), "trials": written.lines, "bytes": sum(sizes.values()), **several})
        return
    if len(sizes) == 1:
        typer.echo(f"{written.lines:,} trials in {out} ({sum(sizes.values()) / 1e6:.1f} MB)")
        return
    typer.echo(f"{written.lines:,} trials in {len(sizes):,} files, because one would exceed the size limit of a batch:")
    for file, size in sizes.items():
        typer.echo(f"  {file} ({size / 1e6:.1f} MB)")


def _require_fitting(sampled: Mapping[str, str | float | None], *, batch: bool, gold: bool) -> None:
    """Raises `InputError` for flags that do not go together, before anything is loaded."""
    named = [f"--{name.replace('_', '-')}" for name, value in sampled.items() if value is not None]
    if batch and not sampled["model"]:
        raise InputError("--batch needs --model NAME: a batch file names the model that is to answer")
    if batch and gold:
        raise InputError("--gold beside --batch: a batch file is sent to the model, so it holds no true answers")
    if named and not batch:
        raise InputError(f"{', '.join(named)} without --batch: only a batch file names the model and its sampling")
