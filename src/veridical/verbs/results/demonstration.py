"""A demonstration: embedded observers on a small set, one report of all, and a table with a line for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from veridical.base.run_options import RunOptions
from veridical.judges.judged import NOT_JUDGED
from veridical.records import POINTS, Estimate, Json
from veridical.stimulus_set import StimulusSet
from veridical.verbs.results.report import write_report
from veridical.verbs.results.result import RunResult
from veridical.verbs.runs.run import run

Column = tuple[str, Mapping[str, Json]]
"""The metric of a column, and the slice that it is of, whoever judged."""


@dataclass(frozen=True)
class Demonstration:
    """Runs of observers on one set by their names, and the page with all of them."""

    runs: Mapping[str, RunResult]
    page: Path

    def told(
        self, opening: str, counted: Mapping[str, Json], columns: Mapping[str, Column], legend: str, *, width: int
    ) -> tuple[list[str], dict[str, Json]]:
        """The results: as lines for people, with columns of `width` characters, and as facts for machines.

        `opening` is the first line, `counted` the facts of the set; `legend` says what the columns are. Proportions are
        shown in percent, points with their sign, and what has no value as a dash.
        """
        facts: dict[str, Json] = {"report": str(self.page), **counted}
        lines = [opening, "", f"{'observer':16}" + "".join(f"{name:>{width}}" for name in columns)]
        for name, result in self.runs.items():
            every = result.estimates()
            values = {column: estimate_of(every, *place) for column, place in columns.items()}
            own: dict[str, Json] = {column: each.value if each else None for column, each in values.items()}
            facts[name] = own | {"counts": str(result.counts)}
            lines.append(f"{name:16}" + "".join(f"{shown(each):>{width}}" for each in values.values()))
        return [*lines, "", *legend.splitlines(), "", f"Report: {self.page}"], facts


def demonstrated(
    stimuli: StimulusSet,
    observers: Mapping[str, tuple[str, Mapping[str, Json]]],
    out: Path,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[RunOptions],
) -> Demonstration:
    """Asks each observer, `veridical/NAME` with its arguments, in a folder of its own in `out`, and writes the report.

    Folders that already hold a run are reused. `progress` is called with the number of observers asked, and their
    total; further options are those of `veridical.run`.
    """
    runs: dict[str, RunResult] = {}
    for name, (observer, model_args) in observers.items():
        folder = out / name.replace(" ", "-")
        asked: RunOptions = {**options, "model_args": model_args}
        runs[name] = run(stimuli, f"veridical/{observer}", out=folder, show="quiet", analyze=False, **asked)
        if progress is not None:
            progress(len(runs), len(observers))
    return Demonstration(runs, write_report(list(runs.values()), out / "report.html", stimuli=stimuli))


def estimate_of(estimates: Sequence[Estimate], metric: str, where: Mapping[str, Json]) -> Estimate | None:
    """The first estimate of a metric in a slice, whoever judged; `None` where there is none."""
    for each in estimates:
        own = {key: level for key, level in each.slice.items() if key not in ("judge", "rubric")}
        if each.metric == metric and own == where and each.slice.get("judge") != NOT_JUDGED:
            return each
    return None


def shown(estimate: Estimate | None) -> str:
    """A value in a table: points with their sign, all else in percent, a dash for none.

    >>> shown(None)
    '–'
    """
    if estimate is None or estimate.value is None:
        return "–"
    if estimate.unit == POINTS:
        return f"{estimate.value:+.0f}".replace("-", "−")
    return f"{100 * estimate.value:.0f}"
