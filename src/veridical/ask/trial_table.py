"""Trials as rows of `trials.parquet`, the hash of the rows, and building many records at once."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import polars as pl
from pydantic import TypeAdapter

from veridical.base.columns import held_once
from veridical.base.garbage import no_collection
from veridical.base.path_checks import RUN, run_of
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
    rows_hash,
    typed_value,
)

FORMAT = "4"
_JSON = ("settings", "factors", "expects")
_REPEATED = ("settings", "expects")
"""Columns of JSON with few different values."""
NO_SOURCES = "[]"
_GENERAL = tuple(each.name for each in fields(Trial))
_UNTABLED = ("messages", "prompt")
_STALE, WHOLE_ROW = "stale", "whole_row"
_SLICE = 10_000
"""Rows of a large table that are in memory at a time."""
_HELD = 5_000
"""Rows that are held as Python values at a time while a table is made."""
RESERVED = (*_GENERAL, _STALE, WHOLE_ROW)
"""The general columns of the table; the other columns are a suite's declared factors.

`WHOLE_ROW` is in the tables of shards alone: the row of a trial in the table of all shards.
"""

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
    return row | {name: typed_value(name, trial.factors.get(name), kind) for name, kind in factors.items()}


def from_row(row: Mapping[str, Json]) -> Trial:
    """The trial of a row; raises `InputError` if a column is missing or not in the form that `to_row` writes."""
    try:
        values = {name: row[name] for name in _GENERAL}
        values |= {name: dict(_parsed(row[name])) for name in _REPEATED}
        values["factors"] = json.loads(row["factors"])
        declared = {name: value for name, value in row.items() if name not in RESERVED}
        values["factors"] = {**declared, **values["factors"]}
        values["messages"] = _MESSAGES.validate_json(row["messages"])
        values["sources"] = () if row["sources"] == NO_SOURCES else _SOURCES.validate_json(row["sources"])
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        problem = str(error).splitlines()[0]
        raise InputError(f"the row '{row.get('id')}' of the trials table is not a trial: {problem}") from error
    return Trial(**values)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> dict[str, Json]:
    parsed: dict[str, Json] = json.loads(text)
    return parsed


def table_bytes(
    rows: list[dict[str, Json]],
    factors: FactorTypes,
    stale: list[dict[str, Json]] | None = None,
    whole_rows: Sequence[int] | None = None,
) -> bytes:
    """Rows as a parquet file that states its format; `stale` rows are trials that are no longer planned.

    `whole_rows` says of each row which one it is in the table of all shards.
    """
    planned, old = (pl.DataFrame(part, schema=_schema(factors), orient="row") for part in (rows, stale or []))
    if whole_rows is not None:
        planned = planned.with_columns(pl.Series(WHOLE_ROW, whole_rows, pl.Int64()))
    return marked_bytes(planned, old)


def marked_bytes(planned: pl.DataFrame, stale: pl.DataFrame) -> bytes:
    """Planned and stale trials, as tables without the mark of either, as a parquet file that states its format."""
    file = io.BytesIO()
    marked = [each.with_columns(pl.lit(is_stale).alias(_STALE)) for each, is_stale in ((planned, False), (stale, True))]
    pl.concat(marked, how="diagonal").write_parquet(file, compression="zstd", metadata={"format": FORMAT})
    return file.getvalue()


def _schema(factors: FactorTypes) -> dict[str, pl.DataType]:
    return {**dict.fromkeys(_GENERAL, pl.String()), **columns_of(factors)}


class PlannedTrials(NamedTuple):
    """The planned trials of a run, in order, the types of the declared factors, and the stale trials."""

    trials: list[Trial]
    factors: FactorTypes
    stale: list[Trial]


class ColumnCells(NamedTuple):
    """The cells of the planned trials of a run in a column, in order, and of the stale trials."""

    planned: pl.Series
    stale: pl.Series


class TrialRows(NamedTuple):
    """The planned trials of a run as rows, in order, without their messages, with the declared factors.

    `trials` makes the trials themselves one by one, in the same order.
    """

    rows: pl.DataFrame
    factors: FactorTypes
    trials: Callable[[], Iterator[Trial]]

    @classmethod
    def of(cls, trials: Sequence[Trial], factors: FactorTypes) -> TrialRows:
        """Trials as rows; raises ValueError if the value of a declared factor has another type."""
        rows = [to_row(trial, factors) for trial in trials]
        return cls(
            pl.DataFrame(rows, schema=_schema(factors), orient="row").drop(_UNTABLED), factors, lambda: iter(trials)
        )


class WholeTable(NamedTuple):
    """The table of the trials of all shards: the hash of its rows, and which of them one shard has."""

    digest: str
    rows: Sequence[int]

    @classmethod
    def of(cls, trials: Sequence[Trial], factors: FactorTypes, holds: Callable[[Trial], bool]) -> WholeTable:
        """The table of these trials; `holds` tells which ones the shard has."""
        digest = rows_hash(to_row(trial, factors) for trial in trials)
        return cls(digest, [row for row, trial in enumerate(trials) if holds(trial)])


@dataclass(frozen=True)
class TrialTable:
    """The parquet file of a run's trials: the hashes that it may have, else (`rows`) that of its planned rows.

    Each method raises `InputError` if the file cannot be read, has another format, or has none of these hashes.
    """

    path: Path
    files: tuple[str, ...] = ()
    rows: str | None = None

    def read(self) -> PlannedTrials:
        """All trials."""
        content, frame = self._frame()
        with no_collection():
            rows = [(from_row(row), row[_STALE]) for row in frame.iter_rows(named=True)]
        trials, stale = ([trial for trial, is_stale in rows if is_stale == kind] for kind in (False, True))
        planned = PlannedTrials(trials, _factors(frame.schema), stale)
        self._require_intact(content, planned)
        return planned

    def planned(self, columns: Sequence[str] = ()) -> TrialRows:
        """The planned trials in these columns (default: all)."""
        content, frame = self._intact()
        rows, factors = len(frame), _factors(pl.read_parquet_schema(io.BytesIO(content)))
        held = [*(columns or [*(name for name in _GENERAL if name not in _UNTABLED), *factors]), _STALE]
        planned = pl.read_parquet(io.BytesIO(content), columns=held)
        if frame[_STALE].any():  # else the filter would copy the whole table
            planned = planned.filter(~pl.col(_STALE))
        return TrialRows(held_once(planned.drop(_STALE)), factors, lambda: _in_slices(content, rows))

    def planned_table(self) -> PlannedTable:
        """The planned trials, of which columns and single trials are read."""
        return PlannedTable(self._intact()[0])

    def marked(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The planned and the stale trials as `marked_bytes` takes them, in all columns."""
        content, frame = self._frame()
        self._require_intact(content)
        return tuple(frame.filter(pl.col(_STALE) == kind).drop(_STALE) for kind in (False, True))  # type: ignore[return-value]

    def by_id(self) -> TrialsById:
        """The planned trials by id, each made when it is taken."""
        return TrialsById(*self._intact())

    def column(self, name: str) -> ColumnCells:
        """The cells of a column of texts; only the hashes of the file are compared."""
        frame, stale = self._column(name), pl.col(_STALE)
        return ColumnCells(*(frame.select(pl.col(name).filter(of)).to_series() for of in (~stale, stale)))

    def ids(self) -> pl.Series:
        """The ids of all trials, planned and stale; only the hashes of the file are compared."""
        return self._column("id")["id"]

    def _column(self, name: str) -> pl.DataFrame:
        content, frame = self._frame([name, _STALE])
        if self.files:
            self._require_intact(content)
        return frame

    def stored_hash(self) -> str | None:
        """The hash of the file if it is one of those that it may have, else `None`; raises nothing."""
        try:
            digest = sha256(self.path.read_bytes()).hexdigest()
        except OSError:
            return None
        return digest if digest in self.files else None

    def _intact(self) -> tuple[bytes, pl.DataFrame]:
        """The content of the intact file, and the ids of its trials."""
        content, frame = self._frame(["id", _STALE])
        self._require_intact(content, None if self.files else TrialTable(self.path).read())
        return content, frame

    def _frame(self, columns: list[str] | None = None) -> tuple[bytes, pl.DataFrame]:
        try:
            content = self.path.read_bytes()
            stated = pl.read_parquet_metadata(io.BytesIO(content)).get("format")
            if stated != FORMAT:
                raise InputError(f"{self.path} is of format {stated}, but this version reads {FORMAT}: run it again")
            return content, pl.read_parquet(io.BytesIO(content), columns=columns).with_columns(pl.col(_STALE))
        except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise InputError(f"{self.path} cannot be read: {str(error).splitlines()[0]}; {WRITTEN_ANEW}") from error

    def _require_intact(self, content: bytes, planned: PlannedTrials | None = None) -> None:
        if self.files:
            intact = sha256(content).hexdigest() in self.files
        else:
            rows = (to_row(trial, planned.factors) for trial in planned.trials) if planned and self.rows else ()
            intact = self.rows is None or rows_hash(rows) == self.rows
        if not intact:
            raise InputError(
                f"{self.path} is not the table that the run was planned with: {WRITTEN_ANEW}; "
                f"if it is {RUN} that is not its own, `veridical repair {run_of(self.path.parent)}` restores that"
            )


def _factors(schema: Mapping[str, pl.DataType]) -> FactorTypes:
    return factor_types({name: kind for name, kind in schema.items() if name not in RESERVED})


def _in_slices(content: bytes, rows: int) -> Iterator[Trial]:
    """The planned trials of a table of so many rows; a slice of them at a time is in memory."""
    for begin in range(0, rows, _SLICE):
        planned = _slice(content, begin).filter(~pl.col(_STALE))
        yield from map(from_row, planned.iter_rows(named=True))


def _slice(content: bytes, begin: int) -> pl.DataFrame:
    """Some rows of a table, from one on."""
    return pl.scan_parquet(io.BytesIO(content)).slice(begin, _SLICE).collect()


_OPENED = '"role":"assistant"}]'
"""How the messages of a trial end, as canonical JSON, that begins the model's turn."""


class PlannedTable(NamedTuple):
    """The planned trials of an intact parquet file, of which only what is asked for is read into memory."""

    content: bytes

    def columns(self, *names: str) -> pl.DataFrame:
        """These columns."""
        return self._rows.select(names).collect()

    def opens_replies(self) -> bool:
        """Whether any trial begins the model's turn (see `capabilities.opens_reply`)."""
        opening = pl.col("messages").str.ends_with(_OPENED).any()
        return bool(self._rows.select(opening).collect(engine="streaming").item())

    def some(self, ids: pl.Series) -> list[Trial]:
        """The trials with these ids, in the order of the table."""
        frame = self._rows.filter(pl.col("id").is_in(ids.implode())).drop(_STALE).collect(engine="streaming")
        with no_collection():
            return [from_row(row) for row in frame.iter_rows(named=True)]

    @property
    def _rows(self) -> pl.LazyFrame:
        return pl.scan_parquet(io.BytesIO(self.content)).filter(~pl.col(_STALE))


class TrialsById(Mapping[str, Trial]):
    """The planned trials of a parquet file by id, each made when it is taken, since most never are.

    One slice of the table is in memory at a time, so trials are best taken in the order of the table.
    """

    def __init__(self, content: bytes, frame: pl.DataFrame) -> None:
        """The content of the file, and the ids of its trials."""
        self._content = content
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


def sources_text(trial: Trial) -> str:
    """A trial's sources as canonical JSON."""
    return canonical([source.facts() for source in trial.sources]) if trial.sources else NO_SOURCES


def sources_of(text: str) -> tuple[Source, ...]:
    """The sources that `sources_text` wrote; raises ValueError for another text."""
    return _SOURCES.validate_json(text)


def _message(message: Message) -> dict[str, Json]:
    parts: list[Json] = [
        {"text": part.text} if isinstance(part, Text) else {"file": part.file, "sha256": part.sha256, "kind": part.kind}
        for part in message.parts
    ]
    return {"role": message.role, "parts": parts}


def frame_of(rows: Iterable[tuple[Json, ...]], schema: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """Rows as a table; some of them at a time are in memory as Python values."""
    rows, pieces = iter(rows), [pl.DataFrame(schema=schema)]
    with no_collection():
        while piece := list(islice(rows, _HELD)):
            columns = zip(schema.items(), zip(*piece, strict=True), strict=True)
            pieces.append(pl.DataFrame([pl.Series(name, values, kind) for (name, kind), values in columns]))
    return held_once(pl.concat(pieces))
