"""Verbs over all suites: evaluate, profile."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.common import (
    JsonFlag,
    a_file,
    a_folder_to_be,
    app,
    comma_list,
    levels,
    print_wrapped,
    show,
    something,
)
from veridical.cli.figure_exports import form_of, tell_export
from veridical.cli.options import options_of, takes
from veridical.errors import IncompleteError, InputError

if TYPE_CHECKING:
    from veridical.report.profiles import Profile
    from veridical.verbs.evaluation.choices import Choices
    from veridical.verbs.evaluation.evaluate import Evaluation
    from veridical.verbs.evaluation.outlook import Outlook


@app.command()
@takes(
    *("base_url", "judge", "roles", "models", "model_args", "served", "limit"),
    *("temperature", "max_tokens", "top_p", "top_k", "reasoning_effort", "reasoning_tokens", "self_judge"),
    *("logprobs", "top_logprobs", "forced_answer"),
    *("max_connections", "max_requests", "attempt_timeout", "stop_after", "budget_tokens", "budget_usd", "prices"),
    *("time_limit", "cache", "retry", "skip_unsupported", "workers", "cluster", "gpus_per_model"),
)
def evaluate(
    choices: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="An evaluate.toml, which is done again.", callback=something),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="M",
            help="Model under test, as for `run`; several, each with its --model. Default: all tables of --models.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the evaluation. The same command goes on.", callback=a_folder_to_be),
    ] = None,
    suites: Annotated[str | None, typer.Option(metavar="NAME,…", help="Suites to ask. Default: all.")] = None,
    recipe: Annotated[str | None, typer.Option(help="quick, standard or full. Default: quick.")] = None,
    set_seed: Annotated[
        int | None, typer.Option(help="Seed of the sets. Default: 0, that of the standard sets.")
    ] = None,
    private_seed: Annotated[
        bool, typer.Option("--private-seed", help="Ask about as many units of a secret seed, too: is the set recalled?")
    ] = False,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--setting", "-S", metavar="SUITE.NAME=LEVEL,…", help="Levels of a suite's setting, as for `run`."
        ),
    ] = None,
    rate: Annotated[
        float | None, typer.Option(help="Questions that the model answers per second, for the plan.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Send without confirmation.")] = False,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Ask a model in all suites, and join the findings on one page.

    Does it perceive, recall, believe, reason? Exit code 1 if replies are missing or a limit was reached; the page is
    written and says what is missing.
    """
    from veridical.verbs.evaluation.evaluate import evaluate_choices

    stated: dict[str, Any] = {"models": model, "suites": comma_list(suites), "recipe": recipe, "seed": set_seed}
    stated |= {"private_seed": private_seed or None, "settings": _by_suite(setting or []) or None}
    wanted = _wanted(choices, stated, words)
    place = out if out is not None else _usual_place(choices, wanted)
    result = evaluate_choices(
        wanted,
        place,
        rate=rate,
        confirm=lambda outlooks: _confirm(outlooks, yes=yes),
        drawn=_drawing,
        committed=lambda commitment: typer.echo(f"commitment to the private seed: {commitment}", err=True),
    )
    _ended(result, as_json=as_json)


def _wanted(file: Path | None, stated: dict[str, Any], words: dict[str, Any]) -> Choices:
    """The choices of a file, or those that the words state; raises `InputError` where both state something."""
    from veridical.verbs.evaluation.choices import choices_from, read_choices, stated_options

    asking = stated_options(options_of(words))
    if file is None:
        if not stated["models"]:
            stated["models"] = _all_tables(asking)
        return choices_from({**stated, "asking": asking})
    given = [name for name, value in stated.items() if value is not None] + list(asking)
    if given:
        raise InputError(f"{file} states what is asked: leave out --{given[0].replace('_', '-')}, or change the file")
    return read_choices(file)


def _by_suite(texts: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """SUITE.NAME=LEVEL,LEVEL settings by suite."""
    by_suite: dict[str, dict[str, list[str]]] = {}
    for name, chosen_levels in levels(texts).items():
        suite, dot, setting = name.partition(".")
        if not dot or not setting:
            raise InputError(f"-S '{name}': SUITE.NAME=LEVEL,LEVEL is allowed")
        by_suite.setdefault(suite, {})[setting] = chosen_levels
    return by_suite


def _all_tables(asking: dict[str, Any]) -> list[str]:
    """The models of the file of models, without those that are named in a role."""
    from veridical.verbs.runs.models import read_tables

    if not asking.get("models"):
        raise InputError("no model is named: give --model M, or --models FILE")
    others = {asking.get("judge"), *(asking.get("roles") or {}).values()}
    return [name for name in read_tables(Path(asking["models"])) if name not in others]


def _usual_place(file: Path | None, choices: Choices) -> Path:
    """The folder of the file, else one that is named like the first model."""
    from veridical.verbs.evaluation.choices import FILE
    from veridical.verbs.runs.model_runs import folder_of

    if file is not None:
        return file if file.is_dir() else file.parent if file.name == FILE else file.with_suffix("")
    return folder_of(Path(), choices.models[0])


def _drawing(short: str) -> Callable[[int, int], None]:
    """What tells, in a line that is written over on a terminal, how far the drawing of a suite's set is."""
    live = sys.stderr.isatty()

    def told(done: int, total: int) -> None:
        if live:
            typer.echo(
                f"\r{short}: {done:,} of {total:,} units drawn" + ("\n" if done == total else ""), err=True, nl=False
            )
        elif done == total:
            typer.echo(f"{short}: {total:,} units drawn", err=True)

    return told


def _confirm(outlooks: Sequence[Outlook], *, yes: bool) -> bool:
    """Shows what is to be sent, and asks; raises `InputError` if there is no terminal to ask on."""
    for outlook in outlooks:
        for line in outlook.lines():
            typer.echo(line, err=True)
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InputError("nothing was sent: give --yes to send without confirmation")
    return typer.confirm("Send?", err=True)


def _ended(result: Evaluation, *, as_json: bool) -> None:
    """Writes the page and prints the profile; raises `IncompleteError` where something is missing."""
    again = "the same command asks what is missing"
    if result.interrupted:
        raise IncompleteError(f"stopped; {again}")
    page = result.write_page()
    _print(result.profile(), as_json=as_json)
    if not as_json:
        typer.echo(f"Page: {page}")
    if result.problems and len(result.problems) == len(result.choices.models) * len(result.choices.suites):
        raise InputError(f"nothing can be asked: {next(iter(result.problems.values()))}")
    if not result.complete:
        raise IncompleteError(f"the evaluation is incomplete: {again}")


def _print(profile: Profile, *, as_json: bool) -> None:
    from veridical.base.format import visible

    if as_json:
        show(profile.facts())
        return
    for line in profile.text():
        print_wrapped(visible(line), len(line) - len(line.lstrip()) + 2)
    for suite, facts in profile.sets.items():
        if words := facts.get("standard"):
            print_wrapped(f"{suite}: {words}", 2)


@app.command()
def profile(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="Run folders, or folders of evaluations.", callback=something),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Page to write; of --export, the file. Default: none, the profile is printed."),
    ] = None,
    export: Annotated[
        str | None,
        typer.Option(metavar="FORM", help="In place of the page: csv, json, markdown or latex."),
    ] = None,
    models: Annotated[Path | None, typer.Option(help="TOML file with facts about models.", callback=a_file)] = None,
    as_json: JsonFlag = False,
) -> None:
    """Join what runs of any suites found, question by question."""
    from veridical.base.files import write_whole
    from veridical.report.profiles import profile_text, write_profile
    from veridical.verbs.evaluation.profile import profile as joined

    if export is not None:
        form = form_of(export, out, as_json=as_json)
        text = profile_text(joined(runs, models=models), form)
        if out is not None:
            write_whole(out, text.encode(errors="backslashreplace"))
        tell_export(text, out, as_json=as_json)
        return
    found = joined(runs, models=models, beside=None if out is None else out.parent)
    _print(found, as_json=as_json)
    if out is None:
        return
    page = write_profile(found, out)
    if not as_json:
        typer.echo(f"Page: {page}")
