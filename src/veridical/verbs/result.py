"""A run on disk, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from veridical.ask import Run
from veridical.records import Counts, Estimate, Json
from veridical.report import write_figures, write_tables
from veridical.report.runs import cannot_be_asked
from veridical.suite import registry
from veridical.suite.record import Suite
from veridical.suite.results import Result
from veridical.verbs.roster import Roster
from veridical.verbs.setup import Spending

_SEEN = {"trial": "sees the trial's id", "run": "reads the truth"}
"""How tables mark an observer that sees more than messages."""


@dataclass(frozen=True)
class RunResult:
    """A run on disk with what follows from it; everything is made anew from the stored replies."""

    run: Run

    @property
    def folder(self) -> Path:
        return self.run.folder

    @property
    def model(self) -> str:
        return str(self.run.identity["model"])

    @cached_property
    def suite(self) -> Suite:
        return registry.get(str(self.run.identity["suite"]))

    def outcomes(self, reader: str | None = None) -> pl.DataFrame:
        """The outcome table: one row per planned trial and repeat, with the columns of `records.OUTCOMES` and more.

        `reader` names a reader to read with in place of the default ones, in the families that have it.
        """
        return self._outcomes if reader is None else self.run.outcomes(self.suite.asking.readers, reader)

    @cached_property
    def _outcomes(self) -> pl.DataFrame:
        return self.run.outcomes(self.suite.asking.readers)

    @cached_property
    def counts(self) -> Counts:
        return Counts.of(self.outcomes())

    @property
    def not_asked(self) -> dict[str, int]:
        """Why trials cannot be asked at all, and how many; what is only not asked yet is not among them."""
        return cannot_be_asked(self.outcomes())

    @property
    def complete(self) -> bool:
        """Whether every planned trial that can be asked was asked, and none ended in an error."""
        return self.counts.asked + sum(self.not_asked.values()) == self.counts.planned and not self.counts.error

    @property
    def stopped(self) -> str | None:
        """What ended the latest start before it had asked everything: the limit that it reached, or "interrupted"."""
        ended = self._ended()
        return "interrupted" if ended.get("interrupted") else ended.get("limit") and str(ended["limit"])

    @property
    def cache_problem(self) -> str | None:
        """Why the latest start gave up its cache of replies, if it did."""
        problem = self._ended().get("cache_problem")
        return None if problem is None else str(problem)

    def _ended(self) -> dict[str, Json]:
        ended = self.run.executions[-1].get("ended") if self.run.executions else None
        return ended if isinstance(ended, dict) else {}

    def spending(self) -> Spending:
        """What all starts together sent and spent."""
        return Spending.of(self.run)

    def estimates(self, reader: str | None = None) -> list[Estimate]:
        """The suite's estimates, each with interval, counts and method; `reader` as in `outcomes`."""
        return list(self._estimates) if reader is None else self.suite.analysis.estimates(self.outcomes(reader))

    @cached_property
    def _estimates(self) -> list[Estimate]:
        return self.suite.analysis.estimates(self._outcomes)

    def result(self, roster: Roster | None = None) -> Result:
        """The run as the suite's tables and figures take it, with what is stated of its model."""
        about = roster.of(self.model) if roster else None
        seen = self.run.identity.get("sees", "messages")
        name = self.model if seen == "messages" else f"{self.model} ({_SEEN.get(str(seen), str(seen))})"
        return Result(name, self.outcomes(), self.estimates(), about)


def open_run(folder: RunResult | Path | str) -> RunResult:
    """The run in a folder; raises `InputError` where there is none."""
    return folder if isinstance(folder, RunResult) else RunResult(Run.open(Path(folder)))


def refresh(result: RunResult, roster: Roster | None = None) -> None:
    """Writes the run's `outcomes.parquet`, `tables/` and `figures/`, whatever state they were in."""
    result.outcomes().write_parquet(result.folder / "outcomes.parquet")
    results = [result.result(roster)]
    write_tables(result.suite, results, result.folder / "tables")
    write_figures(result.suite, results, result.folder / "figures")
