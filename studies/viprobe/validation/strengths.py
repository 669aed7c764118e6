"""Whether the strengths of a design bound the PSE and the JND, by simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from veridical.base.markdown import table
from veridical.base.processes import cores, map_processes
from veridical.records import Json
from veridical.stats import Fit, FittedNumber, fit_same_different, fit_sigmoid
from veridical.stats.resolution import SIGMAS, Kind, simulated_replies
from veridical.suites.viprobe.options import GRID
from veridical.suites.viprobe.options import strengths as evenly_spaced

GRIDS: dict[str, tuple[float, ...]] = {
    "±.05 to ±1": GRID,
    "±.1 to ±1": tuple(alpha for alpha in GRID if abs(alpha) >= 0.1),
    "±.2 to ±1": tuple(alpha for alpha in GRID if abs(alpha) >= 0.2),
    "10 levels": evenly_spaced(10),
}
KINDS: tuple[Kind, ...] = ("same", "first")
SHIFTS = (0.0, 0.15, 0.4)
UNITS = (10, 40)
_REPLIES = 2
_WORDS = {"same": "same or different", "first": "comparison"}


class Cell(NamedTuple):
    """One observer in one design: the number of runs in which intervals were bounded and covered the truth.

    `pse` and `jnd` count runs with bounds on both sides, `pse_value` those with a value as well, `finer` those with at
    least an upper bound of the JND, `pse_held` and `jnd_held` those whose interval covers the truth.
    """

    grid: str
    kind: Kind
    units: int
    sigma: float
    shift: float
    runs: int
    pse: int
    pse_value: int
    jnd: int
    finer: int
    pse_held: int
    jnd_held: int


def cells(
    runs: int, *, processes: int | None = None, progress: Callable[[int, int], None] | None = None
) -> Iterator[Cell]:
    """All cells, with `runs` runs each: grids × kinds of question × units × noise (.03 to .4) × shifts (0 to .4)."""
    items = [list(each) for each in product(GRIDS, KINDS, UNITS, SIGMAS, SHIFTS)]
    results = []
    for done, result in enumerate(map_processes(simulated_cell, runs, items, processes or cores()), 1):
        results.append(Cell(*result))
        if progress is not None:
            progress(done, len(items))
    yield from sorted(results, key=lambda cell: items.index(list(cell[:5])))


def simulated_cell(runs: Json, item: Json) -> Json:
    """A cell as JSON; its random draws depend on its place alone."""
    grid, kind, units, sigma, shift = item
    levels = np.array(sorted({0.0, *GRIDS[grid]}))
    place = [list(GRIDS).index(grid), KINDS.index(kind), units, round(1000 * sigma), round(1000 * shift)]
    counts = np.zeros(6, int)
    for run in range(runs):
        replies = simulated_replies(
            levels, units, _REPLIES, kind, sigma, np.random.default_rng([run, *place]), shift=shift
        )
        fit = (fit_same_different if kind == "same" else fit_sigmoid)(levels, replies, np.full(replies.shape, _REPLIES))
        counts += _counted(fit, sigma, shift)
    return [grid, kind, units, sigma, shift, runs, *map(int, counts)]


def _counted(fit: Fit, sigma: float, shift: float) -> list[bool]:
    bounded = [None not in (part.low, part.high) for part in (fit.mu, fit.sigma)]
    return [
        bounded[0],
        fit.mu.identified,
        bounded[1],
        fit.sigma.high is not None,
        _holds(fit.mu, shift),
        _holds(fit.sigma, sigma),
    ]


def _holds(fitted: FittedNumber, truth: float) -> bool:
    return (fitted.low is None or fitted.low <= truth) and (fitted.high is None or truth <= fitted.high)


_TEXT = """\
# Which strengths a design needs

Written by `python -m studies.viprobe strengths --runs {runs}`: simulated observers, {runs} runs per cell, asked at 0
and at the strengths of a grid, with two replies per picture. Their noise (standard deviation) and the shift of their
PSE are in units of the strength. Three tenths of the noise lie between units, half of the second replies repeat the
first, and a lapse rate of 1 in 25 varies between units, so no observer matches the fitted model exactly.

PSE and JND count runs with an interval bounded on both sides; "PSE, value" counts those that also identify a value; "at
most" counts runs with at least an upper bound of the JND.

## The worst cells

PSE over noise of .03 to .4 and shifts of 0, .15 and .4; JND over noise of .15 to .4, and over finer noise.

{least}

## Every cell

{every}
"""


def page(results: Sequence[Cell]) -> str:
    """The page: a table of each grid's least favorable cells, and one of all cells."""
    least = ["strengths", "question", "units", "PSE", "PSE, value", "JND from .15", "JND, finer", "at most"]
    every = [*least[:3], "noise", "shift", "PSE", "PSE, value", "JND", "at most", "PSE held", "JND held"]
    rows = ([*_scope(cell), f"{cell.sigma:g}", f"{cell.shift:g}", *map(str, cell[6:])] for cell in results)
    return _TEXT.format(runs=results[0].runs, least=table(least, _least(results)), every=table(every, rows))


def _least(results: Sequence[Cell]) -> Iterable[list[str]]:
    for grid, kind, units in product(GRIDS, KINDS, UNITS):
        of = [cell for cell in results if cell[:3] == (grid, kind, units)]
        coarse, fine = ([cell.jnd for cell in of if (cell.sigma >= SIGMAS[3]) == wanted] for wanted in (True, False))
        least = (
            min(cell.pse for cell in of),
            min(cell.pse_value for cell in of),
            min(coarse),
            min(fine),
            min(cell.finer for cell in of),
        )
        yield [*_scope(of[0]), *(f"{each} of {of[0].runs}" for each in least)]


def _scope(cell: Cell) -> list[str]:
    return [cell.grid, _WORDS[cell.kind], str(cell.units)]
