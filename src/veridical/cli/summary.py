"""The summary of a run, for people and for machines, and the confirmation before it is sent."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from veridical.cli.common import print_warnings, show
from veridical.cli.tracker_flag import log_complete, require_logged
from veridical.errors import IncompleteError, InputError

if TYPE_CHECKING:
    from veridical.records import Json
    from veridical.verbs import RunResult, Runs
    from veridical.verbs.results.trackers import ChosenTracker
    from veridical.verbs.runs.setup import Setup

_AGAIN = "the same command sends what is missing"


def ended_run(result: RunResult, trackers: Sequence[ChosenTracker] = (), *, as_json: bool) -> None:
    """Prints the summary of a run, and logs it; raises `IncompleteError` if replies are missing, or a tracker is."""
    summary(result, as_json=as_json)
    if result.cache_problem:
        typer.echo(f"note: {result.cache_problem}", err=True)
    problems = log_complete([result], trackers)
    _require_complete(result)
    require_logged(problems)


def ended_runs(runs: Runs, trackers: Sequence[ChosenTracker] = (), *, as_json: bool) -> None:
    """Prints what a start came to for several models, and logs it; raises the worst of what any of them ended in."""
    if as_json:
        for result in runs:
            print_warnings(result.warnings())
        failed = [{"model": name, "problem": str(why)} for name, why in runs.problems.items()]
        show([*map(_facts, runs), *failed, *({"model": name, "problem": "not asked yet"} for name in runs.left)])
    for result in runs:
        if not as_json:
            summary(result, as_json=False)
            typer.echo(f"  in {result.folder}")
        if result.cache_problem:
            typer.echo(f"note: {result.model}: {result.cache_problem}", err=True)
    problems = log_complete(runs, trackers)
    short = [result for result in runs if result.stopped or not result.complete]
    for name, why in runs.problems.items():
        typer.echo(f"{name}: {' '.join(str(why).split())}", err=True)
    many = len(runs) + len(runs.problems) + len(runs.left)
    if runs.problems:
        raise InputError(f"{len(runs.problems)} of {many} models cannot be asked; {_AGAIN}")
    if short or runs.left:
        names = ", ".join([*(each.model for each in short), *runs.left])
        raise IncompleteError(f"{len(short) + len(runs.left)} of {many} runs are incomplete ({names}): {_AGAIN}")
    require_logged(problems)


def _require_complete(result: RunResult) -> None:
    if result.stopped:
        raise IncompleteError(f"the run stopped early: {result.stopped}; {result.counts}; the same command resumes it")
    if not result.complete:
        short = [each for each in result.staged if each.counted and not each.complete]
        counts = short[0].counts if short else result.counts
        where = f", stage {short[0].stage}" if short and len(result.stages.ordered) > 1 else ""
        raise IncompleteError(f"the run is incomplete{where}: {counts}; {_AGAIN}")


def summary(result: RunResult, *, as_json: bool) -> None:
    """Prints how a run stands, stage by stage; on standard error, which stages lack many answers."""
    from veridical.report import visible

    if as_json:
        show(_facts(result))
    else:
        for line in _lines(result):
            typer.echo(visible(line))
    print_warnings(result.warnings())


def _facts(result: RunResult) -> dict[str, Json]:
    first = result.staged[0]
    facts: dict[str, Json] = {"run": str(result.folder), "suite": result.suite.name, "model": result.model}
    facts |= {"complete": result.complete, "stopped": result.stopped, "counts": asdict(first.counts)}
    facts |= {"unanswered": first.unanswered.facts()}
    facts |= {"not_asked": dict(first.not_asked), "spending": asdict(result.spending()), "remarks": result.remarks}
    if result.rounds is not None:
        facts["rounds"] = asdict(result.rounds)
    if len(result.stages.ordered) > 1:
        facts["stages"] = [{**asdict(each), "folder": str(each.folder)} for each in result.staged]
        facts["waiting"] = [asdict(each) for each in result.waiting]
    return facts


def _lines(result: RunResult) -> Iterator[str]:
    from veridical.ask import is_embedded
    from veridical.verbs.runs.spending import Spending

    several = len(result.stages.ordered) > 1
    paid = [
        each
        for each in result.staged
        if (each.spending.requests or each.spending.from_cache) and not is_embedded(each.model)
    ]
    for each in result.staged:
        where = f", stage {each.stage} ({each.role})" if several else ""
        state = "complete" if each.complete else "incomplete"
        yield f"{each.model} on {result.suite.name}{where}, {state}: {each.counts}"
        if each.stale:
            yield f"  {each.stale:,} more are stale: they were asked about replies that have changed since"
        if not each.counted:
            yield f"  in no figure, since a later start of the stage counts: {each.folder.name}"
        if each.unanswered.count and not each.unanswered.many:
            yield f"  {each.unanswered.line()}"
        if each in paid:
            at_last = "" if each.connections is None else f"; {each.connections} at a time in the end"
            yield f"{'  ' if several else ''}{each.spending}{at_last}"
        yield from (f"{'  ' if several else ''}{number:,} {reason}" for reason, number in each.not_asked.items())
    if result.rounds is not None:
        yield from result.rounds.lines()
    yield from map(str, result.waiting)
    if len(paid) > 1:
        yield f"in all: {Spending.together([each.spending for each in paid])}"
    yield from (f"note: {line}" for line in result.remarks)
    if result.stopped:
        yield f"the latest start stopped early: {result.stopped}"


def confirm_sending(setups: Sequence[Setup], *, yes: bool) -> bool:
    """Whether the user agrees to send; raises `InputError` if there is no terminal to ask on."""
    for setup in setups:
        typer.echo(str(setup), err=True)
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InputError("nothing was sent: give --yes to send without confirmation")
    return typer.confirm("Send?", err=True)
