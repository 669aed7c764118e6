"""Runs that stop at a width, asked of observers whose rate is known and whose replies within a unit are alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from veridical.records import PROPORTION, Counts, Estimate, Trial
from veridical.stats.intervals import wilson
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart, measure
from veridical.suite.rates import cluster_rows, mean_rate
from veridical.suite.width_stopping import WidthGoal, WidthQuestioner

PER_UNIT, FAMILIES, UNITS = 4, 6, 600
_NORMAL = 1.959964


class ObserverCell(NamedTuple):
    """An observer that is right at a rate, and how its replies to the questions of one unit correlate."""

    rate: float
    correlation: float


CELLS = tuple(ObserverCell(rate, alike) for rate in (0.5, 0.8, 0.9, 0.97) for alike in (0.0, 0.3, 0.7))


class StoppedRuns(NamedTuple):
    """The questions of each run of a cell, whether its interval held the rate, and whether it reached the width."""

    cell: ObserverCell
    questions: Sequence[int]
    held: Sequence[bool]
    narrow: Sequence[bool]


def accuracy(evidence: Evidence) -> list[Estimate]:
    """The share of right replies, as suites estimate it: over units within families."""
    rows = evidence.outcomes()
    value, bounds = mean_rate(cluster_rows(rows, ("correct",), np.zeros(len(rows), int), 1), 0, (1.0,))
    counts = Counts.of(rows)
    low, high = bounds
    return [
        Estimate(
            suite="width",
            metric="accuracy",
            slice={},
            value=value,
            low=low,
            high=high,
            unit=PROPORTION,
            n_units=rows["unit"].n_unique(),
            counts=counts,
            method="by unit",
        )
    ]


ANALYSIS = AnalysisPart(
    measures={"accuracy": measure("Accuracy", "The share of right replies.", PROPORTION)},
    estimates=accuracy,
    headline=("accuracy",),
)


def measured(cell: ObserverCell, points: float, runs: int, seed: int = 0) -> StoppedRuns:
    """What so many runs of an observer come to that stop at a half width in points."""
    rng = np.random.default_rng([seed, *(int(1000 * each) for each in cell)])
    ended = [_stopped(cell, points, rng) for _ in range(runs)]
    return StoppedRuns(cell, *zip(*ended, strict=True))


def _stopped(cell: ObserverCell, points: float, rng: np.random.Generator) -> tuple[int, bool, bool]:
    replies = simulated_replies(cell, rng)
    trials = ordered_trials(rng)
    questioner = WidthQuestioner(ANALYSIS, ["ask"], replies.clear(), WidthGoal(points), trials)
    place = {trial.id: number for number, trial in enumerate(trials)}
    while questions := questioner.next_round():
        questioner.learn(replies[[place[question.trial] for question in questions]])
        if questioner.standing().rule is not None:
            break
    figure = questioner.figure
    assert figure is not None
    assert figure.low is not None
    assert figure.high is not None
    return questioner.asked, figure.low <= cell.rate <= figure.high, questioner.standing().rule is not None


def simulated_replies(cell: ObserverCell, rng: np.random.Generator) -> pl.DataFrame:
    """A row for each question; each unit has a rate of its own, from a Beta law, which makes its replies alike."""
    spread = (1 / cell.correlation - 1) if cell.correlation else None
    rates = (
        np.full(UNITS, cell.rate) if spread is None else rng.beta(cell.rate * spread, (1 - cell.rate) * spread, UNITS)
    )
    correct = rng.random((UNITS, PER_UNIT)) < rates[:, None]
    units = np.repeat(np.arange(UNITS), PER_UNIT)
    return pl.DataFrame(
        {"unit": units, "family": units % FAMILIES, "correct": correct.ravel().astype(float)}
    ).with_columns(pl.lit("answered").alias("status"), pl.lit(1).alias("attempt"))


def ordered_trials(rng: np.random.Generator) -> list[Trial]:
    usual: dict[str, Any] = dict.fromkeys(
        ("suite", "stage", "stimulus", "family", "category", "variant", "reader", "prompt"), ""
    )
    order = rng.permutation(UNITS)
    return [
        Trial(id=f"{unit}/{k}", unit=str(unit), messages=(), gold=None, place=f"{order[unit]:08}", **usual)
        for unit in range(UNITS)
        for k in range(PER_UNIT)
    ]


def table(results: Sequence[StoppedRuns], points: float) -> Iterator[str]:
    """The questions and the coverage of each cell beside those of a plan for the worst case."""
    planned = int(np.ceil(float(_NORMAL / (points / 100)) ** 2 / 4))
    yield "| right | replies within a unit correlate | questions, median | 90th percentile | holds the truth, % | n |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: |"
    for each in results:
        share, runs = float(np.mean(each.held)), len(each.held)
        bounds = wilson(share, runs)
        shown = " ".join(
            (f"{100 * share:.1f}", f"[{100 * (bounds.low or 0.0):.1f},", f"{100 * (bounds.high or 1.0):.1f}]")
        )
        reached = "" if all(each.narrow) else f" ({runs - sum(each.narrow)} did not stop)"
        median, most = np.quantile(each.questions, [0.5, 0.9])
        yield (
            f"| {each.cell.rate:.0%} | {each.cell.correlation:g} | {median:,.0f} | {most:,.0f}{reached} "
            f"| {shown} | {runs} |"
        )
    yield ""
    yield f"A plan for independent replies at 50 % asks {planned:,}."
