"""What was read from inside the model of a run, as the run's folder `inside` holds it: a folder for each reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from veridical.base.files import os_errors
from veridical.base.path_checks import INSIDE, sort_paths
from veridical.errors import InputError
from veridical.internals.patch_curve import CURVE, CURVE_SCHEMA
from veridical.internals.probe import COMPONENTS, READ_OUTS, TABLES
from veridical.internals.stored_states import reading_identity
from veridical.internals.token_map import PLACES, MapTable, TokenMap
from veridical.records import Json

_READINGS = ("states", "answers", "patch", "saliency")
_ANSWERS = {"problem": pl.String(), "flag": pl.String()}
_LARGEST, _DRAWN = 20_000_000, 2_000_000
"""Bytes of a table, and of a figure, that a page takes at most."""


@dataclass(frozen=True)
class AnswerCounts:
    """How many trials have probabilities of answers, of all, and how many of these are flagged, by reason."""

    trials: int
    read: int
    flags: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class RunInternals:
    """The readings of a run's model, by the names of their folders, those of states first.

    `read_outs` are tables as `probe_states` writes them, `components` the SVG beside them; `curves` are those of
    patched runs, `maps` those of picture tokens. `problems` says of readings why they are left out.
    """

    read_outs: Mapping[str, pl.DataFrame]
    components: Mapping[str, str]
    curves: Mapping[str, pl.DataFrame]
    answers: Mapping[str, AnswerCounts]
    maps: Sequence[TokenMap]
    problems: Sequence[str]

    @property
    def empty(self) -> bool:
        """Whether nothing was read."""
        return not (self.read_outs or self.curves or self.answers or self.maps or self.problems)

    @classmethod
    def of(cls, run: Path, identity: Mapping[str, Json]) -> RunInternals:
        """The readings in a run's folder; those of random weights are controls, and stand in the tables of others.

        A reading of another model or set than those of `identity`, and one that is damaged, is left out with a problem.
        """
        found: dict[str, dict[str, Any]] = {"read_outs": {}, "components": {}, "curves": {}, "answers": {}}
        maps: dict[tuple[int, int], TokenMap] = {}
        problems = []
        for folder in _folders(run):
            try:
                if not any(folder.iterdir()) or (own := _identity(folder)).get("random_weights") is not None:
                    continue
                _require_own(own, identity)
                maps |= {(each.width, each.height): each for each in MapTable(folder / PLACES).maps}
                for kind, content in _content(folder):
                    found[kind][folder.name] = content
                if (path := folder / COMPONENTS).is_file() and folder.name in found["read_outs"]:
                    found["components"][folder.name] = _figure(path)
            except (InputError, pl.exceptions.PolarsError) as error:
                problems.append(f"{INSIDE}/{folder.name}: {' '.join(str(error).split())[:200]}")
        return cls(**found, maps=list(maps.values()), problems=problems)


def _folders(run: Path) -> list[Path]:
    place = run / INSIDE
    try:
        folders = [each for each in sort_paths(place.iterdir()) if each.is_dir() and not each.name.startswith(".")]
    except OSError:
        return []
    return sorted(folders, key=lambda each: each.name != "states")


def _identity(folder: Path) -> Mapping[str, Json]:
    """What a reading is of, as its JSON file says; raises `InputError` where there is none."""
    for name in _READINGS:
        if (folder / f"{name}.json").is_file():
            return reading_identity(folder / f"{name}.json", name)
    raise InputError(f"no file says what it is of ({', '.join(f'{name}.json' for name in _READINGS)})")


def _require_own(own: Mapping[str, Json], run: Mapping[str, Json]) -> None:
    for name in ("model", "revision", "set"):
        if own.get(name) != run.get(name, own.get(name)):
            raise InputError(f"it is of the {name} {own.get(name)}, and the run is of {run.get(name)}")


def _content(folder: Path) -> Iterator[tuple[str, Any]]:
    if (path := folder / TABLES[0]).is_file():
        yield "read_outs", _table(path, READ_OUTS)
    if (path := folder / CURVE).is_file():
        yield "curves", _table(path, CURVE_SCHEMA)
    if parts := sort_paths(folder.glob("answers/*.parquet")):
        rows = pl.concat(_table(path, _ANSWERS) for path in parts)
        flags = rows.drop_nulls("flag").group_by("flag").len().sort("len", "flag", descending=True)
        yield "answers", AnswerCounts(len(rows), rows["problem"].null_count(), dict(flags.iter_rows()))


def _table(path: Path, schema: Mapping[str, Any]) -> pl.DataFrame:
    """The columns of a schema in a Parquet file; raises `InputError` where they are not as it says."""
    _require_small(path)
    with os_errors(path, "read"):
        scan = pl.scan_parquet(path)
        held = scan.collect_schema()
        if wrong := [name for name, kind in schema.items() if held.get(name) != kind]:
            raise InputError(f"{path.name} has no column {wrong[0]} of type {schema[wrong[0]]}")
        return scan.select(list(schema)).collect()


def _figure(path: Path) -> str:
    _require_small(path, _DRAWN)
    with os_errors(path, "read"):
        return path.read_text(encoding="utf-8", errors="replace")


def _require_small(path: Path, most: int = _LARGEST) -> None:
    with os_errors(path, "read"):
        if (size := path.stat().st_size) > most:
            raise InputError(f"{path.name} has {size:,} bytes, and a page takes {most:,} at most")
