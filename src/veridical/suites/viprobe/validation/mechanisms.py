"""How often the decision list names the mechanism that simulated outcomes come from, over boxes of parameters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl

from veridical.records import Json
from veridical.stats import Cells, Interval
from veridical.suite.rates import mean_rate
from veridical.suites.viprobe.analysis.estimates import deciding
from veridical.suites.viprobe.analysis.mechanism import verdicts
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers.simulated import Mechanism, simulate
from veridical.suites.viprobe.validation.design import design_frame

Ranges = Mapping[str, tuple[float, float]]

BOXES: Mapping[str, Ranges] = {
    "veridical": {"jnd": (0.01, 0.03), "criterion": (0.08, 0.12), "lapse": (0.0, 0.02)},
    "memory override": {
        "memory": (0.95, 1.0),
        "jnd": (0.01, 0.04),
        "criterion": (0.08, 0.12),
        "lapse": (0.0, 0.03),
    },
    "competition": {"memory": (0.7, 0.85), "jnd": (0.02, 0.06), "criterion": (0.08, 0.12), "lapse": (0.0, 0.03)},
    "visual-processing limit": {"jnd": (0.25, 0.35), "criterion": (0.3, 0.4), "lapse": (0.0, 0.03)},
    "illusory percept": {"illusion": (0.4, 0.7), "jnd": (0.03, 0.08), "criterion": (0.15, 0.3), "lapse": (0.0, 0.02)},
    "blind": {"jnd": (math.inf, math.inf), "lapse": (0.0, 0.3), "yes_bias": (-0.3, 0.3)},
    "language-limited": {"insensitivity": (0.75, 1.0), "jnd": (0.01, 0.1), "criterion": (0.1, 0.2)},
}
"""The clear cases: ranges of a mechanism's parameters, drawn from evenly; the others keep their defaults.

They were fixed before any verdict on them was seen. Differences are in units of α.
"""


def drawn(ranges: Ranges, rng: np.random.Generator) -> Mechanism:
    """A mechanism with each parameter drawn evenly from its range; a range of one value is that value.

    >>> drawn({"jnd": (math.inf, math.inf), "lapse": (0.1, 0.1)}, np.random.default_rng(0)).lapse
    0.1
    """
    return Mechanism(
        **{name: low if low == high else float(rng.uniform(low, high)) for name, (low, high) in ranges.items()}
    )


def judged(job: Json, item: Json) -> Json:
    """The verdicts on one observer: `item` is the box's name and the observer's number, `job` the seed and design.

    In the result's `verdicts` that overall stands under "", those of the cases under their names.
    """
    box, number = item
    rng = np.random.default_rng([job["seed"], list(BOXES).index(box), number])
    outcomes = simulate(_frame(job["units"], job["levels"]), drawn(BOXES[box], rng), rng)
    found = verdicts(deciding(outcomes))
    return {"box": box, "number": number, "verdicts": {each.where.get("case", ""): each.name for each in found}}


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """The verdicts on the observers of one box: how many of each, and the shares that are right and wrong.

    A verdict is wrong that is neither right nor undetermined. The intervals are Wilson's at the effective n, by
    resampling observers, since the cases of one observer share its parameters.
    """

    box: str
    observers: int
    counts: Mapping[str, int]
    right: tuple[float, Interval]
    wrong: tuple[float, Interval]

    @property
    def n(self) -> int:
        return sum(self.counts.values())


def confusion(found: Iterable[Json], *, by_case: bool) -> list[Verdicts]:
    """What `judged` said of each box, overall or case by case.

    Cases whose impression has no direction are left out where the mechanism is an illusory percept: it does not act on
    them.
    """
    observers = sorted(found, key=lambda each: each["number"])
    return [
        _of_box(box, names)
        for box in BOXES
        if (names := [_names(each, by_case=by_case) for each in observers if each["box"] == box])
    ]


def _names(observer: Json, *, by_case: bool) -> list[str]:
    undirected = observer["box"] == "illusory percept"
    return [
        name
        for case, name in observer["verdicts"].items()
        if (case != "") == by_case and not (case and undirected and not CASES[case].directed)
    ]


def _of_box(box: str, observers: list[list[str]]) -> Verdicts:
    hits = [[[name == box, name not in (box, "undetermined")] for name in names] for names in observers]
    sums = np.array([np.sum(each, axis=0, dtype=float) for each in hits])[:, None, :]
    rows = np.array([[float(len(each))] for each in hits])
    data = Cells(sums, rows, np.zeros(len(hits), np.int64))
    right, wrong = (mean_rate(data, metric, (1.0,)) for metric in (0, 1))
    counts = Counter(name for names in observers for name in names)
    return Verdicts(box=box, observers=len(observers), counts=dict(counts), right=right, wrong=wrong)


@lru_cache(maxsize=1)
def _frame(units: int, levels: int) -> pl.DataFrame:
    return design_frame(units, levels)
