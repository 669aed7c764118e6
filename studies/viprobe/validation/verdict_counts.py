"""How often verdicts on the observers of the catalogue are right, acceptable, or confidently wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np
import polars as pl

from studies.viprobe.validation.observers import CATALOGUE, Judged, Verdict, judge, planned
from veridical.records import Json
from veridical.stats import Cells, Interval
from veridical.suite.rates import mean_rate
from veridical.suites.viprobe.verdicts import comparison_verdicts, verdicts

MOST_WRONG = 0.01
LEAST_RIGHT: Mapping[str, float] = {"overall": 0.95, "by case": 0.8}
"""Largest share confidently wrong, for any observer; smallest share right, for a clear observer, by scope."""

DRAWS, TESTED = 199, 5
"""Bootstrap draws of the goodness-of-fit test, and the runs of each observer with it: it is slow."""

MARKS = ("right", "acceptable", "wrong")
Instrument = Callable[[pl.DataFrame, int], Iterable[Verdict]]
"""Verdicts on outcomes with a number of bootstrap draws; those on comparisons have the task in their slice."""


def instrument(outcomes: pl.DataFrame, draws: int) -> Iterator[Verdict]:
    """The library's verdicts on yes-no questions and on comparisons, if there are any."""
    yield from verdicts(outcomes, draws=draws)
    for each in comparison_verdicts(outcomes, draws=draws):
        yield replace(each, where={**each.where, "task": "comparison"})


def judged(job: Json, item: Json, instrument: Instrument = instrument) -> Json:
    """The verdicts on one run of an observer: `item` is the observer's name and the run's number.

    `job` holds the seed and the design: `units`, `levels` and `cases` as in `planned`; the first `tested` runs of an
    observer have a goodness-of-fit test with `draws` draws. The result's `counts` are rows of scope, task, verdict,
    mark, clear, and the number of verdicts.
    """
    name, number = item
    tested = number < job["tested"]
    frames = partial(planned, units=job["units"], levels=job["levels"], cases=job["cases"] and tuple(job["cases"]))
    draws = job["draws"] if tested else 0
    judgments = judge(CATALOGUE[name], [job["seed"], 6, number], frames, lambda outcomes: instrument(outcomes, draws))
    counts = [[*row, n] for row, n in Counter(map(_row, judgments)).items()]
    return {"observer": name, "number": number, "tested": tested, "counts": counts}


def _row(each: Judged) -> tuple[str, str, str, str, bool]:
    mark = "right" if each.right else "wrong" if each.wrong else "acceptable"
    scope = "by case" if "case" in each.where else "overall"
    return scope, str(each.where.get("task", "yes-no")), each.name, mark, each.clear


@dataclass(frozen=True, kw_only=True)
class Named:
    """The verdicts on one observer in one scope and kind of question, over its runs.

    `names` counts verdicts by name, `hits` by mark; `tested` of them had a goodness-of-fit test. Intervals are over
    runs, since the cases of a run share its parameters.
    """

    observer: str
    scope: str
    task: str
    clear: bool
    runs: int
    names: Mapping[str, int]
    hits: Mapping[str, int]
    tested: int
    right: tuple[float, Interval]
    wrong: tuple[float, Interval]

    @property
    def n(self) -> int:
        return sum(self.hits.values())

    @property
    def title(self) -> str:
        """The observer, and the kind of question if it is not yes-no."""
        return self.observer if self.task == "yes-no" else f"{self.observer}: {self.task}s"

    @property
    def kept(self) -> bool:
        """Whether at most 1 % are confidently wrong and, for a clear observer, enough are right."""
        enough = not self.clear or self.hits["right"] >= LEAST_RIGHT[self.scope] * self.n - 1e-9
        return enough and self.hits["wrong"] <= MOST_WRONG * self.n + 1e-9


def named(results: Iterable[Json]) -> list[Named]:
    """The results of `judged` per scope, observer and kind of question, in the order of the catalogue."""
    groups: dict[tuple[str, str, str], list[Json]] = defaultdict(list)
    for run in sorted(results, key=lambda each: each["number"]):
        rows: dict[tuple[str, str], list[Json]] = defaultdict(list)
        for scope, task, *row in run["counts"]:
            rows[scope, task].append(row)
        for (scope, task), of in rows.items():
            groups[scope, run["observer"], task].append((run["tested"], of))
    keys = product(LEAST_RIGHT, CATALOGUE, ("yes-no", "comparison"))
    return [_named(*key, groups[key]) for key in keys if key in groups]


def _named(scope: str, observer: str, task: str, runs: list[Json]) -> Named:
    names: Counter[str] = Counter()
    sums = np.zeros((len(runs), 1, len(MARKS)))
    tested = 0
    for run, (fit_tested, rows) in enumerate(runs):
        for name, mark, _, n in rows:
            names[name] += n
            sums[run, 0, MARKS.index(mark)] += n
            tested += n * fit_tested
    data = Cells(sums, sums.sum(-1), np.zeros(len(runs), np.int64))
    return Named(
        observer=observer,
        scope=scope,
        task=task,
        clear=any(clear for _, rows in runs for _, _, clear, _ in rows),
        runs=len(runs),
        names=dict(names),
        hits={mark: int(n) for mark, n in zip(MARKS, sums.sum((0, 1)), strict=True)},
        tested=tested,
        right=mean_rate(data, 0, (1.0,)),
        wrong=mean_rate(data, 2, (1.0,)),
    )
