"""Tables as data: what a row is about with its slice, and the figure of each column in that slice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from veridical.records import Counts, Estimate, Json
from veridical.suite.results import Cell, PublishedTable, Result, Table, find

Where = Mapping[str, Json]
RowHead = tuple[tuple[Cell, ...], Where]
"""The first cells of a row, after the model's name, and the slice that its figures are of."""


@dataclass(frozen=True)
class CompanionColumn:
    """A column about the figure of another one: its p value, counts or number of units.

    `place` is that column's, counted among the figures; -1 is the one before.
    """

    part: Literal["p", "counts", "n_units"]
    place: int


P = CompanionColumn("p", -1)
TRIALS, UNITS = CompanionColumn("counts", 0), CompanionColumn("n_units", 0)

Column = str | tuple[str, Where] | Callable[[Result, Where], Cell] | CompanionColumn
"""A metric, perhaps with what its slice has besides the row's; a function of both; or `CompanionColumn`."""


@dataclass(frozen=True, kw_only=True)
class TableSpec:
    """A table by model: calling it with results makes it.

    `about` heads the cells that say what a row is about, `rows` gives those of a result; a row without any figure is
    left out. `below` gives whole rows that follow those of all results; one that is too short ends with empty cells.
    """

    name: str
    title: str
    note: str
    columns: Mapping[str, Column]
    about: tuple[str, ...] = ()
    rows: Callable[[Result], Iterable[RowHead]] = lambda _: (((), {}),)
    below: Callable[[Sequence[Result]], Iterable[tuple[Cell, ...]]] = lambda _: ()

    def __call__(self, results: Sequence[Result]) -> Table:
        heads = (*self.about, *self.columns)
        return table(self.name, self.title, heads, self.note, self.below)(self._rows)(results)

    def _rows(self, result: Result) -> Iterator[tuple[Cell, ...]]:
        for head, where in self.rows(result):
            yield *head, *cells_of(result, where, self.columns.values())


Rows = Callable[[Result], Iterable[tuple[Cell, ...]]]


def table(
    name: str,
    title: str,
    heads: Sequence[str],
    note: str,
    below: Callable[[Sequence[Result]], Iterable[tuple[Cell, ...]]] = lambda _: (),
) -> Callable[[Rows], Callable[[Sequence[Result]], Table]]:
    """Makes a table of a function that gives the rows of a result, without the model's name; for a decorator.

    A row without any figure is left out. `below` is as in `TableSpec`.
    """
    columns = ("Model", *heads)

    def of(rows_of: Rows) -> Callable[[Sequence[Result]], Table]:
        def made(results: Sequence[Result]) -> Table:
            rows = [
                (result.model, *row)
                for result in results
                for row in rows_of(result)
                if any(isinstance(cell, Estimate) for cell in row)
            ]
            rows += below(results)
            filled = tuple((*row, *[None] * (len(columns) - len(row))) for row in rows)
            return Table(name, title, note, columns, filled)

        made.__doc__ = rows_of.__doc__
        return made

    return of


def p_of(estimate: Cell) -> float | None:
    """The p value of a figure that has one."""
    return estimate.p if isinstance(estimate, Estimate) else None


def counts_of(estimate: Cell) -> Counts | None:
    """The counts of a figure, if it is there."""
    return estimate.counts if isinstance(estimate, Estimate) else None


def cells_of(result: Result, where: Where, columns: Iterable[Column]) -> list[Cell]:
    """The cells of columns in a slice of a result."""
    cells: list[Cell] = []
    for column in columns:
        if isinstance(column, CompanionColumn):
            of = cells[column.place]
            cells.append(getattr(of, column.part) if isinstance(of, Estimate) else None)
        elif isinstance(column, str):
            cells.append(find(result, column, where))
        elif isinstance(column, tuple):
            cells.append(find(result, column[0], {**where, **column[1]}))
        else:
            cells.append(column(result, where))
    return cells


def drop_keys(where: Where, *keys: str) -> dict[str, Json]:
    """A slice without some of its keys.

    >>> drop_keys({"score": "cpa", "stance": "neutral"}, "score")
    {'stance': 'neutral'}
    """
    return {key: level for key, level in where.items() if key not in keys}


def estimate_rows(
    metric: str, head: Callable[[Result, Where], tuple[Cell, ...]]
) -> Callable[[Result], Iterator[RowHead]]:
    """Rows for all estimates of a metric, in their order; `head` makes the first cells from the slice."""

    def rows(result: Result) -> Iterator[RowHead]:
        for each in result.estimates:
            if each.metric == metric:
                yield head(result, each.slice), each.slice

    return rows


def order_tables(
    *makers: Callable[[Sequence[Result]], Table | Iterable[Table]],
) -> Callable[[Sequence[Result]], list[Table]]:
    """A suite's function for its tables: those that have rows, in the order of what makes them."""

    def tables(results: Sequence[Result]) -> list[Table]:
        made = (maker(results) for maker in makers)
        every = (table for each in made for table in ([each] if isinstance(each, Table) else each))
        return [table for table in every if table.rows]

    return tables


def comparable_runs(
    results: Sequence[Result], names: Sequence[str], lacks: Callable[[Result], str | None]
) -> tuple[list[tuple[str, Result]], dict[str, str]]:
    """The named runs that can stand beside published rows, and why each other one cannot, as `lacks` says."""
    runs = list(zip(names, results, strict=True))
    lacking = {name: why for name, result in runs if (why := lacks(result))}
    return [(name, result) for name, result in runs if name not in lacking], lacking


def join_tables(parts: Sequence[PublishedTable]) -> PublishedTable | None:
    """One published table with the runs' rows of all parts, which have the same columns; `None` without any part."""
    if not parts:
        return None
    rows = tuple(row for part in parts for row in part.runs.rows)
    return replace(parts[0], runs=replace(parts[0].runs, rows=rows))
