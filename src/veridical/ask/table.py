"""Trials as rows of `trials.parquet` and back, and the hash of the rows."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

import polars as pl
from pydantic import TypeAdapter

from veridical.errors import InputError
from veridical.records import Json, Message, Text, Trial, canonical

FORMAT = "1"
_JSON = ("settings", "factors")
_TYPES: dict[str, pl.DataType] = {
    name: {"alpha": pl.Float64(), "congruent": pl.Boolean()}.get(name, pl.String())
    for name in (field.name for field in fields(Trial))
}
_MESSAGES = TypeAdapter(tuple[Message, ...])


def to_row(trial: Trial) -> dict[str, Json]:
    """A trial as a flat row: settings, factors and messages as canonical JSON, the rest as it is."""
    row: dict[str, Json] = {name: getattr(trial, name) for name in _TYPES}
    row["messages"] = canonical([_message(message) for message in trial.messages])
    return row | {name: canonical(dict(row[name])) for name in _JSON}


def from_row(row: Mapping[str, Json]) -> Trial:
    """The trial of a row; raises `InputError` where a column is missing or not what `to_row` writes."""
    try:
        values = {name: row[name] for name in _TYPES}
        values |= {name: json.loads(row[name]) for name in _JSON}
        values["messages"] = _MESSAGES.validate_json(row["messages"])
    except (KeyError, TypeError, ValueError) as error:
        problem = str(error).splitlines()[0]
        raise InputError(f"the row '{row.get('id')}' of the trials table is no trial: {problem}") from error
    return Trial(**values)


def rows_hash(rows: Iterable[Mapping[str, Json]]) -> str:
    """The sha256 over the canonical JSON of all rows, in order."""
    digest = sha256()
    for row in rows:
        digest.update(canonical(row).encode() + b"\n")
    return digest.hexdigest()


def table_bytes(rows: list[dict[str, Json]]) -> bytes:
    """Rows as a parquet file that states its format."""
    file = io.BytesIO()
    pl.DataFrame(rows, schema=_TYPES, orient="row").write_parquet(file, compression="zstd", metadata={"format": FORMAT})
    return file.getvalue()


def read_table(path: Path) -> list[Trial]:
    """The trials of a parquet file, in order; raises `InputError` where it cannot be read or has another format."""
    try:
        frame, stated = pl.read_parquet(path, glob=False), pl.read_parquet_metadata(path).get("format")
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path} cannot be read: {str(error).splitlines()[0]}") from error
    if stated != FORMAT:
        raise InputError(f"{path} is of format {stated}: format {FORMAT} is what is read here")
    return [from_row(row) for row in frame.iter_rows(named=True)]


def _message(message: Message) -> dict[str, Json]:
    parts = [
        {"text": part.text} if isinstance(part, Text) else {"file": part.file, "sha256": part.sha256}
        for part in message.parts
    ]
    return {"role": message.role, "parts": parts}
