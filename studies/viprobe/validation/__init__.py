"""Validation of verdicts, intervals, tests and plans on simulated observers whose mechanism is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from studies.viprobe.validation.coverage import NULLS, OBSERVERS, covered, fits, fitted, rejected
from studies.viprobe.validation.design import design_frame
from studies.viprobe.validation.document import Validation, assembled
from studies.viprobe.validation.interval_grid import grid, gridded
from studies.viprobe.validation.items_left_out import LEFT_OUT, RUNS, predicted
from studies.viprobe.validation.observers import CATALOGUE
from studies.viprobe.validation.planned import plans, powered
from studies.viprobe.validation.verdict_counts import DRAWS, TESTED, judged
from veridical.base.processes import Handler, cores
from veridical.base.workers import Workers
from veridical.errors import InputError, unknown
from veridical.records import Json

SEEDS, OBSERVED = 200, 20
SEED = 3
"""Smaller seeds were used while the rules were still being tuned."""

MOST_SEEDS = 10_000
Progress = Callable[[int, int], None]

__all__ = ["OBSERVED", "SEEDS", "Validation", "design_frame", "validate"]


_HANDLERS: Mapping[str, Handler] = {
    "judged": judged,
    "predicted": predicted,
    "covered": covered,
    "gridded": gridded,
    "fitted": fitted,
    "rejected": rejected,
    "powered": powered,
}


def validate(
    seeds: int = SEEDS,
    *,
    observers: int = OBSERVED,
    only: Sequence[str] | None = None,
    cases: Sequence[str] | None = None,
    units: int = 10,
    levels: int | None = None,
    processes: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Validation:
    """Results of the instruments on observers whose mechanism is known, compared with the promised rates.

    Verdicts are checked on `observers` runs of each observer of the catalogue (`only`: of these names), each with
    `cases` (default: all classic ones), `units` base items and `levels` strengths (default: those of a default set).
    The coverage of intervals, type-I errors and the power of plans are checked on 2 × `seeds` runs, and each cell of
    the grid of rates near 0 and 1 on 10 × `seeds`. `processes` share the work (default: one per core; 1: this process
    only), or the workers of a Ray `cluster`. The result depends on the other arguments alone. Raises `InputError` for
    an invalid number or name.
    """
    _checked(seeds, observers, only, processes)
    workers = Workers.stated(processes, cluster)
    chosen = list(dict.fromkeys(only)) if only else None
    design_frame(1, levels, cases)
    design_frame(units, levels, ["muller_lyer"])
    design: dict[str, Json] = {
        "units": units,
        "levels": levels,
        "cases": list(cases) if cases else None,
        "draws": DRAWS,
        "tested": TESTED,
    }
    runs = range(2 * seeds)
    items: list[Json] = [
        *(["judged", [name, number]] for number in range(observers) for name in chosen or CATALOGUE),
        *(
            ["predicted", [name, k]]
            for name in LEFT_OUT
            if name in (chosen or LEFT_OUT)
            for k in range(min(observers, RUNS))
        ),
        *(["covered", [name, number]] for name in OBSERVERS for number in runs),
        *(["gridded", item] for item in grid(seeds)),
        *(["fitted", item] for item in fits(seeds)),
        *(["rejected", [name, number]] for name in NULLS for number in runs),
        *(["powered", item] for item in plans(seeds)),
    ]
    results: list[Json] = [None] * len(items)
    for done, (place, result) in enumerate(_results({"seed": SEED, **design}, items, workers or Workers(cores())), 1):
        results[place] = result
        if progress is not None:
            progress(done, len(items))
    by_handler: dict[str, list[Json]] = {name: [] for name in _HANDLERS}
    for (name, _), result in zip(items, results, strict=True):
        by_handler[name].append(result)
    return assembled({"seeds": seeds, "observers": observers, "only": chosen, **design}, by_handler)


def _checked(seeds: int, observers: int, only: Sequence[str] | None, processes: int | None) -> None:
    for number, what in ((seeds, "seeds"), (observers, "observers")):
        if not 1 <= number <= MOST_SEEDS:
            raise InputError(f"{number} {what}: 1 to {MOST_SEEDS:,} are allowed")
    for name in only or ():
        if name not in CATALOGUE:
            raise unknown("observer", name, CATALOGUE)
    if processes is not None and processes < 1:
        raise InputError(f"{processes} processes: at least 1 is needed")


def work(job: Json, item: Json) -> Json:
    """The place of an item, and the result of the handler that it names."""
    place, name, rest = item
    return [place, _HANDLERS[name](job, rest)]


def _results(job: Json, items: Sequence[Json], workers: Workers) -> Iterator[Json]:
    placed = [[place, *item] for place, item in enumerate(items)]
    return workers.map(work, job, placed) if workers.several else (work(job, item) for item in placed)
