"""What a design's strengths and units can measure of where targets look equal, and how finely they are seen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from veridical.records import Trial
from veridical.suites.viprobe.analysis.replies import CONTEXTS

ASSUMED = (
    "  assumed: 80 % of simulated runs measure it; one lapse in 25 replies and units that differ, for shifts noise of "
    "0.15 α; for a finer JND, a run finds an upper bound alone"
)
_FEWEST = 3
_FEWEST_UNITS = 2


class _Grid(NamedTuple):
    """The signed strengths at which figures are asked about in a task, by how many units, with how many replies."""

    task: str
    levels: tuple[float, ...]
    units: int
    replies: int


def resolutions(pieces: Iterable[tuple[Sequence[Trial], int]]) -> Iterator[str]:
    """Lines for a plan: for each task and grid of strengths, what can be measured in a case.

    `pieces` are the trials on some units, and for how many of their kind they stand. Told are the smallest shift that
    is found, of the PSE from 0 or, in comparisons, of the PSE on figures from that on controls (the size of the
    illusion), and the JNDs that get an interval; both in units of α. Nothing is told where no figure has a strength.
    """
    grids = _grids(pieces)
    if grids:
        yield "smallest illusion and JND that can be measured in a case:"
    for grid, cases in sorted(grids.items(), key=lambda each: (each[0].task, each[1])):
        yield f"  {_scope(grid, cases)}: {_measured(grid)}"
    if any(_enough(grid) for grid in grids):
        yield ASSUMED


def _enough(grid: _Grid) -> bool:
    return len(grid.levels) >= _FEWEST and grid.units >= _FEWEST_UNITS


def _scope(grid: _Grid, cases: Sequence[str]) -> str:
    which = cases[0] if len(cases) == 1 else f"{len(cases)} cases"
    strengths = ", ".join(f"{each:g}" for each in sorted({abs(level) for level in grid.levels}))
    return f"{grid.task}, {which}, {_units(grid)} at |α| {strengths}"


def _units(grid: _Grid) -> str:
    return "1 unit" if grid.units == 1 else f"{grid.units:,} units"


@lru_cache(maxsize=64)
def _measured(grid: _Grid) -> str:
    from veridical.stats.resolution import resolution

    if not _enough(grid):
        needed = [f"at least {_FEWEST} signed strengths, 0 among them,"] if len(grid.levels) < _FEWEST else []
        needed += ["at least 2 units"] if grid.units < _FEWEST_UNITS else []
        return f"neither; {' and '.join(needed)} are needed"
    compared = grid.task == "comparison"
    measure = resolution(grid.levels, grid.units, grid.replies, "first" if compared else "same")
    wider = 2**0.5 if compared else 1.0
    if measure.shift is None and measure.finest is None:
        return f"neither, with {_units(grid)}"
    shift = "no shift" if measure.shift is None else f"shifts from {wider * measure.shift:.2f} α on"
    if measure.finest is None or measure.coarsest is None:
        return f"{shift}; no JND"
    return f"{shift}; JNDs of {measure.finest:.2f} to {measure.coarsest:.2f} α"


def _grids(pieces: Iterable[tuple[Sequence[Trial], int]]) -> Mapping[_Grid, list[str]]:
    """The cases that are asked about alike. Of several instructions the first counts, as in the fits."""
    counts_by_level: dict[tuple[str, str], Counter[tuple[str, float]]] = defaultdict(Counter)
    units: Counter[tuple[str, str]] = Counter()
    ways: dict[tuple[str, str], tuple[str | None, ...]] = {}
    for trials, times in pieces:
        begun = set()
        for trial in trials:
            alpha = trial.factors.get("alpha")
            if trial.variant not in CONTEXTS["figure"] or alpha is None:
                continue
            key = trial.settings.get("task", "yes-no"), trial.family
            way = trial.settings.get("instruction"), trial.settings.get("placement")
            if ways.setdefault(key, way) == way:
                counts_by_level[key][trial.unit, float(alpha)] += 1
                begun.add((key, trial.unit))
        for key, _ in begun:
            units[key] += times
    grids: dict[_Grid, list[str]] = defaultdict(list)
    for (task, case), counts in counts_by_level.items():
        levels = sorted({alpha for _, alpha in counts})
        if levels != [0.0]:
            grids[_Grid(task, tuple(levels), units[task, case], max(counts.values()))].append(case)
    return grids
