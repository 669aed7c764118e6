"""Verbs for people with a runner of their own: trials."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.common import JsonFlag, SetFolder, app, levels, show


@app.command()
def trials(
    stimuli: SetFolder,
    out: Annotated[Path, typer.Option(help="The file of JSON lines, new or written over.")],
    batch: Annotated[
        bool, typer.Option("--batch", help="Write the input of an OpenAI batch, pictures inside.")
    ] = False,
    model: Annotated[str | None, typer.Option(help="The model that a batch names.")] = None,
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature of a batch.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Limit of a reply's length in a batch.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--setting", "-S", metavar="NAME=LEVEL,…", help="Levels to cross: instruction=none,weigh …"),
    ] = None,
    prompts: Annotated[Path | None, typer.Option(help="Folder with other wordings for the suite's own.")] = None,
    limit: Annotated[int | None, typer.Option(help="So many whole units, evenly over the cases.")] = None,
    gold: Annotated[bool, typer.Option("--gold", help="Add the true answers.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write what a run would ask. Replies come back by `run --model veridical/replay -M answers=FILE`."""
    from veridical import verbs

    count = verbs.write_trials(
        stimuli,
        out,
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
