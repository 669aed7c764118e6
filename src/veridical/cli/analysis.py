"""Verbs that analyze runs: metrics, report, compare, rescore."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from veridical.base.path_checks import require_run
from veridical.cli.common import (
    JsonFlag,
    RunFolder,
    a_file,
    a_run,
    a_set,
    app,
    estimate_json,
    print_warnings,
    run_letters,
    show,
    something,
    tell,
)
from veridical.cli.figure_exports import form_of, tell_export
from veridical.cli.tracker_flag import LogTo, log_runs, require_logged, trackers_of
from veridical.errors import InputError

if TYPE_CHECKING:
    from veridical.records import Estimate, Json
    from veridical.verbs.results.comparison import Comparison

Reader = Annotated[str | None, typer.Option(help="Read the replies with this reader of the suite.")]
Models = Annotated[
    Path | None, typer.Option(help="TOML file with facts about models: group, size, thinking, …", callback=a_file)
]


FailIf = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CONDITION",
        help="Exit code 1 if it holds: 'METRIC<0.8' or 'METRIC[COLUMN=VALUE]<0.5'; low(METRIC) and high(METRIC) ask "
        "its interval, every(METRIC) each repeat.",
    ),
]


@app.command()
def metrics(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    fail_if: FailIf = None,
    models: Models = None,
    reader: Reader = None,
    as_json: JsonFlag = False,
) -> None:
    """Print a run's estimates with their intervals and counts."""
    if not fail_if:  # an invalid condition is reported before a missing run
        require_run(run)
    from veridical import verbs
    from veridical.cli.terminal import estimates_tables
    from veridical.verbs.results.conditions import conditions, failures, require_known

    wanted = conditions(fail_if or [])
    result = verbs.open_run(run)
    roster = verbs.roster_of(models, [result])
    about = roster.of(result.model) if roster else None
    estimates = result.estimates(reader)
    require_known(wanted, estimates, result.suite.analysis.measures)
    if as_json:
        stated = {"about": about.facts()} if about else {}
        show([estimate_json(each) | stated for each in estimates])
    else:
        estimates_tables(result, estimates, about, reader)
    print_warnings(result.warnings(reader))
    _fail_with(failures(wanted, estimates, partial(result.estimates_by_repeat, reader)))


def _fail_with(lines: list[str]) -> None:
    """Prints which conditions hold, and ends with exit code 1 if any does."""
    for line in lines:
        typer.echo(f"veridical: {' '.join(line.split())}", err=True)
    if lines:
        raise typer.Exit(1)


@app.command()
def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN", help="Run folders, of one suite or of several: each suite has its part.", callback=a_run
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="File to write. Default: report.html in the first run; of --export: standard output."),
    ] = None,
    export: Annotated[
        str | None,
        typer.Option(
            metavar="FORM",
            help="Print the figures in place of the page: csv and json have all, markdown and latex the main ones.",
        ),
    ] = None,
    items: Annotated[int, typer.Option(help="Maximum number of stimuli in the item browser, in whole units.")] = 220,
    assets: Annotated[Path | None, typer.Option(help="Folder for all media, beside the page.")] = None,
    stimuli: Annotated[
        Path | None, typer.Option("--set", help="Stimulus set, if it has moved.", callback=a_set)
    ] = None,
    models: Models = None,
    trained_on: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="EXPORT",
            help="Training export of the model; repeatable. Shows what was held out.",
            callback=something,
        ),
    ] = None,
    published: Annotated[bool, typer.Option("--published", help="Show published results beside the runs.")] = False,
    log_to: LogTo = None,
    as_json: JsonFlag = False,
) -> None:
    """Write one HTML page with tables and figures, or export them."""
    from veridical import verbs
    from veridical.verbs.results.report import media_beside

    if export is not None and log_to:
        raise InputError("--export and --log-to exclude each other: trackers get the page and all estimates")
    trackers = trackers_of(log_to)
    if export is not None:
        _export(runs, export, out, models, as_json=as_json)
        return
    opened = [verbs.open_run(each) for each in runs]
    page = verbs.write_report(
        opened,
        out,
        items=items,
        assets=assets,
        stimuli=stimuli,
        models=models,
        trained_on=trained_on or (),
        published=published,
    )
    size = page.stat().st_size
    lines = [f"{page} ({size / 1e6:.1f} MB)"]
    beside = media_beside(page)
    if f"{quote(beside.name)}/".encode() in page.read_bytes():
        lines.append(f"the page has no room for its media: they are in {beside}, which goes with it")
    if len({each.suite.name for each in opened}) > 1:
        lines.append("`veridical profile` joins what several suites found on one page, question by question")
    tell({"report": str(page), "bytes": size}, lines, as_json=as_json)
    print_warnings(line for each in opened for line in each.warnings())
    require_logged(log_runs(opened, page, trackers))


def _export(runs: list[Path], form: str, out: Path | None, models: Path | None, *, as_json: bool) -> None:
    """Prints or writes the figures of runs; warnings of missing answers go to standard error."""
    from veridical import verbs

    known = form_of(form, out, as_json=as_json)
    opened = [verbs.open_run(each) for each in runs]
    tell_export(verbs.export(opened, known, out, models=models), out, as_json=as_json)
    print_warnings(line for each in opened for line in each.warnings())


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="Run folder of the baseline.", callback=a_run)],
    others: Annotated[list[Path], typer.Argument(metavar="B", help="Run folders to compare with it.", callback=a_run)],
    fail_if: FailIf = None,
    as_json: JsonFlag = False,
) -> None:
    """Print paired differences of runs from a baseline, B − A."""
    from veridical import verbs
    from veridical.cli.terminal import differences_table
    from veridical.verbs.results.conditions import HIGH, LOW, VALUE, conditions, failures, require_known

    wanted = conditions(fail_if or [], (VALUE, LOW, HIGH))
    found = dict(zip(run_letters(len(others))[1:], verbs.compare_all(first, others), strict=True))
    require_known(wanted, [estimate for each in found.values() for estimate in each])
    held = {letter: failures(wanted, each, dict) for letter, each in found.items()}
    several = len(found) > 1
    lines = [f"{letter}: {note}" if several else note for letter, each in found.items() for note in each.notes]
    for line in lines:
        typer.echo(f"note: {line}", err=True)
    if as_json:
        show([_difference_json(each, own) for own in found.values() for each in own])
    else:
        for letter, each in found.items():
            differences_table(each, letter)
    runs = {"A": next(iter(found.values())).first, **{letter: each.second for letter, each in found.items()}}
    print_warnings(f"{letter}, {line}" for letter, run in runs.items() for line in run.warnings())
    _fail_with([f"{letter}: {line}" if several else line for letter, own in held.items() for line in own])


def _difference_json(estimate: Estimate, comparison: Comparison) -> dict[str, Json]:
    """An estimate as `compare --json` prints it, with the folders of the runs."""
    folders = {"base": str(comparison.first.folder), "run": str(comparison.second.folder)}
    return {**folders, **estimate_json(estimate)}


@app.command()
def rescore(run: RunFolder, reader: Reader = None, as_json: JsonFlag = False) -> None:
    """Read the stored replies of a run again, and list what changed. Nothing is sent."""
    from veridical import verbs

    rescored = verbs.rescore(run, reader)
    result, changed = rescored.run, rescored.changes
    lines = [f"{changed.replies:,} replies read by {', '.join(changed.now) or 'none'}"]
    if changed.problem:
        lines += [f"nothing to compare with: {changed.problem}"]
    else:
        before = f"{changed.compared:,} of them had been read before, by {', '.join(changed.before) or 'none'}"
        lines += [f"{before}: {changed.statuses:,} statuses and {changed.answers:,} answers changed"]
        lines += [f"  {before} to {now}: {replies:,}" for before, now, replies in changed.moves]
    moves = [dict(zip(("before", "now", "replies"), move, strict=True)) for move in changed.moves]
    tell({"run": str(result.folder), **asdict(changed), "moves": moves}, lines, as_json=as_json)
