"""Verbs that ask models or plan to, and on their runs: run, plan, merge, status, repair, pack, judge."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.base.shards import shard_folder
from veridical.base.workers import drawing_workers
from veridical.cli.common import JsonFlag, RunFolder, a_folder_to_be, a_run, a_set, app, bar, print_wrapped, show, tell
from veridical.cli.live_flags import LiveFlag, LivePort, run_page
from veridical.cli.options import options_of, takes
from veridical.cli.remote_words import Mirror
from veridical.cli.set_words import SetWords
from veridical.cli.suite_verbs import takes_suite
from veridical.cli.summary import confirm_sending, ended_run, ended_runs, summary
from veridical.cli.tracker_flag import LogTo, trackers_of
from veridical.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from veridical.base.run_options import RunOptions
    from veridical.records import Json
    from veridical.stimulus_set import StimulusSet
    from veridical.suite.record import Suite
    from veridical.verbs.sets import SetDesign


def _usual_recipe(suite: Suite) -> str:
    """The recipe of a set that is drawn for a single run or plan."""
    return "quick" if "quick" in suite.recipes else next(iter(suite.recipes))


@takes_suite(_usual_recipe, asks=True)
def run(
    suite: str,
    out: Annotated[Path, typer.Option(help="Run folder. The same command resumes the run.", callback=a_folder_to_be)],
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="M",
            help="Model under test: PROVIDER/NAME, one of --models or of `veridical models`, or a server's own name. "
            "Several, each with its --model, get a run folder each inside --out.",
        ),
    ] = None,
    stimuli: Annotated[
        Path | None,
        typer.Option("--set", help="Stimulus set. Default: a quick one, drawn inside the run folder.", callback=a_set),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="HARNESS",
            help="Harness whose result file `-M answers=FILE` is: inspect, lmms-eval, vlmevalkit. Nothing is sent.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Send without confirmation.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the first three requests and send nothing.")] = False,
    mirror: Mirror = None,  # noqa: ARG001 (`takes_urls` opens it around the verb)
    log_to: LogTo = None,
    live: LiveFlag = False,
    live_port: LivePort = None,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Ask a model, and models in other roles. Exit code 1 if replies are missing or a limit was reached."""
    options, names = options_of(words), model or []
    out = shard_folder(out, options.get("shard")) if len(names) < 2 else out
    if source is not None:
        names = _replaying(source, names, options)
    from veridical import verbs
    from veridical.verbs.runs.run import require_askable

    if dry_run:
        _show_requests(_set(suite, stimuli, None, options), names, options, as_json=as_json)
        return
    require_askable(suite, names, out, options)
    trackers = trackers_of(log_to)
    several, result = None, None
    with run_page(suite, out, names, options.get("shard"), live=live, port=live_port) as page:
        whole = _place(suite, stimuli, out, options)
        if len(names) > 1:
            agree = partial(confirm_sending, yes=yes)
            several = verbs.run_models(whole, names, out=out, confirm=agree, live=page, **options)
        else:
            name = names[0] if names else None
            result = verbs.run(
                whole, name, out=out, confirm=lambda setup: confirm_sending([setup], yes=yes), live=page, **options
            )
    if several is not None:
        ended_runs(several, trackers, as_json=as_json)
    if result is not None:
        ended_run(result, trackers, as_json=as_json)


def _replaying(source: str, names: list[str], options: RunOptions) -> list[str]:
    """The embedded model that reads the result file of a harness, after its arguments have the harness."""
    from veridical.observers.replay import NAME, SOURCE

    if names not in ([], [NAME]):
        raise InputError(f"--from beside --model {names[0]}: the replies are those of the file; leave out --model")
    options["model_args"] = {**(options.get("model_args") or {}), SOURCE: source}
    return [NAME]


@takes_suite(_usual_recipe, asks=True)
def plan(
    suite: str,
    chosen: SetWords,
    model: Annotated[str | None, typer.Option(help="Name of the model in the table of prices.")] = None,
    stimuli: Annotated[
        Path | None,
        typer.Option(
            "--set", help="Stimulus set. Default: the set that `make` with these options draws.", callback=a_set
        ),
    ] = None,
    image_tokens: Annotated[int | None, typer.Option(help="Tokens per picture. Default: unknown.")] = None,
    output_tokens: Annotated[int | None, typer.Option(help="Tokens per reply. Default: --max-tokens.")] = None,
    correlation: Annotated[
        float, typer.Option(help="Correlation of outcomes within a unit; 0.5 is shown as well.")
    ] = 0.2,
    rate: Annotated[float | None, typer.Option(help="Questions that the model answers per second.")] = None,
    rate_of: Annotated[
        Path | None, typer.Option(help="Earlier run of the model, whose rate is taken.", callback=a_run)
    ] = None,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Estimate cost and statistical power without sending requests."""
    options = options_of(words)
    from veridical.suite import registry
    from veridical.verbs import sets
    from veridical.verbs.plans.plan import plan as planned

    stated = {name: value for name, value in chosen.items() if value is not None}
    if stimuli is not None and stated:
        raise InputError(f"--set and --{next(iter(stated))} exclude each other: name a set, or the options of a design")
    chosen_suite = registry.get(suite)
    usual = _design_in_rounds(chosen_suite, options) or {"recipe": _usual_recipe(chosen_suite)}
    stated = {**usual, **stated}
    place = sets.open_set(stimuli, chosen_suite.name) if stimuli is not None else sets.design(suite, **stated)
    with bar("drawing a unit of each family") as progress:
        forecast = planned(
            place,
            model,
            image_tokens=image_tokens,
            output_tokens=output_tokens,
            correlation=correlation,
            rate=rate,
            rate_of=rate_of,
            progress=progress,
            **options,
        )
    if as_json:
        show({**asdict(forecast), "seconds": forecast.seconds})
        return
    for line in forecast.lines():
        print_wrapped(line, len(line) - len(line.lstrip()) + 2)


@app.command()
def merge(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="The run folders of all shards.", callback=a_run)],
    out: Annotated[Path, typer.Option(help="Folder of the merged run.", callback=a_folder_to_be)],
    as_json: JsonFlag = False,
) -> None:
    """Join the runs of all shards into one run. Nothing is sent."""
    from veridical import verbs
    from veridical.verbs.runs.merge import left_out

    result = verbs.merge(runs, out=out)
    summary(result, as_json=as_json)
    for line in left_out(result):
        typer.echo(f"note: {line}", err=True)


@app.command()
def status(run: RunFolder, as_json: JsonFlag = False) -> None:
    """Print how many trials are planned, asked, and in each status."""
    from veridical import verbs

    result = verbs.open_run(run)
    summary(result, as_json=as_json)
    result.store_status()


@app.command()
def repair(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder, or a set with derived media.")],
    as_json: JsonFlag = False,
) -> None:
    """Mend or set aside what is damaged in a run. Nothing is sent."""
    from veridical import verbs
    from veridical.base.format import visible

    repairs = verbs.repair_run(run)
    lines = [visible(line) for each in repairs for line in each.report_lines()]
    facts = [{**asdict(each), "file": str(each.file)} for each in repairs]
    tell(facts, lines if repairs else [f"nothing is damaged in {run}"], as_json=as_json)


@app.command()
def pack(run: RunFolder, as_json: JsonFlag = False) -> None:
    """Compress the stored replies of a run. Every verb reads them as before."""
    from veridical import verbs

    packed = verbs.pack(run)
    lines = [f"{each.file}: {each.before / 1e6:.1f} MB before, {each.after / 1e6:.1f} MB now" for each in packed]
    facts = [{"file": str(each.file), "before": each.before, "after": each.after} for each in packed]
    tell(facts, lines or [f"the replies of {run} are packed already"], as_json=as_json)


def _place(suite: str, stimuli: Path | None, out: Path, options: RunOptions) -> StimulusSet | SetDesign:
    """The set of a run or, where it asks in rounds and no set is named, the design of one."""
    from veridical.suite import registry
    from veridical.verbs import sets

    chosen = registry.get(suite)
    values = None if stimuli is not None else _design_in_rounds(chosen, options)
    return _set(suite, stimuli, out, options) if values is None else sets.design(chosen.name, **values)


def _design_in_rounds(suite: Suite, options: RunOptions) -> Mapping[str, Json] | None:
    """The options of the design whose units a run in rounds draws; `None` for a run that draws none in rounds."""
    from veridical.suite.sequential import SequentialPart
    from veridical.verbs.runs.question_rounds import goal_of

    goal = goal_of(suite, options)
    return goal.values if isinstance(goal, SequentialPart) else None


def _set(suite: str, stimuli: Path | None, out: Path | None, options: RunOptions) -> StimulusSet:
    """The named set, else a quick one: drawn inside the run `out`, or in a temporary folder."""
    from veridical.suite import registry
    from veridical.verbs import sets

    chosen = registry.get(suite)
    if stimuli is not None:
        return sets.open_set(stimuli, chosen.name)
    with bar("drawing units") as progress:
        place = out / "stimuli" if out is not None else None
        how = drawing_workers(options)
        return sets.make(chosen.name, out=place, recipe=_usual_recipe(chosen), progress=progress, **how)


def _show_requests(stimuli: StimulusSet, models: list[str], options: RunOptions, *, as_json: bool) -> None:
    from veridical.verbs.plans.rehearsal import dry_run
    from veridical.verbs.sets import record_of

    wanted: list[str | None] = [*models] if models else [None]
    requests = [each for name in wanted for each in dry_run(stimuli, name, **options)]
    lines = [line for request in requests for line in [*request.lines(), ""]]
    later = record_of(stimuli).asking.ordered[1:]
    if later:
        names = ", ".join(f"{stage.name} ({stage.role})" for stage in later)
        lines += [f"these requests are of the first stage; later stages: {names}"]
    tell([request.facts() for request in requests], [*lines, "nothing was sent"], as_json=as_json)


@app.command()
@takes(
    *("judge", "roles", "models", "settings", "preset", "model_args", "rests_on", "accept_errors", "self_judge"),
    *("max_connections", "budget_tokens", "budget_usd", "prices", "time_limit", "cache", "retry", "workers", "cluster"),
    "gpus_per_model",
)
def judge(
    run: RunFolder,
    stimuli: Annotated[
        Path | None, typer.Option("--set", help="Stimulus set, if it was moved.", callback=a_set)
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Send without asking for confirmation.")] = False,
    log_to: LogTo = None,
    live: LiveFlag = False,
    live_port: LivePort = None,
    as_json: JsonFlag = False,
    **words: Any,  # noqa: ANN401
) -> None:
    """Ask the later stages of a run, such as a judge."""
    from veridical import verbs

    options, trackers = options_of(words), trackers_of(log_to)
    suite = verbs.open_run(run).suite.name
    with run_page(suite, run, [], None, live=live, port=live_port) as page:
        result = verbs.judge(
            run, stimuli=stimuli, confirm=lambda setup: confirm_sending([setup], yes=yes), live=page, **options
        )
    ended_run(result, trackers, as_json=as_json)
