"""What a suite's analysis takes and gives: a run's result, tables and figures, and what is stated of a model."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import polars as pl

from veridical.records import Counts, Estimate, Json
from veridical.suite.evidence import Evidence

Cell = str | int | float | Estimate | Counts | None

PEOPLE = "people/"
"""How the names of observers that are people begin."""


@dataclass(frozen=True, kw_only=True)
class About:
    """What a user states about a model, `None` where nothing is stated; `size` is in billions of parameters."""

    group: str | None = None
    family: str | None = None
    generation: str | None = None
    size: float | None = None
    thinking: bool | None = None
    date: datetime.date | None = None

    def facts(self) -> dict[str, Json]:
        """What is stated, as JSON values; the date as YYYY-MM-DD.

        >>> About(size=7.0, date=datetime.date(2025, 2, 19)).facts()
        {'size': 7.0, 'date': '2025-02-19'}
        """
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        given["date"] = self.date.isoformat() if self.date else None
        return {name: value for name, value in given.items() if value is not None}

    def __str__(self) -> str:
        thinks = {None: None, True: "thinking", False: "not thinking"}[self.thinking]
        size = None if self.size is None else f"{self.size:g} B"
        parts = (self.group, self.family, self.generation, size, thinks, self.facts().get("date"))
        return ", ".join(part for part in parts if part is not None)


@dataclass(frozen=True)
class Result:
    """One run, ready for analysis: the model's name, its outcomes, the suite's estimates, and what the model is.

    `outcomes` are those of the first stage, `evidence` has those of all.
    """

    model: str
    outcomes: pl.DataFrame
    estimates: Sequence[Estimate]
    about: About | None = None
    evidence: Evidence = Evidence({})  # noqa: RUF009 - frozen

    @cached_property
    def by_slice(self) -> dict[tuple[str, frozenset[tuple[str, Json]]], Estimate]:
        """The estimates by their metric and slice; of several, the first."""
        return {(each.metric, frozenset(each.slice.items())): each for each in reversed(self.estimates)}


@dataclass(frozen=True, kw_only=True)
class OtherReading:
    """A run's replies as another reader of their families reads them than the default one.

    `counts` are those of the first stage, `estimates` the suite's, all as that reader reads.
    """

    reader: str
    counts: Counts
    estimates: Sequence[Estimate]

    @cached_property
    def by_slice(self) -> dict[tuple[str, frozenset[tuple[str, Json]]], Estimate]:
        """The estimates by their metric and slice; of several, the first."""
        return {(each.metric, frozenset(each.slice.items())): each for each in reversed(self.estimates)}

    def beside(self, estimate: Estimate) -> Estimate | None:
        """The figure that this reader's readings give beside one of the default's; `None` where the two are equal."""
        other = self.by_slice.get((estimate.metric, frozenset(estimate.slice.items())))
        shown = ("value", "low", "high", "reason")
        return other if other and any(getattr(other, name) != getattr(estimate, name) for name in shown) else None


@dataclass(frozen=True)
class Table:
    """A table for people and for CSV: a file stem, a title, a note on what was averaged over what, columns and rows."""

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Figure:
    """A figure: a file stem, a title, a note on what it shows, and the SVG document."""

    name: str
    title: str
    note: str
    svg: str


@dataclass(frozen=True)
class Opening:
    """What a report says first: a line, and what it rests on."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class PublishedTable:
    """A published table: the runs' rows as a table, then the published rows, as printed, under their source."""

    runs: Table
    source: str
    rows: tuple[tuple[str, ...], ...]
