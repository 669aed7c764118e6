"""Stimulus records as rows of `metadata.parquet`, and the hash of the rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

import polars as pl

from veridical.errors import InputError
from veridical.records import Json, Stimulus, canonical

_PLACES = ("file_name", "second_file_name", "third_file_name", "fourth_file_name")
_JSON = ("factors", "truth", "measured")
_GROUP, _ROWS = 100, 10_000
_TYPES: dict[str, pl.DataType] = {
    "id": pl.String(),
    "suite": pl.String(),
    "family": pl.String(),
    "unit": pl.String(),
    "variant": pl.String(),
    "category": pl.String(),
    "alpha": pl.Float64(),
    "congruent": pl.Boolean(),
    "side": pl.String(),
    "question": pl.String(),
    "question_reversed": pl.String(),
    "label": pl.String(),
    "width": pl.Int64(),
    "height": pl.Int64(),
    "seed": pl.Int64(),
    "sha256": pl.String(),
    **dict.fromkeys(_JSON, pl.String()),
}


def to_row(stimulus: Stimulus) -> dict[str, Json]:
    """A stimulus as a flat row: media as `file_name`, `second_file_name`, ..., mappings as canonical JSON.

    What is `None` is left out.
    """
    row: dict[str, Json] = dict(zip(_PLACES, stimulus.media, strict=False))
    row |= {name: getattr(stimulus, name) for name in _TYPES if getattr(stimulus, name) is not None}
    return row | {name: canonical(row[name]) for name in _JSON}


def from_row(row: Mapping[str, Json]) -> Stimulus:
    """The stimulus of a row; raises `InputError` where a column is missing or no JSON."""
    try:
        values = {field.name: row[field.name] for field in fields(Stimulus) if field.name != "media"}
        values |= {name: json.loads(row[name]) for name in _JSON}
        return Stimulus(media=tuple(row[place] for place in _PLACES if row.get(place)), **values)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"the table's row '{row.get('id')}' is no stimulus: {error}") from error


def join_parts(parts: Sequence[Path], table: Path) -> dict[str, int]:
    """Writes rows that stand as JSON lines in several files to one Parquet file, in a stream, and counts them.

    The counts are by `family/variant`, in the order in which they come first. Only as many file columns are written as
    there are files.
    """
    with parts[0].open() as first:
        row = json.loads(first.readline())
    places = [place for place in _PLACES if place in row]
    schema = {**dict.fromkeys(places, pl.String()), **_TYPES}
    temporary = table.with_name(f".{table.name}.tmp")
    # Scanning thousands of small files holds them all in memory; scanning a few dozen larger ones does not.
    groups = [parts[start : start + _GROUP] for start in range(0, len(parts), _GROUP)]
    joined = [parts[0].with_name(f"joined-{k:06}.parquet") for k in range(len(groups))]
    for group, path in zip(groups, joined, strict=True):
        pl.read_ndjson(b"".join(part.read_bytes() for part in group), schema=schema).write_parquet(path)
    pl.scan_parquet(joined, glob=False).sink_parquet(temporary, row_group_size=_ROWS)
    temporary.replace(table)
    name = pl.concat_str("family", "variant", separator="/")
    counted = pl.scan_parquet(table, glob=False).group_by(name, maintain_order=True).len().collect()
    return dict(counted.iter_rows())


def rows_hash(rows: Iterable[Mapping[str, Json]]) -> str:
    """The sha256 over the canonical JSON of all rows, in order; absent and empty columns count alike.

    >>> rows_hash([{"a": 1, "b": None}]) == rows_hash([{"a": 1}])
    True
    """
    digest = sha256()
    for row in rows:
        digest.update(canonical({key: value for key, value in row.items() if value is not None}).encode() + b"\n")
    return digest.hexdigest()
