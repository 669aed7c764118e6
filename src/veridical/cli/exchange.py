"""Verbs for people with a runner of their own: trials."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.common import JsonFlag, Limit, Prompts, Settings, app, levels, show
from veridical.cli.options import AcceptErrors, RestsOn


@app.command()
def trials(
    place: Annotated[Path, typer.Argument(metavar="PLACE", help="A stimulus set; for a later stage, a run folder.")],
    out: Annotated[Path, typer.Option(help="JSON Lines file, new or overwritten.")],
    stage: Annotated[str | None, typer.Option(help="Stage of the suite. Default: the first.")] = None,
    rests_on: RestsOn = None,
    accept_errors: AcceptErrors = False,
    batch: Annotated[
        bool, typer.Option("--batch", help="Write the input of an OpenAI batch, with media inside.")
    ] = False,
    model: Annotated[str | None, typer.Option(help="The model that a batch names.")] = None,
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature of a batch.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Maximum tokens of a reply in a batch.")] = None,
    settings: Settings = None,
    prompts: Prompts = None,
    limit: Limit = None,
    gold: Annotated[bool, typer.Option("--gold", help="Add the true answers.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write the trials that a run would ask. `-M answers.STAGE=FILE` with `veridical/replay` reads the replies."""
    from veridical import verbs

    count = verbs.write_trials(
        place,
        out,
        stage=stage,
        rests_on=rests_on,
        accept_errors=accept_errors,
        settings=levels(settings or []),
        prompts=prompts,
        limit=limit,
        gold=gold,
        batch=batch,
        model=model,
        temperature=temperature,
        max_tokens=max_tokens,
    )
    size = out.stat().st_size
    if as_json:
        show({"file": str(out), "trials": count, "bytes": size})
        return
    typer.echo(f"{count:,} trials in {out} ({size / 1e6:.1f} MB)")
