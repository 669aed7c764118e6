"""The papers' tables as data: one CSV per table, one row per printed cell, all with the same columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import prod

import polars as pl

from veridical.errors import unknown
from veridical.published.ranges import Range, exact, printed

COLUMNS = ("paper", "table", "group", "row", "column", "value", "unit", "place")
"""Columns of every table, all text; `value` keeps the printed digits and is empty for an empty cell."""

UNITS = ("percent", "points", "proportion", "ratio", "score", "rank", "count", "level", "text")

KEY = ("paper", "table", "group", "row", "column")

_EXACT = ("count", "rank", "level")
"""Units of numbers that are not rounded, unless they are marked as approximate."""


@dataclass(frozen=True, slots=True)
class Cell(Range):
    """A printed number: every value that rounds to it, and the text as printed."""

    text: str


@cache
def papers() -> tuple[str, ...]:
    """The papers that have tables here, in alphabetical order."""
    return tuple(sorted(entry.name for entry in _DATA.iterdir() if entry.is_dir()))


@cache
def names(paper: str) -> tuple[str, ...]:
    """The tables of a paper, in alphabetical order. Raises `InputError` for an unknown paper."""
    if paper not in papers():
        raise unknown("paper", paper, papers())
    entries = (entry.name for entry in (_DATA / paper).iterdir())
    return tuple(sorted(name.removesuffix(".csv") for name in entries if name.endswith(".csv")))


@cache
def table(paper: str, name: str) -> pl.DataFrame:
    """One row per printed cell of a table, with `COLUMNS`, all text. Raises `InputError` for an unknown name.

    >>> table("viprobe", "8").filter(row="gpt-4o", column="R")["value"].item()
    '1.04'
    """
    if name not in names(paper):
        raise unknown(f"table of {paper}", name, names(paper))
    data = (_DATA / paper / f"{name}.csv").read_bytes()
    return pl.read_csv(data, infer_schema=False).fill_null("")


class Sheet:
    """A table with its cells by label. Raises `KeyError` if labels match no cell, or more than one."""

    def __init__(self, paper: str, name: str) -> None:
        self.paper, self.name = paper, name
        self.frame = table(paper, name)
        self._rows = list(self.frame.select("group", "row").unique(maintain_order=True).iter_rows())
        self._cells: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
        for group, row, column, *cell in self.frame.select("group", "row", "column", "value", "unit").iter_rows():
            self._cells.setdefault((row, column), []).append((group, *cell))

    def rows(self, group: str | None = None) -> list[str]:
        """The distinct row labels in printed order, of one group or of all."""
        return list(dict.fromkeys(row for where, row in self._rows if group in (None, where)))

    def groups(self) -> list[str]:
        """The group labels in printed order."""
        return self.frame["group"].unique(maintain_order=True).to_list()

    def text(self, row: str, column: str, group: str | None = None) -> str:
        """A cell as printed."""
        return self._one(row, column, group)[0]

    def value(self, row: str, column: str, group: str | None = None) -> Range:
        """Every value that rounds to the cell as printed."""
        return printed(self.text(row, column, group))

    def cell(self, row: str, column: str, group: str | None = None) -> Cell | str:
        """A cell as a quantity, counts and ranks exact; a cell of words as its text; `870×10` is a product."""
        value, unit = self._one(row, column, group)
        if unit == "text":
            return value
        if "×" in value.strip("×"):
            product = exact(prod(int(factor) for factor in value.split("×")))
            return Cell(product.low, product.high, value)
        quantity = exact(value) if unit in _EXACT and not set(value) & set("~≈.") else printed(value)
        return Cell(quantity.low, quantity.high, value)

    def has(self, row: str, column: str, group: str | None = None) -> bool:
        """Whether there is such a cell, with digits or words in it."""
        cells = [value for where, value, _ in self._cells.get((row, column), []) if group in (None, where)]
        return len(cells) == 1 and cells[0] not in ("", "-", "–")

    def _one(self, row: str, column: str, group: str | None) -> tuple[str, str]:
        cells = [cell for where, *cell in self._cells.get((row, column), []) if group in (None, where)]
        if len(cells) != 1:
            raise KeyError(f"{len(cells)} cells at {row}, {column}, {group}")
        value, unit = cells[0]
        return value, unit


@cache
def sheet(paper: str, name: str) -> Sheet:
    """The cells of a table, cached. Raises `InputError` for an unknown name."""
    return Sheet(paper, name)


_DATA = files("veridical.published") / "data"
