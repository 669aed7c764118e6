"""The verb that asks the later stages of a run: judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.cli.common import JsonFlag, RunFolder, Settings, app, levels, pairs
from veridical.cli.options import AcceptErrors, Judge, ModelsFile, RestsOn, Roles, SelfJudge, roles, seconds
from veridical.cli.places import a_file, a_set
from veridical.cli.summary import confirmed, ended_run

if TYPE_CHECKING:
    from veridical.verbs.run_options import RunOptions


@app.command()
def judge(
    run: RunFolder,
    judge: Judge = None,
    role: Roles = None,
    models: ModelsFile = None,
    stimuli: Annotated[
        Path | None, typer.Option("--set", help="Stimulus set, if it was moved.", callback=a_set)
    ] = None,
    settings: Settings = None,
    preset: Annotated[str | None, typer.Option(help="Published way of asking, with its judge.")] = None,
    model_args: Annotated[
        list[str] | None, typer.Option("-M", metavar="KEY.STAGE=VALUE", help="Argument for a provider in one stage.")
    ] = None,
    rests_on: RestsOn = None,
    accept_errors: AcceptErrors = False,
    self_judge: SelfJudge = False,
    max_connections: Annotated[
        int | None, typer.Option(help="Number of stimuli in flight at the same time. Default: 8.")
    ] = None,
    budget_tokens: Annotated[int | None, typer.Option(help="Stop at this number of tokens of the whole run.")] = None,
    budget_usd: Annotated[float | None, typer.Option(help="Stop at this cost of the whole run, in US dollars.")] = None,
    prices: Annotated[
        Path | None, typer.Option(help="US dollars per million tokens, by model: TOML or CSV.", callback=a_file)
    ] = None,
    time_limit: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop after a time: 90, 90s, 45m or 2h.")
    ] = None,
    cache: Annotated[Path | None, typer.Option(help="Folder of replies shared by runs.")] = None,
    retry: Annotated[
        str | None, typer.Option(metavar="STATUS,…", help="Also resend trials with these statuses.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Send without asking for confirmation.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Ask the later stages of a run, such as a judge."""
    from veridical import verbs

    options: RunOptions = {
        "judge": judge,
        "preset": preset,
        "roles": roles(role or []),
        "models": models,
        "model_args": pairs(model_args or []),
        "rests_on": rests_on,
        "accept_errors": accept_errors,
        "self_judge": self_judge,
        "max_connections": max_connections,
        "budget_tokens": budget_tokens,
        "budget_usd": budget_usd,
        "prices": prices,
        "time_limit": seconds(time_limit),
        "cache": cache,
        "retry": retry,
    }
    if settings:
        options["settings"] = levels(settings)
    result = verbs.judge(run, stimuli=stimuli, confirm=lambda setup: confirmed([setup], yes=yes), **options)
    ended_run(result, as_json=as_json)
