"""Stimulus records as rows of `metadata.parquet` and its siblings, and the hash of the rows.

A set whose stimuli begin with media of one kind has one table. A mixed one has a table a kind, each with the `position`
of its rows in the set, for Hugging Face's folder loaders read one kind at a time.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple

import polars as pl

from veridical.base.files import os_errors, replace_atomically
from veridical.errors import InputError
from veridical.records import FactorTypes, Json, Medium, Stimulus, canonical, columns_of, factor_types, typed_value

TABLE = "metadata.parquet"
TABLES = {"image": TABLE, "video": "metadata-video.parquet", "none": "without-media.parquet"}
"""The tables of a mixed set by the kind of the first medium; a set of one kind has `TABLE` alone."""

GENERAL: dict[str, pl.DataType] = {
    **dict.fromkeys(("id", "suite", "family", "unit", "variant", "category", "question", "label"), pl.String()),
    "seed": pl.Int64(),
}
_JSON = ("factors", "truth", "measured")
_FILE, _MEDIA, _POSITION, _KIND = "file_name", "media", "position", "first_kind"
RESERVED = (*GENERAL, _FILE, _MEDIA, _POSITION, _KIND, *_JSON)
_LOADED = {str: "string", int: "int64", float: "float64", bool: "bool"}
_GROUP, _ROWS = 100, 10_000


class JoinedTables(NamedTuple):
    """What `join_parts` wrote: rows by `family/variant`, and the table of each kind."""

    counts: dict[str, int]
    tables: dict[str, str]


def to_row(stimulus: Stimulus, factors: FactorTypes) -> dict[str, Json]:
    """A stimulus as a flat row: its first medium as `file_name`, all as canonical JSON, declared factors as columns.

    What is `None` is left out. Raises ValueError for a declared factor whose value is of another type.
    """
    row: dict[str, Json] = {_FILE: stimulus.media[0].file if stimulus.media else None}
    row[_MEDIA] = canonical([_without_nothing(asdict(medium)) for medium in stimulus.media])
    row |= {name: getattr(stimulus, name) for name in GENERAL}
    row |= {name: typed_value(name, stimulus.factors.get(name), kind) for name, kind in factors.items()}
    others = {name: value for name, value in stimulus.factors.items() if name not in factors}
    row |= {"factors": canonical(others), "truth": canonical(dict(stimulus.truth))}
    row |= {"measured": canonical(dict(stimulus.measured))}
    return _without_nothing(row)


def from_row(row: Mapping[str, Json]) -> Stimulus:
    """The stimulus of a row; raises `InputError` where a column is missing or no JSON."""
    try:
        values = {name: row[name] for name in GENERAL}
        values |= {name: json.loads(row[name]) for name in _JSON}
        declared = {name: value for name, value in row.items() if name not in RESERVED}
        values["factors"] = {**declared, **values["factors"]}
        return Stimulus(media=tuple(Medium(**each) for each in json.loads(row[_MEDIA])), **values)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"the table's row '{row.get('id')}' is no stimulus: {error}") from error


def join_parts(parts: Sequence[Path], folder: Path, factors: FactorTypes) -> JoinedTables:
    """Writes rows that stand as JSON lines in several files to the tables of a set, in a stream, and counts them.

    The counts are by `family/variant`, in the order in which they come first.
    """
    schema = {_FILE: pl.String(), _MEDIA: pl.String(), **GENERAL, **columns_of(factors)}
    schema |= dict.fromkeys(_JSON, pl.String())
    # Scanning thousands of small files holds them all in memory; scanning a few dozen larger ones does not.
    groups = [parts[start : start + _GROUP] for start in range(0, len(parts), _GROUP)]
    joined = [parts[0].with_name(f"joined-{k:06}.parquet") for k in range(len(groups))]
    kind = pl.col(_MEDIA).str.json_path_match("$[0].kind").fill_null("none").alias(_KIND)
    for group, path in zip(groups, joined, strict=True):
        rows = pl.read_ndjson(b"".join(part.read_bytes() for part in group), schema=schema)
        with replace_atomically(path) as place:
            rows.with_columns(kind).write_parquet(place)
    whole = pl.scan_parquet(joined, glob=False)
    kinds = whole.select(pl.col(_KIND).unique(maintain_order=True)).collect()[_KIND].to_list()
    tables = {name: TABLES[name] if len(kinds) > 1 else TABLE for name in kinds}
    for name, table in tables.items():
        rows_of = whole.with_row_index(_POSITION).filter(pl.col(_KIND) == name).drop(_KIND)
        with replace_atomically(folder / table) as place:
            (rows_of if len(kinds) > 1 else rows_of.drop(_POSITION)).sink_parquet(place, row_group_size=_ROWS)
    name = pl.concat_str("family", "variant", separator="/")
    counted = whole.group_by(name, maintain_order=True).len().collect()
    return JoinedTables(dict(counted.iter_rows()), tables)


def read_tables(folder: Path, tables: Mapping[str, str], ids: Collection[str] | None = None) -> pl.DataFrame:
    """The rows of a set, in its order; with `ids`, those of these stimuli, and of the others only ids are read.

    Raises `InputError` where a table cannot be read.
    """
    frames = []
    wanted = (
        pl.lit(value=True) if ids is None else pl.col("id").is_in(pl.Series(sorted(ids), dtype=pl.String()).implode())
    )
    for name in tables.values():
        try:
            frames.append(pl.scan_parquet(folder / name, glob=False).filter(wanted).collect())
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InputError(f"{folder / name} cannot be read: {str(error).splitlines()[0]}") from error
    if len(frames) == 1:
        return frames[0]
    try:
        return pl.concat(frames).sort(_POSITION).drop(_POSITION)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"the tables of {folder} do not fit together: {str(error).splitlines()[0]}") from error


def tables_digest(folder: Path, tables: Mapping[str, str]) -> str:
    """The sha256 of the files of a set's tables; raises `InputError` where one cannot be read."""
    digest = sha256()
    for name in tables.values():
        with os_errors(folder / name, "read"), (folder / name).open("rb") as file:
            digest.update(file_digest(file, "sha256").digest())
    return digest.hexdigest()


def declared_factors(frame: pl.DataFrame) -> FactorTypes:
    """The declared factors in a set's table: its columns beyond the general ones, with their types."""
    return factor_types({name: kind for name, kind in frame.schema.items() if name not in RESERVED})


def loaded_columns(factors: FactorTypes) -> list[dict[str, str]]:
    """The columns of a mixed set's table but the first medium's, as a data set card lists them."""
    columns = {_POSITION: "uint32", **dict.fromkeys((_MEDIA, *GENERAL), "string"), "seed": "int64"}
    columns |= {name: _LOADED[kind] for name, kind in factors.items()} | dict.fromkeys(_JSON, "string")
    return [{"name": name, "dtype": dtype} for name, dtype in columns.items()]


def _without_nothing(row: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in row.items() if value is not None}
