"""The commands for people's labels: tables out, and labels back in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.base.study_options import StudyDatabase

if TYPE_CHECKING:
    from veridical.records import Estimates

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
SeedFlag = Annotated[int, typer.Option(help="The same seed gives the same sample.", min=0)]
Runs = Annotated[list[Path], typer.Argument(metavar="RUN", help="Runs, of one model or several.")]
Key = Annotated[Path | None, typer.Option(help="Key of the table. Default: …-key.csv beside it.")]
Out = Annotated[Path, typer.Option(help="CSV file for people, new; its key is written beside it.")]


def steps(
    runs: Runs,
    out: Out,
    replies: Annotated[int, typer.Option(help="Number of replies.", min=1)] = 50,
    every: Annotated[bool, typer.Option("--all", help="All replies instead of a sample.")] = False,
    seed: SeedFlag = 0,
    as_json: JsonFlag = False,
) -> None:
    """Write the steps of replies for people to label.

    People fill in `person` and `label`: yes for a right step, no for a wrong one, nothing where a step states nothing.
    """
    from veridical.suites.magic.people.labels import write_steps

    shown, rows, key = write_steps(runs, out, count=None if every else replies, seed=seed)
    _written(as_json, f"{rows:,} steps of {shown:,} replies", out, key, replies=shown, steps=rows)


def stepsense(
    labels: Annotated[list[Path], typer.Argument(metavar="LABELS", help="Tables that people filled in, or studies.")],
    key: Key = None,
    database: StudyDatabase = None,
    as_json: JsonFlag = False,
) -> None:
    """Compute StepSense from people's labels."""
    from veridical.people.study_sheets import tables_of
    from veridical.suites.magic.people import labels as people

    tables = tables_of(labels, "steps", database)
    _show(people.stepsense(people.read_steps(tables, key)), as_json=as_json)


def errors(
    runs: Runs,
    out: Out,
    failures: Annotated[int, typer.Option(help="Number of failures.", min=1)] = 100,
    every: Annotated[bool, typer.Option("--all", help="All failures instead of a sample.")] = False,
    seed: SeedFlag = 0,
    as_json: JsonFlag = False,
) -> None:
    """Write failed replies for people to code.

    People fill in `person`, and yes under each pattern that a reply has.
    """
    from veridical.suites.magic.people.labels import write_errors

    shown, wrong, key = write_errors(runs, out, count=None if every else failures, seed=seed)
    _written(as_json, f"{shown:,} of {wrong:,} failed replies", out, key, failures=shown, of=wrong)


def error_counts(
    codes: Annotated[list[Path], typer.Argument(metavar="CODES", help="Tables that people filled in, or studies.")],
    key: Key = None,
    database: StudyDatabase = None,
    as_json: JsonFlag = False,
) -> None:
    """Count the errors that people coded."""
    from veridical.people.study_sheets import tables_of
    from veridical.suites.magic.people.labels import error_patterns, read_errors

    tables = tables_of(codes, "codes", database)
    _show(error_patterns(read_errors(tables, key)), as_json=as_json)


def _written(as_json: bool, what: str, out: Path, key: Path, **numbers: int) -> None:
    if as_json:
        typer.echo(json.dumps({"file": str(out), "key": str(key), **numbers}))
        return
    typer.echo(f"{what} in {out}; whose they are, in {key}, which people are not to see")


def _show(estimates: Estimates, *, as_json: bool) -> None:
    if as_json:
        rows = estimates.frame().to_dicts()
        typer.echo(json.dumps([{name: cell for name, cell in row.items() if cell is not None} for row in rows]))
        return
    from veridical.base.format import visible

    for each in estimates:
        where = ", ".join(f"{name} {visible(str(level))}" for name, level in each.slice.items())
        bounds = ["none" if bound is None else each.unit.number(bound) for bound in (each.low, each.high)]
        value = "no value" if each.value is None else f"{each.unit.number(each.value)}{each.unit.suffix}"
        reason = f" ({each.reason})" if each.reason else ""
        typer.echo(f"{each.metric}{f', {where}' if where else ''}: {value} [{', '.join(bounds)}]{reason}")
