"""Coverage in the hardest settings: few units, rates near 0 and 1, replies correlated within units."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

from veridical.records import Json
from veridical.stats import Rates

Floats = NDArray[np.float64]

UNITS = (4, 10, 40)
TRUTHS = (0.03, 0.05, 0.5, 0.95, 0.97)
CORRELATIONS = (0.2, 0.7)
ALIKE = ("beta-distributed", "all or none")
LEAST, MEAN = 0.9, (0.93, 0.99)
UNLIKE = 0.8
"""Distance of unlike cases' rates from their mean, relative to 0 or 1; alternate cases lie on opposite sides."""

_CELLS = np.array([(1, np.nan), (2, np.nan), (10, np.nan), (1, 0.95), (1, 0.95), (10, 0.95), (10, 0.5)])
"""Pictures per unit and rate (NaN: the true rate of the grid) of three kinds of P, O, OC and two kinds of PC."""

FIGURES = {
    "rate, 1 picture a unit": [1.0, 0, 0, 0, 0, 0, 0],
    "rate, 2 pictures a unit": [0, 1.0, 0, 0, 0, 0, 0],
    "rate, 10 pictures a unit": [0, 0, 1.0, 0, 0, 0, 0],
    "gap, PC at .95": [0, 0, -1.0, 0, 0, 1, 0],
    "gap, PC at .5": [0, 0, -1.0, 0, 0, 0, 1],
    "I, PC at .95": [0, 0, -1.0, 1, -1, 1, 0],
    "I, PC at .5": [0, 0, -1.0, 1, -1, 0, 1],
}
_RATIO = ([0, 0, -1.0, 1, 0, 0, 0], [0, 0, 0, 0, 1.0, 0, -1])


def grid(seeds: int) -> list[Json]:
    """Work for `gridded`: ten runs per seed of each cell of the grid."""
    cells = product(UNITS, TRUTHS, CORRELATIONS, ALIKE, (False, True), (False, True))
    return [[place, *cell, 10 * seeds] for place, cell in enumerate(cells)]


def gridded(job: Json, item: Json) -> Json:
    """Intervals in one cell of the grid: rows of figure, cell, runs, held, open, mean width of those not open.

    `item` is the cell's number, units, truth, correlation, the kind of correlation, whether units share it over picture
    types, whether cases have unlike rates, and the number of runs.
    """
    place, units, truth, correlation, alike, shared, unlike, runs = item
    rng = np.random.default_rng([job["seed"], 4, place])
    cases = np.arange(units) // max(units // 4, 2)
    pictures, rate = _CELLS[:, 0], np.where(np.isnan(_CELLS[:, 1]), truth, _CELLS[:, 1])
    away = UNLIKE * np.minimum(rate, 1 - rate) if unlike else np.zeros(len(rate))
    expected = rate + np.where(cases % 2, 1, -1)[:, None] * away
    own = _own(rng, expected, runs, correlation, alike, shared)
    rows = np.broadcast_to(pictures, expected.shape)
    rates = Rates(rng.binomial(pictures.astype(int), own), rows, cases if unlike else np.zeros(units))
    truths = expected.mean(0)
    intervals = []
    for name, weights in FIGURES.items():
        bounds = (rates.mean if name.startswith("rate") else rates.contrast)(weights)
        intervals.append((name, float(truths @ weights), bounds))
    above, below = (float(truths @ weights) for weights in _RATIO)
    intervals.append(("R", abs(above / below), rates.ratio(*_RATIO)))
    cell = [units, truth, correlation, alike, shared, unlike]
    return [[name, cell, runs, *_counted(value, low, high)] for name, value, (_, low, high) in intervals]


def _own(rng: np.random.Generator, expected: Floats, runs: int, correlation: float, alike: str, shared: bool) -> Floats:
    """Random rates of units in each cell, shape (runs, units, cells), with mean `expected`.

    With "all or none", the share `correlation` of units answers all pictures alike; the others answer each picture
    independently.
    """
    shape = (runs, len(expected), 1 if shared else expected.shape[1])
    drawn = rng.random(shape)
    if alike == "all or none":
        return np.where(rng.random(shape) < correlation, drawn < expected, expected)
    parts, place = np.unique(expected, return_inverse=True)
    spread = (1 - correlation) / correlation
    levels = np.linspace(0, 1, 2001)
    own = np.empty((runs, *expected.shape))
    drawn = np.broadcast_to(drawn, own.shape)
    for number, part in enumerate(parts):
        here = place.reshape(expected.shape) == number
        own[:, here] = np.interp(drawn[:, here], levels, special.betaincinv(part * spread, (1 - part) * spread, levels))
    return own


def _counted(truth: float, low: Floats, high: Floats) -> tuple[int, int, float | None]:
    held = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
    bounded = np.isfinite(high)
    return int(held.sum()), int((~bounded).sum()), float((high - low)[bounded].mean()) if bounded.any() else None


@dataclass(frozen=True, kw_only=True)
class Near:
    """Coverage of one figure over the grid: mean, worst cell and its description, and mean widths.

    `widths` are those at each of `UNITS`; `open` is the share of intervals without an upper bound, which widths leave
    out. `allowed` is the simulation error of a cell.
    """

    figure: str
    unlike: bool
    cells: int
    runs: int
    mean: float
    worst: float
    where: str
    widths: tuple[float | None, ...]
    open: float

    @property
    def allowed(self) -> float:
        return 1.96 * sqrt(LEAST * (1 - LEAST) / self.runs)

    @property
    def kept(self) -> bool:
        """Whether coverage is at least 90 % − the simulation error in every cell.

        >>> Near(figure="R", unlike=True, cells=1, runs=2000, mean=0.99, worst=0.888, where="", widths=(), open=0).kept
        True
        """
        return self.worst >= LEAST - self.allowed


def means(near_figures: Iterable[Near]) -> dict[str, float]:
    """The mean coverage of rates, gap, I and R over the cells with alike cases; 93 to 99 % is promised."""
    groups: dict[str, list[float]] = defaultdict(list)
    for each in near_figures:
        if not each.unlike:
            groups[each.figure.partition(",")[0]].append(each.mean)
    return {name: float(np.mean(each)) for name, each in groups.items()}


def nears(results: Iterable[Json]) -> list[Near]:
    """The results of `gridded` by figure, for alike and unlike cases."""
    groups: dict[tuple[bool, str], list[Json]] = defaultdict(list)
    for name, cell, *counts in (row for rows in results for row in rows):
        groups[cell[-1], name].append([cell, *counts])
    return [_near(name, unlike, rows) for (unlike, name), rows in sorted(groups.items(), key=lambda each: each[0][0])]


def _near(figure: str, unlike: bool, rows: list[Json]) -> Near:
    shares = [held / runs for _, runs, held, *_ in rows]
    worst = int(np.argmin(shares))
    widths = []
    for units in UNITS:
        bounded = [row[4] for row in rows if row[0][0] == units and row[4] is not None]
        widths.append(float(np.mean(bounded)) if bounded else None)
    units, truth, correlation, alike, shared, _ = rows[worst][0]
    together = "shared by types" if shared else "by type"
    return Near(
        figure=figure,
        unlike=unlike,
        cells=len(rows),
        runs=rows[0][1],
        mean=float(np.mean(shares)),
        worst=shares[worst],
        where=f"{units} units, truth {truth:g}, correlation {correlation:g}, {alike}, {together}",
        widths=tuple(widths),
        open=sum(row[3] for row in rows) / sum(row[1] for row in rows),
    )
