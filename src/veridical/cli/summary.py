"""What a start of a run came to, for people and for machines, and whether a person agrees to one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from veridical.cli.common import show
from veridical.errors import IncompleteError, InputError

if TYPE_CHECKING:
    from veridical.records import Json
    from veridical.verbs import RunResult
    from veridical.verbs.setup import Setup


def ended_run(result: RunResult, *, as_json: bool) -> None:
    """Prints what a start came to; raises `IncompleteError` where replies are missing."""
    summary(result, as_json=as_json)
    if result.cache_problem:
        typer.echo(f"note: {result.cache_problem}", err=True)
    if result.stopped:
        raise IncompleteError(f"the run stopped early: {result.stopped}; {result.counts}; the same command goes on")
    if not result.complete:
        short = [each for each in result.staged if each.counted and not each.complete]
        counts = short[0].counts if short else result.counts
        where = f", stage {short[0].stage}" if short and len(result.stages.ordered) > 1 else ""
        raise IncompleteError(f"the run is incomplete{where}: {counts}; the same command asks what is missing")


def summary(result: RunResult, *, as_json: bool) -> None:
    """Prints how a run stands, stage by stage."""
    from veridical.report import visible

    if as_json:
        show(_facts(result))
        return
    for line in _lines(result):
        typer.echo(visible(line))


def _facts(result: RunResult) -> dict[str, Json]:
    facts: dict[str, Json] = {"run": str(result.folder), "suite": result.suite.name, "model": result.model}
    facts |= {"complete": result.complete, "stopped": result.stopped, "counts": asdict(result.counts)}
    facts |= {"not_asked": result.not_asked, "spending": asdict(result.spending()), "remarks": result.remarks}
    if len(result.stages.ordered) > 1:
        facts["stages"] = [{**asdict(each), "folder": str(each.folder)} for each in result.staged]
        facts["waiting"] = [asdict(each) for each in result.waiting]
    return facts


def _lines(result: RunResult) -> Iterator[str]:
    from veridical.ask import is_embedded
    from veridical.verbs.spending import Spending

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
        if each in paid:
            yield f"{'  ' if several else ''}{each.spending}"
        yield from (f"{'  ' if several else ''}{number:,} {reason}" for reason, number in each.not_asked.items())
    yield from map(str, result.waiting)
    if len(paid) > 1:
        yield f"in all: {Spending.together([each.spending for each in paid])}"
    yield from (f"note: {line}" for line in result.remarks)
    if result.stopped:
        yield f"the latest start stopped early: {result.stopped}"


def confirmed(setup: Setup, *, yes: bool) -> bool:
    """Whether a person agrees to what is to be sent; raises `InputError` where nobody can be asked."""
    typer.echo(str(setup), err=True)
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InputError("nothing was sent: give --yes to send without being asked")
    return typer.confirm("Send?", err=True)
