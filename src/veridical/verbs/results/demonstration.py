"""A demonstration: embedded observers on a small set, one report of all, and a table with a line for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridical.base.run_options import RunOptions
from veridical.judges.judged_outcomes import NOT_JUDGED
from veridical.records import POINTS, Estimate, Json
from veridical.verbs import sets
from veridical.verbs.results.report import write_report
from veridical.verbs.results.result import RunResult
from veridical.verbs.runs.run import run

Column = tuple[str, Mapping[str, Json]]
"""The metric of a column, and the slice that it is of, whoever judged."""


@dataclass(frozen=True, kw_only=True)
class Demonstration:
    """A suite's demonstration: its set, the observers that are asked, and the columns of the table of what came out.

    `observers` are `veridical/NAME` with its arguments, by what they are called; `asked` are the options of
    `veridical.run`. `counted` names the stimuli, `opening` is the first line, made of their number and the folder.
    Columns are of `width` characters, and `legend` says what they are.
    """

    suite: str
    drawn: Mapping[str, Json]
    asked: RunOptions
    observers: Mapping[str, tuple[str, Mapping[str, Json]]]
    counted: str
    opening: Callable[[int, Path], str]
    columns: Mapping[str, Column]
    legend: str
    width: int

    def __call__(
        self, out: Path, progress: Callable[[int, int], None] | None = None
    ) -> tuple[list[str], dict[str, Json]]:
        """Writes the demonstration to a folder: `set`, a run per observer, and `report.html`.

        Returns the results, as lines for people and as facts for machines: proportions in percent, points with their
        sign, and what has no value as a dash. A folder that already holds a demonstration is reused. `progress` is
        called with the number of observers asked, and their total.
        """
        stimuli = sets.make(self.suite, out=out / "set", **self.drawn)
        runs: dict[str, RunResult] = {}
        for name, (observer, model_args) in self.observers.items():
            asked: RunOptions = {**self.asked, "model_args": model_args}
            folder = out / name.replace(" ", "-")
            runs[name] = run(stimuli, f"veridical/{observer}", out=folder, show="quiet", analyze=False, **asked)
            if progress is not None:
                progress(len(runs), len(self.observers))
        page = write_report(list(runs.values()), out / "report.html", stimuli=stimuli)
        number = len(stimuli.stimuli)
        facts: dict[str, Json] = {"report": str(page), self.counted: number}
        heads = "".join(f"{name:>{self.width}}" for name in self.columns)
        lines = [self.opening(number, stimuli.folder), "", f"{'observer':16}{heads}"]
        for name, result in runs.items():
            every = result.estimates()
            values = {column: estimate_of(every, *place) for column, place in self.columns.items()}
            own: dict[str, Json] = {column: each.value if each else None for column, each in values.items()}
            facts[name] = own | {"counts": str(result.counts)}
            lines.append(f"{name:16}" + "".join(f"{value_text(each):>{self.width}}" for each in values.values()))
        return [*lines, "", *self.legend.splitlines(), "", f"Report: {page}"], facts


def estimate_of(estimates: Sequence[Estimate], metric: str, where: Mapping[str, Json]) -> Estimate | None:
    """The first estimate of a metric in a slice, whoever judged; `None` where there is none."""
    for each in estimates:
        own = {key: level for key, level in each.slice.items() if key not in ("judge", "rubric")}
        if each.metric == metric and own == where and each.slice.get("judge") != NOT_JUDGED:
            return each
    return None


def value_text(estimate: Estimate | None) -> str:
    """A value in a table: points with their sign, all else in percent, a dash for none.

    >>> value_text(None)
    '–'
    """
    if estimate is None or estimate.value is None:
        return "–"
    if estimate.unit == POINTS:
        return f"{estimate.value:+.0f}".replace("-", "−")
    return f"{100 * estimate.value:.0f}"
