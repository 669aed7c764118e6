"""Asking a set unit by unit until the interval of the main figure is narrow enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import polars as pl

from veridical.base.format import format_interval, format_value
from veridical.errors import InputError, unknown
from veridical.records import POINTS, PROPORTION, Estimate, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart
from veridical.suite.sequential import NextQuestion, SequentialStanding

WIDTH = "width"
_LEAST_QUESTIONS, _LEAST_UNITS = 96, 48
"""Before so many there is no look: an interval of a few units that agree by chance is narrow."""
_ROUND = 48
_NARROWEST, _WIDEST = 0.5, 50.0
_GROWTH = 0.15
"""How much more is asked from look to look: fewer looks leave the interval more of its coverage."""
NARROW = "the interval is as narrow as was wanted"
PLUG_IN = (
    "looked at after each round: the interval is that of a fixed number of units, whose coverage at such a stop is "
    "measured by simulation, not promised"
)


class WidthGoal(NamedTuple):
    """The half width of an interval, in points, at which asking stops, and the figure that is meant.

    `metric` is empty for the first figure of the suite's headline that the replies give.

    >>> WidthGoal.parse("width=5"), WidthGoal.parse("accuracy=2.5"), WidthGoal.parse("verdict")
    (WidthGoal(points=5.0, metric=''), WidthGoal(points=2.5, metric='accuracy'), None)
    >>> WidthGoal.parse("width=0")
    Traceback (most recent call last):
    veridical.errors.InputError: stop_at 'width=0': a number of points from 0.5 to 50 is allowed
    """

    points: float
    metric: str = ""

    @classmethod
    def parse(cls, text: str) -> WidthGoal | None:
        """The goal in a text such as `width=5`; `None` for one without a number.

        Raises `InputError` for a width that is no number from 0.5 to 50.
        """
        name, equals, number = text.rpartition("=")
        if not equals:
            return None
        try:
            points = float(number)
        except ValueError:
            points = math.nan
        if not _NARROWEST <= points <= _WIDEST:
            raise InputError(f"stop_at '{text[:40]}': a number of points from {_NARROWEST:g} to {_WIDEST:g} is allowed")
        return cls(points, "" if name.strip() == WIDTH else name.strip())


@dataclass(repr=False)
class WidthQuestioner:
    """Asks whole units in the order of asking, which is random, and looks at the figure after each round.

    Of the suite's `stages` the first is asked; the others have an `empty` table of outcomes.
    """

    analysis: AnalysisPart
    stages: Sequence[str]
    empty: pl.DataFrame
    goal: WidthGoal
    trials: Sequence[Trial]
    asked_units: int = 0
    asked: int = 0
    rows: list[pl.DataFrame] = field(default_factory=list)
    figure: Estimate | None = None

    def __post_init__(self) -> None:
        measures, name = self.analysis.measures, self.goal.metric
        if name and (name not in measures or measures[name].unit not in (PROPORTION, POINTS)):
            allowed = [each for each, measure in measures.items() if measure.unit in (PROPORTION, POINTS)]
            raise unknown("figure to stop at", name, [WIDTH, *allowed])

    def next_round(self) -> Sequence[NextQuestion]:
        return [NextQuestion(None, trial.id) for unit in self._next() for trial in unit]

    def learn(self, outcomes: pl.DataFrame) -> None:
        units = self._next()
        self.asked_units += len(units)
        self.asked += sum(map(len, units))
        self.rows.append(outcomes)
        enough = self.asked >= _LEAST_QUESTIONS and self.asked_units >= _LEAST_UNITS
        self.figure = self._main() if enough else None

    def standing(self) -> SequentialStanding:
        figure, goal = self.figure, self.goal.points
        if figure is None:
            return SequentialStanding(verdict="no figure yet", rule=None, needs=("more units",))
        half = half_width(figure)
        narrow = half is not None and half <= goal
        wide = "no interval yet" if half is None else f"half the interval is {half:.1f} points"
        return SequentialStanding(
            verdict=f"{self.analysis.measures[figure.metric].title} {shown_figure(figure)}",
            rule=NARROW if narrow else None,
            evidence=(f"{wide}, of {figure.n_units:,} units", PLUG_IN),
            needs=() if narrow else (f"more units, until half the interval is {goal:g} points",),
        )

    @cached_property
    def _units(self) -> list[list[Trial]]:
        """The trials of each unit, the units in the order of asking."""
        units: dict[tuple[str, str], list[Trial]] = {}
        for trial in sorted(self.trials, key=lambda trial: trial.place):
            units.setdefault((trial.place, trial.unit), []).append(trial)
        return list(units.values())

    def _next(self) -> list[list[Trial]]:
        """The next units, as many as a round has."""
        wanted = max(_ROUND, math.ceil(_GROWTH * self.asked)) if self.asked else _LEAST_QUESTIONS
        taken: list[list[Trial]] = []
        for unit in self._units[self.asked_units :]:
            if sum(map(len, taken)) >= wanted:
                break
            taken.append(unit)
        return taken

    def _main(self) -> Estimate | None:
        """The figure that is looked at, over all trials that were asked."""
        rows = pl.concat(self.rows, how="diagonal_relaxed")
        tables = dict.fromkeys(self.stages, self.empty) | {self.stages[0]: rows}
        whole = {each.metric: each for each in self.analysis.estimates(Evidence.of(tables)) if not each.slice}
        names = [self.goal.metric] if self.goal.metric else self.analysis.headline
        fitting = [whole[name] for name in names if name in whole and whole[name].unit in (PROPORTION, POINTS)]
        return next((each for each in fitting if each.value is not None), None)


def shown_figure(figure: Estimate) -> str:
    """A figure's value with its interval."""
    return f"{format_value(figure.value or 0.0, figure.unit)} {format_interval(figure)}"


def half_width(figure: Estimate) -> float | None:
    """Half the width of a figure's interval in points; `None` without a bound."""
    if figure.low is None or figure.high is None:
        return None
    return (figure.high - figure.low) / 2 * (1 if figure.unit == POINTS else 100)
