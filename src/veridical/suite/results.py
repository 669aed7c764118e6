"""What a suite's analysis takes and gives: estimates to find, tables and figures, passages and regions of replies."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, NamedTuple

import polars as pl

from veridical.records import Box, Counts, Estimate, Json
from veridical.suite.evidence import Evidence

if TYPE_CHECKING:
    from veridical.suite.rounds_taken import RoundsTaken

Cell = str | int | float | Estimate | Counts | None
BySlice = dict[tuple[str, frozenset[tuple[str, Json]]], Estimate]

PEOPLE = "people/"
"""How the names of observers that are people begin."""


def are_people(model: str) -> bool:
    """Whether an observer is people, by its name.

    >>> are_people("people/adults (5 people, 40 pictures)"), are_people("people"), are_people("peoplesoft/vlm")
    (True, True, False)
    """
    return model.partition("/")[0] == PEOPLE.rstrip("/")


Shade = Literal["", "good", "bad"]
"""How something is marked: neutrally, as what is right or matters, or as what is wrong or misleads."""


@dataclass(frozen=True, kw_only=True)
class ModelFacts:
    """What a user states about a model, `None` where nothing is stated; `size` is in billions of parameters."""

    group: str | None = None
    family: str | None = None
    generation: str | None = None
    size: float | None = None
    thinking: bool | None = None
    date: datetime.date | None = None

    def facts(self) -> dict[str, Json]:
        """What is stated, as JSON values; the date as YYYY-MM-DD.

        >>> ModelFacts(size=7.0, date=datetime.date(2025, 2, 19)).facts()
        {'size': 7.0, 'date': '2025-02-19'}
        """
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        values["date"] = self.date.isoformat() if self.date else None
        return {name: value for name, value in values.items() if value is not None}

    def __str__(self) -> str:
        thinks = {None: None, True: "thinking", False: "not thinking"}[self.thinking]
        size = None if self.size is None else f"{self.size:g} B"
        parts = (self.group, self.family, self.generation, size, thinks, self.facts().get("date"))
        return ", ".join(part for part in parts if part is not None)


def index_by_slice(estimates: Sequence[Estimate]) -> BySlice:
    """The estimates by their metric and slice; of several, the first."""
    return {(each.metric, frozenset(each.slice.items())): each for each in reversed(estimates)}


@dataclass(frozen=True, repr=False)
class Result:
    """One run, ready for analysis: the model's name, its outcomes, the suite's estimates, and what the model is.

    `outcomes` are those of the first stage, `evidence` has those of all. `sampling` is how the model was sampled, by
    name, with "unstated" where its own default was left in force. `run` is the name of the run's folder, `rounds` what
    it came to if it asked in rounds.
    """

    model: str
    outcomes: pl.DataFrame
    estimates: Sequence[Estimate]
    about: ModelFacts | None = None
    evidence: Evidence = Evidence({})  # noqa: RUF009 - frozen
    sampling: Mapping[str, Json] = field(default_factory=dict)
    run: str = ""
    rounds: RoundsTaken | None = None

    @cached_property
    def by_slice(self) -> BySlice:
        """The estimates by their metric and slice; of several, the first."""
        return index_by_slice(self.estimates)

    def __repr__(self) -> str:
        return f"<Result of {self.model}: {len(self.outcomes):,} outcomes, {len(self.estimates):,} estimates>"


@dataclass(frozen=True, kw_only=True, repr=False)
class OtherReading:
    """A run's replies as another reader of their families reads them than the default one.

    `counts` are those of the first stage, `estimates` the suite's, all as that reader reads.
    """

    reader: str
    counts: Counts
    estimates: Sequence[Estimate]

    @cached_property
    def by_slice(self) -> BySlice:
        """The estimates by their metric and slice; of several, the first."""
        return index_by_slice(self.estimates)

    def __repr__(self) -> str:
        return f"<OtherReading by {self.reader}: {len(self.estimates):,} estimates>"

    def beside(self, estimate: Estimate) -> Estimate | None:
        """The figure that this reader's readings give beside one of the default's; `None` where the two are equal."""
        other = self.by_slice.get((estimate.metric, frozenset(estimate.slice.items())))
        shown = ("value", "low", "high", "reason")
        return other if other and any(getattr(other, name) != getattr(estimate, name) for name in shown) else None


class ReadFigure(NamedTuple):
    """A figure by the suite's own reader, and by each of some others; `others` are in the order of the readings."""

    own: Estimate
    others: tuple[Estimate, ...]


def read_otherwise(
    headline: Sequence[str], estimates: Sequence[Estimate], readings: Sequence[OtherReading]
) -> list[ReadFigure]:
    """The headline figures over everything that any other reader gives otherwise; the others are the suite's own.

    One that is undefined by all readers, for whatever reasons, is not among them.
    """
    whole = {each.metric: each for each in reversed(estimates) if not each.slice}
    figures = [whole[metric] for metric in headline if metric in whole]
    found = [(own, [reading.beside(own) for reading in readings]) for own in figures]
    read = [ReadFigure(own, tuple(each or own for each in beside)) for own, beside in found]
    return [each for each in read if any(_shown(other) != _shown(each.own) for other in each.others)]


def _shown(estimate: Estimate) -> tuple[float | None, ...]:
    return estimate.value, estimate.low, estimate.high


@dataclass(frozen=True, repr=False)
class Table:
    """A table for people and for CSV: a file stem, a title, a note on what was averaged over what, columns and rows."""

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def frame(self) -> pl.DataFrame:
        """The table as a frame with the columns of its CSV file.

        A column of estimates becomes four (X, X low, X high, X reason) in the estimates' own unit, such as a
        proportion; a column of counts becomes one for each count.

        >>> Table("t", "", "", ("Model", "Seeds"), (("a", 3), ("b", None))).frame().rows()
        [('a', 3), ('b', None)]
        """
        columns: dict[str, list[str | int | float | None]] = {}
        for place, name in enumerate(self.columns):
            cells = [row[place] for row in self.rows]
            for part, pick in _parts(name, cells).items():
                columns[part] = [pick(cell) for cell in cells]
        return pl.DataFrame({name: pl.Series(values, strict=False) for name, values in columns.items()})

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self.title}, {len(self.rows):,} rows>"


def _parts(name: str, cells: Sequence[Cell]) -> dict[str, Callable[[Cell], str | int | float | None]]:
    """The columns that a column of cells becomes, each with what it takes of a cell."""
    if any(isinstance(cell, Estimate) for cell in cells):
        parts = {"value": name, **{part: f"{name} {part}" for part in ("low", "high", "reason")}}
        return {title: partial(_part, Estimate, part) for part, title in parts.items()}
    if any(isinstance(cell, Counts) for cell in cells):
        return {each.name: partial(_part, Counts, each.name) for each in fields(Counts)}
    return {name: _plain}


def _part(kind: type[Estimate] | type[Counts], part: str, cell: Cell) -> str | int | float | None:
    value: str | int | float | None = getattr(cell, part) if isinstance(cell, kind) else None
    return value


def _plain(cell: Cell) -> str | int | float | None:
    return None if isinstance(cell, Estimate | Counts) else cell


@dataclass(frozen=True, repr=False)
class Figure:
    """A figure: a file stem, a title, a note on what it shows, and the SVG document.

    A `broad` one needs the whole width of a page to be read.
    """

    name: str
    title: str
    note: str
    svg: str
    broad: bool = False

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg

    def __repr__(self) -> str:
        return f"<Figure {self.name}: {self.title}>"


@dataclass(frozen=True)
class PublishedTable:
    """A published table: the runs' rows as a table, then the published rows, as printed, under their source."""

    runs: Table
    source: str
    rows: tuple[tuple[str, ...], ...]


class Passage(NamedTuple):
    """A stretch of a reply, from `start` up to but not including `end`, in characters of a field of its row.

    `title` says in a word or two why it is marked.
    """

    field: Literal["reasoning", "text"]
    start: int
    end: int
    title: str
    shade: Shade = ""


class Region(NamedTuple):
    """A region of an item's first picture, in pixels of it; `title` says what regions of this shade are."""

    name: str
    box: Box
    title: str = ""
    shade: Shade = ""


def find(result: Result, metric: str, where: Mapping[str, Json]) -> Estimate | None:
    """The estimate of a metric in a slice, or `None`."""
    return result.by_slice.get((metric, frozenset(where.items())))


def slice_values(result: Result, key: str) -> list[Json]:
    """The values that a key of the slices takes, in order of appearance."""
    return list(dict.fromkeys(e.slice[key] for e in result.estimates if key in e.slice))
