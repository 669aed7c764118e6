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
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from veridical.base.files import os_errors, read_json, replace_atomically, require_format, write_whole
from veridical.errors import InputError, unknown
from veridical.report.readout_charts import (
    CHANGE,
    MODEL,
    PICTURE,
    RANDOM,
    StateCloud,
    component_clouds,
    part_of,
    read_out_curves,
)
from veridical.stats.readouts import ReadOut, read_out, unread, without_unit_means
from veridical.stats.resample import Codes, Floats, Statistic, unit_codes
from veridical.whitebox.states import FORMAT, IDENTITY, PARTS, PIXELS

TABLES, CURVES, COMPONENTS = ("read-outs.parquet", "read-outs.csv"), "read-outs.svg", "read-outs-pca.svg"
SHUFFLES = 200
_LEVELS = 20
"""Levels of a target that is no number, at most."""
_PLACE = ("target", "read", "group", "source", "state")
_SCHEMA: dict[str, Any] = {
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


@dataclass(frozen=True, repr=False)
class ReadOutTable:
    """The read-outs of the states in a folder, as a table (see `probe_states`)."""

    folder: Path
    table: pl.DataFrame

    def __repr__(self) -> str:
        return f"<Read-outs of {self.folder}: {len(self.table):,} rows>"


class StoredStates:
    """A folder of states with the facts of its trials; raises `InputError` for another folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, stated = folder, folder / IDENTITY
        if not stated.is_file() or not any(folder.glob(PARTS)):
            raise InputError(f"{folder} has no states: `veridical whitebox states` writes them")
        content = read_json(stated)
        require_format(stated, content, FORMAT, what="states", again="veridical whitebox states")
        self.identity = content["identity"]
        with os_errors(folder, "read"):
            self._scan = pl.scan_parquet(folder / PARTS)
            schema = self._scan.collect_schema()
            self.names = [name for name, kind in schema.items() if kind == pl.List]
            self.facts = self._scan.select(pl.exclude(self.names)).collect()

    def matrix(self, name: str) -> Floats | None:
        """A state of all trials, shape (trials, size), NaN where there is none; `None` if trials differ in size."""
        column = self._scan.select(name).collect()[name]
        sizes = column.list.len().drop_nulls().unique()
        if len(sizes) != 1:
            return None
        matrix = np.full((len(column), sizes[0]), np.nan)
        matrix[column.is_not_null().to_numpy()] = column.drop_nulls().explode().to_numpy().reshape(-1, sizes[0])
        return matrix

    def require_control(self, other: StoredStates) -> None:
        """Raises `InputError` if others are not those of random weights for the same trials."""
        if other.identity["random_weights"] is None:
            raise InputError(
                f"{other.folder} has states of trained weights: `states --random-weights` writes the control"
            )
        if differ := [name for name in ("model", "set", "trials") if self.identity[name] != other.identity[name]]:
            raise InputError(f"{other.folder} and {self.folder} have states that differ in {', '.join(differ)}")


def probe_states(
    states: Path | str,
    *,
    targets: Sequence[str] | None = None,
    by: str = "variant",
    groups: Sequence[Sequence[str]] | None = None,
    random: Path | str | None = None,
    shuffles: int = SHUFFLES,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> ReadOutTable:
    """The read-outs of targets from a folder of states, by group; written into the folder as tables and two figures.

    `targets` are columns (default: factors that are numbers, and `label`). `groups` are the levels of the column `by`
    that make a group each (default: each level in which a target varies, or else all trials). `random` is a folder with
    states of the same trials by random weights. The table has R² (`r2`) with its interval by unit, the R² that 95 % of
    `shuffles` of the target inside units stay below (`shuffled`), and the share of them that reach it (`p`). The target
    is read from single pictures (`picture`), and from what differs in a unit, whose means are subtracted (`change`).
    Rows with a group or source `A − B` are differences by unit. Raises `InputError` for unknown columns and levels.
    """
    stored = StoredStates(Path(states))
    sources = {MODEL: stored}
    if random is not None:
        sources[RANDOM] = StoredStates(Path(random))
        stored.require_control(sources[RANDOM])
    planned = {target: _groups(stored.facts, target, by, groups) for target in _targets(stored.facts, targets)}
    steps = [(source, name) for source, each in sources.items() for name in each.names if (source, name) != _TWICE]
    done, total = 0, 2 * len(steps) * sum(map(len, planned.values()))
    found: dict[ProbePlace, ReadOut] = {}
    for source, name in steps:
        matrix = sources[source].matrix(name)
        for target, some in planned.items():
            for group, read in product(some, (PICTURE, CHANGE)):
                place = ProbePlace(target, read, group.name, PIXELS if name == PIXELS else source, name)
                if matrix is None:
                    found[place] = unread(group.units, "trials differ in the number of their pictures")
                else:
                    how: dict[str, Any] = {"within": read == CHANGE, "shuffles": shuffles, "seed": seed}
                    found[place] = read_out(matrix[group.rows], group.values, group.units, **how)
                progress(done := done + 1, total)
    probe = ReadOutTable(stored.folder, _table(found, planned))
    _write(probe, sources, planned)
    return probe


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
    return pl.DataFrame(sorted(rows, key=lambda row: [seen[key, row[key]] for key in _PLACE]), schema=_SCHEMA)


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
            yield place._replace(source=f"{MODEL} − {RANDOM}"), model.explained(each), None, without[own]
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
