"""Trials as rows of `trials.parquet` and back, and the hash of the rows."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import polars as pl
from pydantic import TypeAdapter

from veridical.errors import InputError
from veridical.records import FactorTypes, Json, Message, Text, Trial, canonical, columns_of, factor_types, typed

FORMAT = "2"
_JSON = ("settings", "factors", "expects")
_GENERAL = tuple(each.name for each in fields(Trial))
RESERVED = _GENERAL
"""The general columns of the table; a suite's declared factors are the others."""

_MESSAGES = TypeAdapter(tuple[Message, ...])


def to_row(trial: Trial, factors: FactorTypes) -> dict[str, Json]:
    """A trial as a flat row: declared factors as columns; messages, settings and the rest as canonical JSON.

    Raises ValueError for a declared factor whose value is of another type.
    """
    row: dict[str, Json] = {name: getattr(trial, name) for name in _GENERAL}
    row["messages"] = canonical([_message(message) for message in trial.messages])
    row["factors"] = {name: value for name, value in trial.factors.items() if name not in factors}
    row |= {name: canonical(dict(row[name])) for name in _JSON}
    return row | {name: typed(name, trial.factors.get(name), kind) for name, kind in factors.items()}


def from_row(row: Mapping[str, Json]) -> Trial:
    """The trial of a row; raises `InputError` where a column is missing or not what `to_row` writes."""
    try:
        values = {name: row[name] for name in _GENERAL}
        values |= {name: json.loads(row[name]) for name in _JSON}
        declared = {name: value for name, value in row.items() if name not in _GENERAL}
        values["factors"] = {**declared, **values["factors"]}
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


def table_bytes(rows: list[dict[str, Json]], factors: FactorTypes) -> bytes:
    """Rows as a parquet file that states its format."""
    file = io.BytesIO()
    schema = {**dict.fromkeys(_GENERAL, pl.String()), **columns_of(factors)}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    frame.write_parquet(file, compression="zstd", metadata={"format": FORMAT})
    return file.getvalue()


class Planned(NamedTuple):
    """The trials of a run, in order, and the declared factors among their columns."""

    trials: list[Trial]
    factors: FactorTypes


def read_table(path: Path) -> Planned:
    """The trials of a parquet file; raises `InputError` where it cannot be read or has another format."""
    try:
        frame, stated = pl.read_parquet(path, glob=False), pl.read_parquet_metadata(path).get("format")
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path} cannot be read: {str(error).splitlines()[0]}") from error
    if stated != FORMAT:
        raise InputError(f"{path} is of format {stated}, and {FORMAT} is read here: run it again")
    factors = factor_types({name: kind for name, kind in frame.schema.items() if name not in _GENERAL})
    return Planned([from_row(row) for row in frame.iter_rows(named=True)], factors)


def _message(message: Message) -> dict[str, Json]:
    parts = [{"text": part.text} if isinstance(part, Text) else asdict(part) for part in message.parts]
    return {"role": message.role, "parts": parts}
