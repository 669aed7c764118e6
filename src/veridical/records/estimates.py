"""What is concluded: units, measures, counts, estimates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

from veridical.records.stimuli import Json
from veridical.records.trials import STATUSES


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many trials stand behind a figure: planned, asked, one count per status, and how many were asked again."""

    planned: int
    asked: int
    answered: int
    unparsed: int
    refused: int
    truncated: int
    error: int
    asked_again: int = 0

    @classmethod
    def of(cls, outcomes: pl.DataFrame) -> Counts:
        """Counts over the rows of an outcome table; every planned row is in `planned`, none leaves."""
        status = outcomes["status"]
        return cls(
            planned=len(outcomes),
            asked=len(outcomes) - status.null_count(),
            asked_again=int((outcomes["attempt"] > 1).sum() or 0),
            **{name: int((status == name).sum() or 0) for name in STATUSES},
        )

    def __str__(self) -> str:
        parts = [f"{getattr(self, name)} {name}" for name in STATUSES]
        again = [f"{self.asked_again} asked again"] if self.asked_again else []
        return f"planned {self.planned}, asked {self.asked}: " + ", ".join(parts + again)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The unit of an estimate: how its values are written, and what they can be.

    A value is shown times `scale`, with `digits` behind the point and `suffix` after it, `signed` with a plus above 0.
    `low` and `high` bound what is possible (`None`: nothing does); `neutral` is the value that says nothing either way.
    """

    name: str
    digits: int
    suffix: str = ""
    scale: float = 1.0
    signed: bool = False
    low: float | None = None
    high: float | None = None
    neutral: float | None = None

    def __str__(self) -> str:
        return self.name


PROPORTION = Unit(name="proportion", digits=1, suffix=" %", scale=100.0, low=0.0, high=1.0)
POINTS = Unit(name="points", digits=1, suffix=" pts", signed=True, neutral=0.0)
RATIO = Unit(name="ratio", digits=2, low=0.0, neutral=1.0)
SHARE = Unit(name="share", digits=3, low=-1.0, high=1.0, neutral=0.0)
Z = Unit(name="z", digits=2, suffix=" z", neutral=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What a metric is: its title, what it says, where it is from, its unit, and which way is better (if any)."""

    title: str
    definition: str
    unit: Unit
    source: str = ""
    better: Literal["higher", "lower"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its interval, its counts and its method, or no value and the reason.

    `low` and `high` bound the interval at `level`; `None` beside a value means that this side has no bound, and
    `reason` says why. `p` belongs to the test that `method` names, where there is one.
    """

    suite: str
    metric: str
    slice: Mapping[str, Json]
    value: float | None
    low: float | None
    high: float | None
    unit: Unit
    n_units: int
    counts: Counts
    method: str
    level: float = 0.95
    reason: str | None = None
    p: float | None = None
