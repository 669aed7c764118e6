"""What a report is made from: runs, with the messages as they were sent and how each run was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from veridical.internals.run_internals import RunInternals
from veridical.records import OUTCOMES, Counts, Json, Trial
from veridical.report.table_files import Exhibits
from veridical.suite.record import Suite
from veridical.suite.results import OtherReading, Result
from veridical.suite.training_exports import TrainingRecord
from veridical.suite.unanswered_replies import UnansweredReplies


@dataclass(frozen=True, kw_only=True)
class LaterStage:
    """What one model was asked in a stage after the first: counts, why some cannot be asked, and what is in no figure.

    `stale` trials were asked about replies that have changed since; a stage that is not `counted` was begun anew later.
    `unanswered` says why replies have no answer.
    """

    name: str
    role: str
    model: str
    counts: Counts
    not_asked: Mapping[str, int]
    stale: int = 0
    counted: bool = True
    unanswered: UnansweredReplies | None = None

    def notes(self) -> str:
        """Who was asked, and what is in no figure, for people."""
        stale = [f"{self.stale:,} more stale, in no figure"] if self.stale else []
        later = [] if self.counted else ["in no figure, since a later start of the stage counts"]
        return "; ".join([self.model, *stale, *later])


@dataclass(frozen=True)
class ReportRun:
    """One run for a report.

    `trials` holds the trials by id; one that is not there is shown without its messages. `identity` tells how the run
    was made (model, endpoint, sampling, hashes), in any nesting; `stopped`, what ended it early, if anything did.
    `later` are the stages after the first that were asked; `notes` say what the others wait for, and which stored
    responses count nowhere. `otherwise` are the replies as other readers read them, where that changes any reading.
    `exhibits` are the tables and figures of this run alone, if they were made before. `training` is what the model was
    trained on, where that is stated, `internals` what was read from inside it.
    """

    suite: Suite
    result: Result
    trials: Mapping[str, Trial]
    identity: Mapping[str, Json]
    stopped: str | None = None
    later: Sequence[LaterStage] = ()
    notes: Sequence[str] = ()
    otherwise: Sequence[OtherReading] = ()
    exhibits: Exhibits | None = None
    training: TrainingRecord | None = None
    internals: RunInternals | None = None

    def rows(self) -> pl.DataFrame:
        """The outcomes of all stages."""
        later = self.later_outcomes()
        return pl.concat([self.result.outcomes, *later], how="diagonal_relaxed") if later else self.result.outcomes

    def later_outcomes(self) -> list[pl.DataFrame]:
        """The outcomes of each stage after the first that was asked."""
        evidence = self.result.evidence
        later = [evidence.outcomes(name) for name in list(evidence.stages)[1:]]
        return [table for table in later if not table.is_empty()]


@dataclass(frozen=True)
class ReportFactor:
    """A declared factor as a report shows it: whether it is a number, and whether its values have signs."""

    name: str
    number: bool
    signed: bool


def group_by_suite(runs: Sequence[ReportRun]) -> list[list[ReportRun]]:
    """The runs of each suite, in the order in which suites and runs appear."""
    by_suite: dict[str, list[ReportRun]] = {}
    for run in runs:
        by_suite.setdefault(run.suite.name, []).append(run)
    return list(by_suite.values())


def cannot_be_asked(outcomes: pl.DataFrame) -> dict[str, int]:
    """Why trials are not asked and never will be, and how many; what is only not asked yet is not among them."""
    unasked = outcomes.filter(pl.col("status").is_null() & pl.col("reason").is_not_null())
    return dict(unasked["reason"].value_counts(sort=True).rows())


def labels(results: Sequence[Result]) -> list[str]:
    """The models' names in order, each of which names one run.

    A name that recurs has its run's folder beside it; where the folders do not tell the runs apart, the second and
    later of a name are numbered.
    """
    folders: dict[str, list[str]] = {}
    for result in results:
        folders.setdefault(result.model, []).append(result.run)
    distinct = {model for model, names in folders.items() if "" not in names and len(set(names)) == len(names) > 1}
    numbers: Counter[str] = Counter()
    names = []
    for result in results:
        numbers[result.model] += 1
        again = f" ({numbers[result.model]})" if numbers[result.model] > 1 else ""
        names.append(result.model + (f": {result.run}" if result.model in distinct else again))
    return names


def combined_outcomes(runs: Sequence[ReportRun]) -> pl.DataFrame:
    """The outcomes of all runs of one suite in one frame, in their general columns."""
    return pl.concat([run.result.outcomes.select(list(OUTCOMES)) for run in runs], how="vertical_relaxed")


def factors_of(runs: Sequence[ReportRun]) -> list[ReportFactor]:
    """The declared factors of the runs of one suite: the columns that are neither general nor a reader's scores."""
    by_column: dict[str, list[pl.Series]] = {}
    for run in runs:
        for column in run.result.outcomes.iter_columns():
            if column.name not in OUTCOMES and not is_score(column.name):
                by_column.setdefault(column.name, []).append(column)
    return [
        ReportFactor(
            name,
            number=all(column.dtype.is_numeric() for column in columns),
            signed=any(column.dtype.is_numeric() and bool((column < 0).any()) for column in columns),
        )
        for name, columns in by_column.items()
    ]


def is_score(column: str) -> bool:
    """Whether a column of an outcome table holds a reader's scores."""
    return column.startswith("score_")
