"""Results as the page shows them: counts, table cells with notes, published tables, settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from veridical.base.format import format_interval, format_number, format_value
from veridical.errors import InputError
from veridical.records import STATUSES, Counts, Estimate, Json, canonical
from veridical.suite.results import Cell, PublishedTable, Table


@dataclass(frozen=True)
class CellView:
    """A cell: text, what stands small below it, the letters of its notes, and "counts" where it holds those."""

    text: str
    interval: str = ""
    note: str = ""
    kind: str = ""


@dataclass(frozen=True)
class TableView:
    """A table whose numeric columns are marked, with the reasons that its cells refer to by letter."""

    table: Table
    numeric: tuple[bool, ...]
    rows: tuple[tuple[CellView, ...], ...]
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PublishedView:
    """A published table ready to be shown: the runs' rows, then the published ones, as printed, under their source."""

    runs: TableView
    source: str
    rows: tuple[tuple[CellView, ...], ...]


def counts_view(counts: Counts) -> list[tuple[str, int]]:
    """All counts with their names, planned and asked first; `asked again` only where it happened.

    >>> counts_view(Counts(planned=9, asked=8, answered=7, unparsed=1, refused=0, truncated=0, error=0))[:3]
    [('planned', 9), ('asked', 8), ('answered', 7)]
    """
    names = ("planned", "asked", *STATUSES)
    shown = [(name, getattr(counts, name)) for name in names]
    return [*shown, ("asked again", counts.asked_again)] if counts.asked_again else shown


def counts_cell(counts: Counts) -> CellView:
    """Counts in a cell: answered of asked, and below it the planned ones and every way in which there was no answer.

    >>> counts_cell(Counts(planned=9, asked=8, answered=7, unparsed=1, refused=0, truncated=0, error=0)).interval
    '9 planned; 1 unparsed; 0 refused, truncated, error'
    """
    failed = {name: getattr(counts, name) for name in STATUSES if name != "answered"}
    parts = [f"{counts.planned:,} planned", *(f"{count:,} {name}" for name, count in failed.items() if count)]
    none = [name for name, count in failed.items() if not count]
    parts += [f"0 {', '.join(none)}"] if none else []
    parts += [f"{counts.asked_again:,} asked again"] if counts.asked_again else []
    return CellView(f"{counts.answered:,} answered of {counts.asked:,}", "; ".join(parts), kind="counts")


def table_view(table: Table) -> TableView:
    """A table ready to be shown; each reason stands once below it, under the letter that its cells carry."""
    letters: dict[str, str] = {}

    def cell(value: Cell) -> CellView:
        if value is None:
            return CellView("–")
        if isinstance(value, str):
            return CellView(value)
        if isinstance(value, Counts):
            return counts_cell(value)
        if not isinstance(value, Estimate):
            return CellView(format_number(value))
        text = "–" if value.value is None else format_value(value.value, value.unit)
        note = letters.setdefault(value.reason, _letters(len(letters))) if value.reason else ""
        return CellView(text, format_interval(value), note)

    rows = tuple(tuple(cell(value) for value in row) for row in table.rows)
    numeric = tuple(
        any(row[i] is not None for row in table.rows)
        and not any(isinstance(row[i], str | Counts) for row in table.rows)
        for i in range(len(table.columns))
    )
    return TableView(table, numeric, rows, {letter: reason for reason, letter in letters.items()})


def published_view(table: PublishedTable) -> PublishedView:
    """A published table ready to be shown; raises `InputError` for a row that is not as long as the table is wide."""
    width = len(table.runs.columns)
    for row in (*table.runs.rows, *table.rows):
        if len(row) != width:
            raise InputError(f"published table '{table.runs.name}': a row has {len(row)} cells for {width} columns")
    rows = tuple(tuple(CellView(text) for text in row) for row in table.rows)
    return PublishedView(table_view(table.runs), table.source, rows)


def _letters(number: int) -> str:
    last = chr(ord("a") + number % 26)
    return last if number < 26 else _letters(number // 26 - 1) + last


def settings_view(identities: Sequence[Mapping[str, Json]]) -> list[tuple[str, list[str], bool]]:
    """Each key of any identity (nested ones joined by dots), its value in each run, and whether the runs differ.

    >>> settings_view([{"sampling": {"seed": 1}}, {"sampling": {"seed": 2}}])
    [('sampling.seed', ['1', '2'], True)]
    """
    flat = [dict(_flatten("", identity)) for identity in identities]
    keys = dict.fromkeys(key for identity in flat for key in identity)
    rows = [(key, [identity.get(key, "–") for identity in flat]) for key in keys]
    return [(key, values, len(set(values)) > 1) for key, values in rows]


def _flatten(prefix: str, value: Json) -> list[tuple[str, str]]:
    if isinstance(value, Mapping) and (value or not prefix):
        return [pair for key in value for pair in _flatten(f"{prefix}.{key}" if prefix else str(key), value[key])]
    return [(prefix, value if isinstance(value, str) else canonical(value))]
