"""Whether the strengths of a design bound what they promise: where targets look equal, and how finely that is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from veridical.base.markdown import table
from veridical.base.processes import cores, in_processes
from veridical.records import Json
from veridical.stats import Fit, Fitted, fit_same_different, fit_sigmoid
from veridical.stats.resolution import SIGMAS, Kind, simulated
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
    """One observer asked by one design, in many runs: in how many of them what was bounded, and held the truth.

    `pse` and `jnd` count runs with bounds on both sides, `pse_value` those with a value too, `finer` those with
    an upper bound of the JND at least.
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
    """All cells, so many runs each; over grids, kinds of question, units, noise from .03 to .4 and shifts up to .4."""
    items = [list(each) for each in product(GRIDS, KINDS, UNITS, SIGMAS, SHIFTS)]
    found = []
    for done, result in enumerate(in_processes(simulated_cell, runs, items, processes or cores()), 1):
        found.append(Cell(*result))
        if progress is not None:
            progress(done, len(items))
    yield from sorted(found, key=lambda cell: items.index(list(cell[:5])))


def simulated_cell(runs: Json, item: Json) -> Json:
    """A cell as JSON, from draws that its place alone decides."""
    grid, kind, units, sigma, shift = item
    levels = np.array(sorted({0.0, *GRIDS[grid]}))
    place = [list(GRIDS).index(grid), KINDS.index(kind), units, round(1000 * sigma), round(1000 * shift)]
    counts = np.zeros(6, int)
    for run in range(runs):
        said = simulated(levels, units, _REPLIES, kind, sigma, np.random.default_rng([run, *place]), shift=shift)
        fit = (fit_same_different if kind == "same" else fit_sigmoid)(levels, said, np.full(said.shape, _REPLIES))
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


def _holds(fitted: Fitted, truth: float) -> bool:
    return (fitted.low is None or fitted.low <= truth) and (fitted.high is None or truth <= fitted.high)


_TEXT = """\
# Which strengths a design needs

`veridical viprobe strengths --runs {runs}` wrote this page: simulated observers, {runs} runs a cell, asked at 0 and at
the strengths of a grid, two replies a picture. Their noise (its standard deviation) and the shift of their PSE are in
units of the strength; three tenths of the noise lie between units, half of the second replies repeat the first, and a
lapse in 25 replies varies from unit to unit, so no observer is just what the fit assumes.

PSE and JND count runs with an interval bounded on both sides, and PSE, value those that single out a value as well;
"at most" counts runs that bound the JND from above at least.

## The least in any cell

PSE over noise of .03 to .4 and shifts of 0, .15 and .4; JND over noise of .15 to .4, and over finer noise.

{least}

## Every cell

{every}
"""


def page(found: Sequence[Cell]) -> str:
    """The page: a table of what each grid bounds in its least favorable cells, and one of all cells."""
    least = ["strengths", "question", "units", "PSE", "PSE, value", "JND from .15", "JND, finer", "at most"]
    every = [*least[:3], "noise", "shift", "PSE", "PSE, value", "JND", "at most", "PSE held", "JND held"]
    rows = ([*_scope(cell), f"{cell.sigma:g}", f"{cell.shift:g}", *map(str, cell[6:])] for cell in found)
    return _TEXT.format(runs=found[0].runs, least=table(least, _least(found)), every=table(every, rows))


def _least(found: Sequence[Cell]) -> Iterable[list[str]]:
    for grid, kind, units in product(GRIDS, KINDS, UNITS):
        of = [cell for cell in found if cell[:3] == (grid, kind, units)]
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
