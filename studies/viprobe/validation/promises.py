"""Simulated shares compared with the promised ones: a row per figure, kept or missed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scipy import stats

from studies.viprobe.validation.coverage import ALPHA, FEW
from studies.viprobe.validation.planned import POWER, Planned
from veridical.stats import Interval, wilson

COVERAGE = (0.93, 0.97)
POWER_WITHIN = 0.05
EXACT = ("one case", f"one case of {FEW} units", "12 units")
"""Scopes in which the sign-flip test enumerates all sign patterns."""


class Row(NamedTuple):
    """How many intervals of a figure, of `runs`, covered the truth of an observer; `open` is as in `Share`."""

    observer: str
    figure: tuple[str, ...]
    runs: int
    held: int
    open: int


@dataclass(frozen=True, kw_only=True)
class Share:
    """A share, `hits` of `n`, and whether it is as promised; `open` intervals were unbounded on a side."""

    name: tuple[str, ...]
    hits: int
    n: int
    kept: bool
    parts: Mapping[str, tuple[int, int]]
    open: int = 0

    @property
    def value(self) -> float:
        return self.hits / self.n

    @property
    def interval(self) -> Interval:
        return wilson(self.value, self.n)


def coverages(rows: Iterable[Row]) -> list[Share]:
    """Coverage per figure over all observers, with each observer's in `parts`; 93 to 97 % keeps the promise."""
    figures: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        figures[row.figure].append(row)
    return [_coverage(figure, of) for figure, of in figures.items()]


def _coverage(figure: tuple[str, ...], rows: list[Row]) -> Share:
    parts: dict[str, tuple[int, int]] = {}
    for row in rows:
        hits, n = parts.get(row.observer, (0, 0))
        parts[row.observer] = (hits + row.held, n + row.runs)
    hits, n = sum(row.held for row in rows), sum(row.runs for row in rows)
    kept = COVERAGE[0] <= hits / n <= COVERAGE[1]
    return Share(name=figure, hits=hits, n=n, kept=kept, parts=parts, open=sum(row.open for row in rows))


def rejections(results: Iterable[tuple[str, str, bool]]) -> list[Share]:
    """Type-I errors per test and scope from rows of test, scope, rejected.

    An exact test keeps its promise up to 5 %, one with random signs within `binomial` of its n.
    """
    counts: dict[tuple[str, ...], list[bool]] = defaultdict(list)
    for test, scope, rejected in results:
        counts[test, scope].append(rejected)
    return [_rejection(name, each) for name, each in counts.items()]


def _rejection(name: tuple[str, ...], rows: list[bool]) -> Share:
    low, high = binomial(len(rows))
    value = sum(rows) / len(rows)
    kept = value <= ALPHA if name[1] in EXACT else low <= value <= high
    return Share(name=name, hits=sum(rows), n=len(rows), kept=kept, parts={})


def binomial(n: int) -> tuple[float, float]:
    """The central 95 % interval of the share of rejections in n tests with a type-I error of 5 %.

    >>> [round(bound, 4) for bound in binomial(1000)]
    [0.037, 0.064]
    """
    low, high = stats.binom.interval(0.95, n, ALPHA)
    return float(low) / n, float(high) / n


def powers(designs: Iterable[Planned]) -> list[Share]:
    """The power of planned effects, per design and correlation; within 5 points of 80 % keeps the promise."""
    counts: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0])
    for each in designs:
        hits = counts[f"{each.units} units, {each.pictures} pictures each", f"{each.correlation:g}"]
        hits[0], hits[1] = hits[0] + each.detected, hits[1] + each.runs
    return [
        Share(name=name, hits=hits, n=n, kept=abs(hits / n - POWER) <= POWER_WITHIN, parts={})
        for name, (hits, n) in counts.items()
    ]
