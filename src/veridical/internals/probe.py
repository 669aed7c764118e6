"""What can be read from a model's states, layer by layer: factors and labels, beside what controls give.

Controls are shuffled targets, pooled pixels, and the same architecture with random weights. Targets and groups are
columns of the table of states, whatever the suite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from veridical.base.files import replace_atomically, write_whole
from veridical.base.path_checks import INSIDE, holds_run
from veridical.errors import InputError, unknown
from veridical.internals.readout_charts import (
    BEYOND,
    CHANGE,
    MODEL,
    PICTURE,
    RANDOM,
    StateCloud,
    component_clouds,
    part_of,
    read_out_curves,
)
from veridical.internals.stored_states import PIXELS, StoredStates
from veridical.stats.readouts import ReadOut, read_out, read_out_work, unread, without_unit_means
from veridical.stats.resample import Codes, Floats, Statistic, unit_codes
from veridical.suite import registry

TABLES, CURVES, COMPONENTS = ("read-outs.parquet", "read-outs.csv"), "read-outs.svg", "read-outs-pca.svg"
SHUFFLES = 200
VARIANT = "variant"
NO_CONTROL = (
    "Without read-outs of the same architecture with random weights, nothing can be concluded: untrained networks "
    "separate pictures too. `veridical whitebox states RUN --random-weights 1` writes theirs."
)
_LEVELS = 20
"""Levels of a target that is no number, at most."""
_PLACE = ("target", "read", "group", "source", "state")
READ_OUTS: dict[str, Any] = {
    **dict.fromkeys(_PLACE, pl.String()),
    **dict.fromkeys(("r2", "low", "high"), pl.Float64()),
    **dict.fromkeys(("n", "units", "without"), pl.Int64()),
    **dict.fromkeys(("shuffled", "p"), pl.Float64()),
    "reason": pl.String(),
}
_TWICE = (RANDOM, PIXELS)
"""Pooled pixels do not depend on weights."""


class ProbedGroup(NamedTuple):
    """The rows of a group that have states and a target, and the target's columns; `without` counts the others."""

    name: str
    rows: Codes
    values: Floats
    units: Codes
    without: int


class ProbePlace(NamedTuple):
    """What is read, from single pictures or from changes in a unit, of which trials, and from what."""

    target: str
    read: str
    group: str
    source: str
    state: str


class ProbeCost(NamedTuple):
    """What probing takes, from the time of one read-out: so many `read_outs`, each with its shuffled targets."""

    read_outs: int
    seconds: float


@dataclass(frozen=True, repr=False)
class ReadOutTable:
    """The read-outs of the states in a folder, as a table (see `probe_states`)."""

    folder: Path
    table: pl.DataFrame

    def __repr__(self) -> str:
        return f"<Read-outs of {self.folder}: {len(self.table):,} rows>"


def probe_states(
    states: Path | str,
    *,
    targets: Sequence[str] | None = None,
    by: str = VARIANT,
    groups: Sequence[Sequence[str]] | None = None,
    random: Path | str | None = None,
    shuffles: int = SHUFFLES,
    seed: int = 0,
    agree: Callable[[ProbeCost], None] | None = None,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> ReadOutTable:
    """The read-outs of targets from a folder of states, by group; written into the folder as tables and two figures.

    `states` may be a run with states in `inside/states`; its control is then in `inside/random`, if there is one.
    `targets` are columns (default: factors that are numbers, and `label`). `groups` are the levels of the column `by`
    that make a group each (default: those that the suite names, else each level in which a target varies, or else all
    trials). `random` is a folder with states of the same trials by random weights. The table has R² (`r2`) with its
    interval by unit, the R² that 95 % of `shuffles` of the target inside units stay below (`shuffled`), and the share
    of them that reach it (`p`). The target is read from single pictures (`picture`), and from what differs in a unit,
    whose means are subtracted (`change`). Rows with a group or source `A − B` are differences by unit. `agree` gets the
    cost before it is paid. Raises `InputError` for unknown columns and levels.
    """
    sources = _sources(Path(states), None if random is None else Path(random))
    stored = sources[MODEL]
    wanted = groups or _usual_groups(stored, by)
    planned = {target: _groups(stored.facts, target, by, wanted) for target in _targets(stored.facts, targets)}
    found = _read_outs(sources, planned, {"shuffles": shuffles, "seed": seed}, agree, progress)
    probe = ReadOutTable(stored.folder, _table(found, planned))
    _write(probe, sources, planned)
    return probe


def lacks_control(table: pl.DataFrame) -> bool:
    """Whether read-outs lack those of random weights, without which nothing follows from them."""
    return table.filter(source=BEYOND).is_empty()


def _sources(states: Path, random: Path | None) -> dict[str, StoredStates]:
    if holds_run(states):
        own = states / INSIDE / "random"
        states, random = states / INSIDE / "states", own if random is None and own.is_dir() else random
    sources = {MODEL: StoredStates(states)}
    if random is not None:
        sources[RANDOM] = StoredStates(random)
        sources[MODEL].require_control(sources[RANDOM])
    return sources


def _usual_groups(stored: StoredStates, by: str) -> list[tuple[str, ...]]:
    """The groups that the suite of some states names, of those whose levels are all there."""
    try:
        part = registry.get(str(stored.identity.get("suite"))).evaluation
    except InputError:
        return []
    if part is None or part.encoded is None or by != VARIANT:
        return []
    levels = set(stored.facts[VARIANT])
    return [each for each in part.encoded.groups if levels.issuperset(each)]


def _read_outs(
    sources: Mapping[str, StoredStates],
    planned: Mapping[str, Sequence[ProbedGroup]],
    how: Mapping[str, Any],
    agree: Callable[[ProbeCost], None] | None,
    progress: Callable[[int, int], None],
) -> dict[ProbePlace, ReadOut]:
    steps = [(source, name) for source, each in sources.items() for name in each.names if (source, name) != _TWICE]
    done, total = 0, 2 * len(steps) * sum(map(len, planned.values()))
    if agree is not None and total:
        agree(_cost(sources, steps, [group for some in planned.values() for group in some], how))
    found: dict[ProbePlace, ReadOut] = {}
    for source, name in steps:
        matrix = sources[source].matrix(name)
        for target, some in planned.items():
            for group, read in product(some, (PICTURE, CHANGE)):
                place = ProbePlace(target, read, group.name, PIXELS if name == PIXELS else source, name)
                if matrix is None:
                    found[place] = unread(group.units, "trials differ in the number of their pictures")
                else:
                    found[place] = read_out(matrix[group.rows], group.values, group.units, within=read == CHANGE, **how)
                progress(done := done + 1, total)
    return found


def _cost(
    sources: Mapping[str, StoredStates],
    steps: Sequence[tuple[str, str]],
    groups: Sequence[ProbedGroup],
    how: Mapping[str, Any],
) -> ProbeCost:
    """The cost of all read-outs, from the time of the least one with a state and what each takes beside it."""
    sizes = {source: each.sizes() for source, each in sources.items()}

    def work(step: tuple[str, str], group: ProbedGroup) -> int:
        return read_out_work(len(group.rows), sizes[step[0]][step[1]], group.values.shape[1] * (1 + how["shuffles"]))

    each = {(step, place): work(step, group) for step in steps for place, group in enumerate(groups)}
    (source, name), place = min(
        (key for key, value in each.items() if value), key=each.__getitem__, default=next(iter(each))
    )
    matrix, group, seconds = sources[source].matrix(name), groups[place], 0.0
    if matrix is not None:
        start = perf_counter()
        read_out(matrix[group.rows], group.values, group.units, **how)
        seconds = perf_counter() - start
    return ProbeCost(2 * len(each), 2 * seconds * sum(each.values()) / max(1, each[(source, name), place]))


def _targets(facts: pl.DataFrame, wanted: Sequence[str] | None) -> list[str]:
    numbers = [name for name in facts.columns if facts.schema[name].is_numeric()]
    usual = [name for name in (*numbers, "label") if facts[name].drop_nulls().n_unique() > 1]
    for name in wanted or usual:
        _require_column(facts, name)
        if name not in numbers and (levels := facts[name].n_unique()) > _LEVELS:
            raise InputError(f"target '{name}' has {levels:,} levels: a number or at most {_LEVELS} levels are allowed")
    if not (wanted or usual):
        raise InputError("neither the label nor a factor that is a number varies: name a target")
    return list(dict.fromkeys(wanted or usual))


def _require_column(facts: pl.DataFrame, name: str) -> None:
    if name not in facts.columns:
        raise unknown("column of states", name, facts.columns)


def _groups(facts: pl.DataFrame, target: str, by: str, groups: Sequence[Sequence[str]] | None) -> list[ProbedGroup]:
    _require_column(facts, by)
    levels = facts[by].cast(pl.String)
    names = sorted(levels.drop_nulls().unique())
    for level, count in Counter(level for group in groups or () for level in group).items():
        if level not in names:
            raise unknown(f"level of {by}", level, names)
        if count > 1:
            raise InputError(f"level '{level}' of {by} is named twice: groups share no trial")
    if groups:
        return [_group(facts, target, ",".join(each), levels.is_in(list(each))) for each in groups]
    apart = [_group(facts, target, name, levels == name) for name in names]
    whole = _group(facts, target, "all", pl.repeat(value=True, n=len(facts), eager=True))
    return [each for each in apart if len(each.rows) and np.ptp(each.values, axis=0).any()] or [whole]


def _group(facts: pl.DataFrame, target: str, name: str, members: pl.Series) -> ProbedGroup:
    """The rows of a group; a target that is no number gets a column of 0 and 1 for each of its levels."""
    number, column = facts.schema[target].is_numeric(), facts[target]
    column = column.cast(pl.Float64) if number else column.cast(pl.String)
    usable = members & facts["problem"].is_null() & (column.is_finite() if number else column.is_not_null())
    rows = np.flatnonzero(usable.fill_null(value=False).to_numpy())
    own = column.gather(rows)
    columns = [own] if number else [own == level for level in sorted(own.unique())]
    values = np.array([each.to_numpy() for each in columns], float).reshape(len(columns), len(rows)).T
    units = unit_codes(facts["unit"].to_numpy(), len(facts))[rows]
    return ProbedGroup(name, rows, values, units, int(members.sum()) - len(rows))


def _table(found: Mapping[ProbePlace, ReadOut], planned: Mapping[str, Sequence[ProbedGroup]]) -> pl.DataFrame:
    rows = [_row(*each) for each in _with_differences(found, planned)]
    seen = {name: place for place, name in enumerate(dict.fromkeys((key, row[key]) for key in _PLACE for row in rows))}
    return pl.DataFrame(sorted(rows, key=lambda row: [seen[key, row[key]] for key in _PLACE]), schema=READ_OUTS)


def _with_differences(
    found: Mapping[ProbePlace, ReadOut], planned: Mapping[str, Sequence[ProbedGroup]]
) -> Iterator[tuple[ProbePlace, Statistic, tuple[float, float] | None, int]]:
    """The read-outs with their chance levels, how the model and the first group differ from others, missing rows."""
    for place, each in found.items():
        without = {group.name: group.without for group in planned[place.target]}
        first, own = next(iter(without)), place.group
        yield place, each.explained(), each.chance, without[own]
        if place.source == RANDOM:
            model = found[place._replace(source=MODEL)]
            yield place._replace(source=BEYOND), model.explained(each), None, without[own]
        if own != first:
            other = found[place._replace(group=first)]
            between = place._replace(group=f"{first} − {own}")
            yield between, other.explained(each), None, without[first] + without[own]


def _row(place: ProbePlace, value: Statistic, chance: tuple[float, float] | None, without: int) -> dict[str, Any]:
    shuffled, p = chance or (None, None)
    facts = {name: getattr(value, name) for name in ("low", "high", "n", "units", "reason")}
    return {**place._asdict(), "r2": value.value, **facts, "without": without, "shuffled": shuffled, "p": p}


def _write(
    probe: ReadOutTable, sources: Mapping[str, StoredStates], planned: Mapping[str, Sequence[ProbedGroup]]
) -> None:
    with replace_atomically(probe.folder / TABLES[0]) as temporary:
        probe.table.write_parquet(temporary)
    write_whole(probe.folder / TABLES[1], probe.table.write_csv().encode())
    write_whole(probe.folder / CURVES, read_out_curves(probe.table).encode())
    target, groups = next(iter(planned.items()))
    last = {part_of(name): name for name in (*sources[MODEL].names, PIXELS)}
    last[PIXELS] = last.pop(PIXELS)
    clouds = []
    for group, (source, stored), name in product(groups, sources.items(), last.values()):
        matrix = None if (source, name) == _TWICE else stored.matrix(name)
        if matrix is not None and len(group.rows) and np.isfinite(matrix[group.rows]).all():
            states = without_unit_means(matrix[group.rows], unit_codes(group.units, len(group.rows)))
            clouds.append(StateCloud(group.name, source, name, states, group.values[:, 0]))
    if clouds:
        write_whole(probe.folder / COMPONENTS, component_clouds(clouds, target).encode())
