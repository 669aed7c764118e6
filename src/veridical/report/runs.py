"""What a report is made from: runs, with the messages as they were sent and how each run was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from veridical.records import Json, Trial
from veridical.suite import Result


@dataclass(frozen=True)
class ReportRun:
    """One run for a report.

    `trials` holds the trials by id; one that is not there is shown without its messages. `identity` tells how the run
    was made (model, endpoint, sampling, hashes), in any nesting; `stopped`, what ended it early, if anything did.
    """

    result: Result
    trials: Mapping[str, Trial]
    identity: Mapping[str, Json]
    stopped: str | None = None


def cannot_be_asked(outcomes: pl.DataFrame) -> dict[str, int]:
    """Why trials are not asked and never will be, and how many; what is only not asked yet is not among them."""
    unasked = outcomes.filter(pl.col("status").is_null() & pl.col("reason").is_not_null())
    return dict(unasked["reason"].value_counts(sort=True).rows())


def labels(results: Sequence[Result]) -> list[str]:
    """The models' names in order, the second and later of a name numbered, so that each label names one run."""
    seen: Counter[str] = Counter()
    names = []
    for result in results:
        seen[result.model] += 1
        again = seen[result.model]
        names.append(result.model if again == 1 else f"{result.model} ({again})")
    return names


def combined(runs: Sequence[ReportRun]) -> pl.DataFrame:
    """The outcomes of all runs in one frame, with the index of the run in the column `run`."""
    return pl.concat(
        [run.result.outcomes.with_columns(run=pl.lit(index, pl.Int64)) for index, run in enumerate(runs)],
        how="vertical_relaxed",
    )
