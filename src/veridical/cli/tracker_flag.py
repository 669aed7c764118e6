"""The flag `--log-to` of verbs that end in a report, and what they do with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.errors import IncompleteError

if TYPE_CHECKING:
    from veridical.verbs import RunResult
    from veridical.verbs.results.trackers import ChosenTracker

LogTo = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TRACKER[:TARGET]",
        help="Also write estimates with intervals and the report to wandb[:ENTITY/PROJECT], mlflow[:URI] or "
        "jsonl[:FILE].",
    ),
]


def trackers_of(words: list[str] | None) -> list[ChosenTracker]:
    """The trackers that were named; raises `InputError` for one that cannot be used."""
    if not words:
        return []
    from veridical.verbs.results.trackers import chosen_trackers

    return chosen_trackers(words)


def log_runs(runs: Sequence[RunResult], page: Path, trackers: Sequence[ChosenTracker]) -> list[str]:
    """The problems of writing runs and their page to trackers, a line each; prints where they were written."""
    if not trackers:
        return []
    from veridical.verbs.results.trackers import track

    logged, problems = track(runs, page, trackers)
    for line in logged:
        typer.echo(line, err=True)
    return problems


def log_complete(runs: Sequence[RunResult], trackers: Sequence[ChosenTracker]) -> list[str]:
    """The problems of writing runs to trackers, each with a report of its own; incomplete runs are left out."""
    if not trackers:
        return []
    from veridical import verbs

    problems = []
    for run in runs:
        if run.stopped or not run.complete:
            typer.echo(f"note: {run.folder} is incomplete, and was not logged", err=True)
        else:
            problems += log_runs([run], verbs.write_report([run]), trackers)
    return problems


def require_logged(problems: Sequence[str]) -> None:
    """Raises `IncompleteError` if there are problems."""
    if problems:
        raise IncompleteError(f"{'; '.join(problems)}; its report is whole, `veridical report --log-to` tries again")
