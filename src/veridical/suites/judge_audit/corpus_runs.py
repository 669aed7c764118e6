"""A judge on the corpora of the library: its run, and the figures that the commands print."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from veridical.base.markdown import table

if TYPE_CHECKING:
    from veridical.records import Estimate
    from veridical.verbs import RunResult


def marked(
    recipe: str, judge: str, models: Path | None, out: Path | None, limit: int | None, connections: int
) -> RunResult:
    """The run of a judge on a corpus; raises `InputError` if it ended early."""
    from veridical import verbs
    from veridical.errors import IncompleteError
    from veridical.suites.judge_audit.design import NAME
    from veridical.verbs.sets import make

    name = "veridical/rule" if judge == "rule" else judge
    stimuli = make(NAME, recipe=recipe, units=limit)
    result = verbs.run(stimuli, name, out=out, models=models, max_connections=connections)
    if not all(stage.complete for stage in result.staged):
        raise IncompleteError(f"{result.folder}: the judge was not asked everything; the same command resumes it")
    return result


def tell(result: RunResult, metrics: Sequence[str], *, as_json: bool) -> None:
    """Prints the estimates, one line per kind and one for all, and the counts of verdicts."""
    chosen = [each for each in result.estimates() if each.metric in metrics]
    if as_json:
        shown = {"run": str(result.folder), "model": result.model, "estimates": [asdict(each) for each in chosen]}
        typer.echo(json.dumps(shown, indent=2, ensure_ascii=False))
        return
    kinds = list(dict.fromkeys(str(each.slice.get("category", "all")) for each in chosen))
    cells = {(str(each.slice.get("category", "all")), each.metric): each for each in chosen}
    rows = [[kind, *(_cell(cells[kind, metric]) for metric in metrics)] for kind in kinds]
    typer.echo(table(["kind", *metrics], rows))
    typer.echo(f"\n{result.model}: {result.counts}; {result.folder}")


def _cell(each: Estimate) -> str:
    if each.value is None:
        return f"undefined ({each.reason})"
    low, high = ("?" if bound is None else each.unit.number(bound) for bound in (each.low, each.high))
    return f"{each.unit.number(each.value)}{each.unit.suffix} [{low}, {high}] of {each.n_units}"
