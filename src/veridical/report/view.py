"""Results as the page shows them: templates, counts, table cells with notes, published tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from veridical.base.format import format_interval, format_number, format_value, visible
from veridical.errors import InputError
from veridical.records import STATUSES, Counts, Estimate
from veridical.suite.results import Cell, PublishedTable, Table

if TYPE_CHECKING:
    from jinja2 import Environment

_NO_NAMES: Mapping[str, str] = {}


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


def environment_of(sources: Mapping[str, str]) -> Environment:
    """The templates of some sources by name: text is escaped, and what hides or reorders others is written out."""
    from jinja2 import DictLoader, Environment, StrictUndefined
    from markupsafe import Markup

    def finalize(value: object) -> object:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    return Environment(
        loader=DictLoader(sources),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def counts_table(counts: Sequence[Counts]) -> list[tuple[str, list[int]]]:
    """The columns of a table of counts: planned and answered, and whatever else occurred in any row.

    >>> counts = Counts(planned=9, asked=9, answered=7, unparsed=2, refused=0, truncated=0, error=0)
    >>> counts_table([counts])
    [('planned', [9]), ('answered', [7]), ('unparsed', [2])]
    """
    sent = [] if all(each.asked == each.planned for each in counts) else ["asked"]
    others = [name for name in (*STATUSES, "asked_again") if name != "answered"]
    names = ["planned", *sent, "answered", *(name for name in others if any(getattr(each, name) for each in counts))]
    return [(name.replace("_", " "), [getattr(each, name) for each in counts]) for name in names]


def unanswered_text(counts: Counts) -> list[str]:
    """What became of the trials that were not answered, in words; nothing where all were.

    >>> unanswered_text(Counts(planned=9, asked=8, answered=7, unparsed=1, refused=0, truncated=0, error=0))
    ['1 unparsed', '1 not asked']
    """
    failed = [(getattr(counts, name), name) for name in STATUSES if name != "answered"]
    return [f"{count:,} {name}" for count, name in (*failed, (counts.planned - counts.asked, "not asked")) if count]


def readable(counts: Counts) -> float | None:
    """The share of the replies that were asked for from which an answer was read, `None` where nothing was asked."""
    return counts.answered / counts.asked if counts.asked else None


def counts_cell(counts: Counts) -> CellView:
    """Counts in a cell: how many were answered, of how many if not all, and below it what became of the others.

    >>> cell = counts_cell(Counts(planned=9, asked=8, answered=7, unparsed=1, refused=0, truncated=0, error=0))
    >>> cell.text, cell.interval
    ('7 of 9', '1 unparsed, 1 not asked')
    """
    whole = counts.answered == counts.planned
    text = f"{counts.answered:,}" if whole else f"{counts.answered:,} of {counts.planned:,}"
    again = [f"{counts.asked_again:,} asked again"] if counts.asked_again else []
    return CellView(text, ", ".join(unanswered_text(counts) + again), kind="counts")


def table_view(table: Table, names: Mapping[str, str] = _NO_NAMES) -> TableView:
    """A table ready to be shown; each reason stands once below it, under the letter that its cells carry.

    A cell of text that `names` has a name for shows that; a column without any value is left out.
    """
    letters: dict[str, str] = {}

    def cell(value: Cell) -> CellView:
        if value is None:
            return CellView("–")
        if isinstance(value, str):
            return CellView(names.get(value, value))
        if isinstance(value, Counts):
            return counts_cell(value)
        if not isinstance(value, Estimate):
            return CellView(format_number(value))
        text = (value.between or "–") if value.value is None else format_value(value.value, value.unit)
        note = letters.setdefault(value.reason, note_letter(len(letters))) if value.reason else ""
        return CellView(text, format_interval(value), note)

    table = _filled(table)
    rows = tuple(tuple(cell(value) for value in row) for row in table.rows)
    numeric = tuple(
        any(row[i] is not None for row in table.rows)
        and not any(isinstance(row[i], str | Counts) for row in table.rows)
        for i in range(len(table.columns))
    )
    return TableView(table, numeric, rows, {letter: reason for reason, letter in letters.items()})


def _filled(table: Table) -> Table:
    """The table without the columns, but the first, that have no value in any row."""
    filled = [k for k in range(len(table.columns)) if not k or any(row[k] is not None for row in table.rows)]
    rows = tuple(tuple(row[k] for k in filled) for row in table.rows)
    return replace(table, columns=tuple(table.columns[k] for k in filled), rows=rows)


def published_view(table: PublishedTable) -> PublishedView:
    """A published table ready to be shown; raises `InputError` for a row that is not as long as the table is wide."""
    width = len(table.runs.columns)
    for row in (*table.runs.rows, *table.rows):
        if len(row) != width:
            raise InputError(f"published table '{table.runs.name}': a row has {len(row)} cells for {width} columns")
    rows = tuple(tuple(CellView(text) for text in row) for row in table.rows)
    return PublishedView(table_view(table.runs), table.source, rows)


def note_letter(number: int) -> str:
    """The letter of a note, counted from 0: a to z, then aa, ab and so on.

    >>> note_letter(0), note_letter(25), note_letter(26)
    ('a', 'z', 'aa')
    """
    last = chr(ord("a") + number % 26)
    return last if number < 26 else note_letter(number // 26 - 1) + last
