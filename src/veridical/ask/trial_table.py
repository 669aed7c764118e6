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
from veridical.records import (
    FactorTypes,
    Json,
    Message,
    Source,
    Text,
    Trial,
    canonical,
    columns_of,
    factor_types,
    typed,
)

FORMAT = "3"
_JSON = ("settings", "factors", "expects")
_GENERAL = tuple(each.name for each in fields(Trial))
_STALE = "stale"
RESERVED = (*_GENERAL, _STALE)
"""The general columns of the table; a suite's declared factors are the others."""

_MESSAGES = TypeAdapter(tuple[Message, ...])
_SOURCES = TypeAdapter(tuple[Source, ...])


def to_row(trial: Trial, factors: FactorTypes) -> dict[str, Json]:
    """A trial as a flat row: declared factors as columns; messages, settings and the rest as canonical JSON.

    Raises ValueError for a declared factor whose value is of another type.
    """
    row: dict[str, Json] = {name: getattr(trial, name) for name in _GENERAL}
    row["messages"] = canonical([_message(message) for message in trial.messages])
    row["sources"] = sources_text(trial)
    row["factors"] = {name: value for name, value in trial.factors.items() if name not in factors}
    row |= {name: canonical(dict(row[name])) for name in _JSON}
    return row | {name: typed(name, trial.factors.get(name), kind) for name, kind in factors.items()}


def from_row(row: Mapping[str, Json]) -> Trial:
    """The trial of a row; raises `InputError` where a column is missing or not what `to_row` writes."""
    try:
        values = {name: row[name] for name in _GENERAL}
        values |= {name: json.loads(row[name]) for name in _JSON}
        declared = {name: value for name, value in row.items() if name not in RESERVED}
        values["factors"] = {**declared, **values["factors"]}
        values["messages"] = _MESSAGES.validate_json(row["messages"])
        values["sources"] = _SOURCES.validate_json(row["sources"])
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


def table_bytes(rows: list[dict[str, Json]], factors: FactorTypes, stale: list[dict[str, Json]] | None = None) -> bytes:
    """Rows as a parquet file that states its format; `stale` rows are those of trials that are no longer planned."""
    file = io.BytesIO()
    schema = {**dict.fromkeys(_GENERAL, pl.String()), **columns_of(factors)}
    marked = [
        pl.DataFrame(part, schema=schema, orient="row").with_columns(pl.lit(is_stale).alias(_STALE))
        for part, is_stale in ((rows, False), (stale or [], True))
    ]
    pl.concat(marked).write_parquet(file, compression="zstd", metadata={"format": FORMAT, "rows": rows_hash(rows)})
    return file.getvalue()


class Planned(NamedTuple):
    """The trials of a run, in order, the declared factors among their columns, and trials no longer planned."""

    trials: list[Trial]
    factors: FactorTypes
    stale: list[Trial]


def read_table(path: Path) -> Planned:
    """The trials of a parquet file; raises `InputError` where it cannot be read or has another format."""
    frame = _frame(path)
    factors = factor_types({name: kind for name, kind in frame.schema.items() if name not in RESERVED})
    rows = [(from_row(row), row[_STALE]) for row in frame.iter_rows(named=True)]
    return Planned([t for t, stale in rows if not stale], factors, [t for t, stale in rows if stale])


def stated_hash(path: Path) -> str | None:
    """The hash of the planned rows that a parquet file states, `None` where it states none or cannot be read."""
    try:
        return pl.read_parquet_metadata(path).get("rows")
    except (OSError, pl.exceptions.PolarsError):
        return None


def planned_ids(path: Path) -> list[str]:
    """The ids of the planned trials in a parquet file, in order; raises `InputError` as `read_table` does."""
    frame = _frame(path, ["id", _STALE])
    return frame.filter(~pl.col(_STALE))["id"].to_list()


def sources_text(trial: Trial) -> str:
    """A trial's sources as canonical JSON."""
    return canonical([source.facts() for source in trial.sources]) if trial.sources else "[]"


def _frame(path: Path, columns: list[str] | None = None) -> pl.DataFrame:
    try:
        stated = pl.read_parquet_metadata(path).get("format")
        if stated != FORMAT:
            raise InputError(f"{path} is of format {stated}, and {FORMAT} is read here: run it again")
        return pl.read_parquet(path, glob=False, columns=columns)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path} cannot be read: {str(error).splitlines()[0]}") from error


def _message(message: Message) -> dict[str, Json]:
    parts = [{"text": part.text} if isinstance(part, Text) else asdict(part) for part in message.parts]
    return {"role": message.role, "parts": parts}
