"""Trials as rows of `trials.parquet`, the hash of the rows, and building many records at once."""

from __future__ import annotations

import gc
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
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
_REPEATED = ("settings", "expects")
"""Columns of JSON with few different values."""
_NO_SOURCES = "[]"
_GENERAL = tuple(each.name for each in fields(Trial))
_UNTABLED = ("messages", "prompt")
_STALE = "stale"
_SLICE, _PIECE = 10_000, 2_000
"""Rows of a large table that are in memory at a time, and of these, as Python values."""
RESERVED = (*_GENERAL, _STALE)
"""The general columns of the table; the other columns are a suite's declared factors."""

WRITTEN_ANEW = "rerun the command that made the run to write it again; trials with a reply are not asked again"
"""The remedy for a missing or damaged table of trials."""

_MESSAGES = TypeAdapter(tuple[Message, ...])
_SOURCES = TypeAdapter(tuple[Source, ...])


def to_row(trial: Trial, factors: FactorTypes) -> dict[str, Json]:
    """A trial as a flat row: declared factors as columns; messages, settings and the rest as canonical JSON.

    Raises ValueError if the value of a declared factor has another type.
    """
    row: dict[str, Json] = {name: getattr(trial, name) for name in _GENERAL}
    row["messages"] = canonical([_message(message) for message in trial.messages])
    row["sources"] = sources_text(trial)
    row["factors"] = {name: value for name, value in trial.factors.items() if name not in factors}
    row |= {name: canonical(dict(row[name])) for name in _JSON}
    return row | {name: typed(name, trial.factors.get(name), kind) for name, kind in factors.items()}


def from_row(row: Mapping[str, Json]) -> Trial:
    """The trial of a row; raises `InputError` if a column is missing or not in the form that `to_row` writes."""
    try:
        values = {name: row[name] for name in _GENERAL}
        values |= {name: dict(_parsed(row[name])) for name in _REPEATED}
        values["factors"] = json.loads(row["factors"])
        declared = {name: value for name, value in row.items() if name not in RESERVED}
        values["factors"] = {**declared, **values["factors"]}
        values["messages"] = _MESSAGES.validate_json(row["messages"])
        values["sources"] = () if row["sources"] == _NO_SOURCES else _SOURCES.validate_json(row["sources"])
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        problem = str(error).splitlines()[0]
        raise InputError(f"the row '{row.get('id')}' of the trials table is not a trial: {problem}") from error
    return Trial(**values)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> dict[str, Json]:
    parsed: dict[str, Json] = json.loads(text)
    return parsed


def rows_hash(rows: Iterable[Mapping[str, Json]]) -> str:
    """The sha256 over the canonical JSON of all rows, in order."""
    digest = sha256()
    for row in rows:
        digest.update(canonical(row).encode() + b"\n")
    return digest.hexdigest()


def table_bytes(rows: list[dict[str, Json]], factors: FactorTypes, stale: list[dict[str, Json]] | None = None) -> bytes:
    """Rows as a parquet file that states its format; `stale` rows are trials that are no longer planned."""
    file = io.BytesIO()
    schema = {**dict.fromkeys(_GENERAL, pl.String()), **columns_of(factors)}
    marked = [
        pl.DataFrame(part, schema=schema, orient="row").with_columns(pl.lit(is_stale).alias(_STALE))
        for part, is_stale in ((rows, False), (stale or [], True))
    ]
    pl.concat(marked).write_parquet(file, compression="zstd", metadata={"format": FORMAT})
    return file.getvalue()


class Planned(NamedTuple):
    """The planned trials of a run, in order, the types of the declared factors, and the stale trials."""

    trials: list[Trial]
    factors: FactorTypes
    stale: list[Trial]


class Ids(NamedTuple):
    """The ids of the planned trials of a run, in order, and of the stale trials."""

    planned: list[str]
    stale: list[str]


@dataclass(frozen=True)
class Stated:
    """The stated hashes of a table of trials: those that its file may have, else that of its planned rows."""

    files: tuple[str, ...] = ()
    rows: str | None = None


def read_table(path: Path, stated: Stated | None = None) -> Planned:
    """The trials of a parquet file.

    Raises `InputError` if it cannot be read, has another format, or has none of the `stated` hashes.
    """
    content, frame = _frame(path)
    factors = factor_types({name: kind for name, kind in frame.schema.items() if name not in RESERVED})
    with no_collection():
        rows = [(from_row(row), row[_STALE]) for row in frame.iter_rows(named=True)]
    planned = Planned([t for t, stale in rows if not stale], factors, [t for t, stale in rows if stale])
    if stated is not None:
        _require_stated(path, stated, content, planned)
    return planned


class Tabled(NamedTuple):
    """The planned trials of a run as rows, in order, without their messages, with the declared factors.

    `trials` makes the trials themselves one by one, in the same order.
    """

    rows: pl.DataFrame
    factors: FactorTypes
    trials: Callable[[], Iterator[Trial]]

    @property
    def families(self) -> list[str]:
        """The families of the trials' readers."""
        return self.rows["reader"].unique(maintain_order=True).to_list()


def read_planned(path: Path, stated: Stated, columns: Sequence[str] = ()) -> Tabled:
    """The planned trials of a parquet file in these columns (default: all); raises `InputError` as `read_table`."""
    content, frame = _frame(path, ["id", _STALE])
    _require_stated(path, stated, content, None if stated.files else read_table(path))
    rows, schema = len(frame), pl.read_parquet_schema(io.BytesIO(content))
    factors = factor_types({name: kind for name, kind in schema.items() if name not in RESERVED})
    held = [*(columns or [*(name for name in _GENERAL if name not in _UNTABLED), *factors]), _STALE]
    planned = pl.read_parquet(io.BytesIO(content), columns=held).filter(~pl.col(_STALE)).drop(_STALE)
    return Tabled(planned, factors, lambda: _in_slices(content, rows))


def _in_slices(content: bytes, rows: int) -> Iterator[Trial]:
    """The planned trials of a table of so many rows; a slice of them at a time is in memory."""
    for begin in range(0, rows, _SLICE):
        planned = _slice(content, begin).filter(~pl.col(_STALE))
        for piece in planned.iter_slices(_PIECE):
            yield from map(from_row, piece.iter_rows(named=True))


def _slice(content: bytes, begin: int) -> pl.DataFrame:
    """Some rows of a table, from one on."""
    return pl.scan_parquet(io.BytesIO(content)).slice(begin, _SLICE).collect()


class TrialsById(Mapping[str, Trial]):
    """The planned trials of a parquet file by id, each made when it is taken, since most never are.

    One slice of the table is in memory at a time, so trials are best taken in the order of the table.
    """

    def __init__(self, path: Path, stated: Stated) -> None:
        """Raises `InputError` as `read_table` does."""
        self._content, frame = _frame(path, ["id", _STALE])
        _require_stated(path, stated, self._content, None if stated.files else read_table(path))
        planned = frame.with_row_index("place").filter(~pl.col(_STALE))
        self._places = dict(zip(planned["id"], planned["place"], strict=True))
        self._begin, self._rows = 0, frame.clear()

    def __getitem__(self, name: str) -> Trial:
        place = self._places[name]
        if not self._begin <= place < self._begin + len(self._rows):
            self._begin = place // _SLICE * _SLICE
            self._rows = _slice(self._content, self._begin)
        return from_row(self._rows.row(place - self._begin, named=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def read_families(path: Path, stated: Stated) -> set[str]:
    """The families of the readers of all trials in a parquet file; raises `InputError` as `read_table` does."""
    content, frame = _frame(path, ["reader", _STALE])
    if stated.files:
        _require_stated(path, stated, content)
    return set(frame.filter(~pl.col(_STALE))["reader"])


def read_ids(path: Path, stated: Stated) -> Ids:
    """The ids of the trials in a parquet file; raises `InputError` as `read_table` does."""
    content, frame = _frame(path, ["id", _STALE])
    if stated.files:
        _require_stated(path, stated, content)
    stale = pl.col(_STALE)
    return Ids(frame.filter(~stale)["id"].to_list(), frame.filter(stale)["id"].to_list())


def stated_file(path: Path, stated: Stated) -> str | None:
    """The hash of a file if it is one of the stated hashes, else `None`."""
    try:
        digest = sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None
    return digest if digest in stated.files else None


def first_source(text: str) -> Source | None:
    """The first source in what `sources_text` made."""
    return None if text == _NO_SOURCES else _SOURCES.validate_json(text)[0]


def sources_text(trial: Trial) -> str:
    """A trial's sources as canonical JSON."""
    return canonical([source.facts() for source in trial.sources]) if trial.sources else _NO_SOURCES


def _frame(path: Path, columns: list[str] | None = None) -> tuple[bytes, pl.DataFrame]:
    try:
        content = path.read_bytes()
        stated = pl.read_parquet_metadata(io.BytesIO(content)).get("format")
        if stated != FORMAT:
            raise InputError(f"{path} is of format {stated}, but this version reads {FORMAT}: run it again")
        return content, pl.read_parquet(io.BytesIO(content), columns=columns).with_columns(pl.col(_STALE))
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(f"{path} cannot be read: {str(error).splitlines()[0]}") from error


def _require_stated(path: Path, stated: Stated, content: bytes, planned: Planned | None = None) -> None:
    if stated.files:
        intact = sha256(content).hexdigest() in stated.files
    else:
        rows = (to_row(trial, planned.factors) for trial in planned.trials) if planned and stated.rows else ()
        intact = stated.rows is None or rows_hash(rows) == stated.rows
    if not intact:
        raise InputError(f"{path} is not the table that the run was planned with: {WRITTEN_ANEW}")


def _message(message: Message) -> dict[str, Json]:
    parts = [{"text": part.text} if isinstance(part, Text) else asdict(part) for part in message.parts]
    return {"role": message.role, "parts": parts}


@contextmanager
def no_collection() -> Iterator[None]:
    """Pauses the cyclic garbage collector, which would walk all records again and again while they are made.

    Records have no cycles; counting references frees them as always.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
