"""What comparing two runs, or reading one anew, comes to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from veridical.records import Estimate, Estimates
from veridical.verbs.comparison import Changes
from veridical.verbs.result import RunResult


class Comparison(Estimates):
    """The paired differences of two runs, second − first; `notes` says what to know beside them."""

    def __init__(self, differences: Iterable[Estimate], first: RunResult, second: RunResult, notes: list[str]) -> None:
        super().__init__(differences)
        self.first, self.second, self.notes = first, second, notes

    def __repr__(self) -> str:
        return f"<Comparison, {self.second.model} − {self.first.model}: {super().__repr__()[1:-1]}>"


@dataclass(frozen=True, repr=False)
class Rescored:
    """A `run` read anew, and its `changes` against what was stored before."""

    run: RunResult
    changes: Changes

    def frame(self) -> pl.DataFrame:
        """How many replies moved from which status to which, one row each."""
        return self.changes.frame()

    def __repr__(self) -> str:
        return f"<Rescored {self.run.folder}: {self.changes!r}>"
