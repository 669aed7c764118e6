"""Printed cells as quantities: of each table of the papers, its cells by label."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod

from studies.published.ranges import Range, exact, printed
from veridical.published import table

_EXACT = ("count", "rank", "level")
"""Units of numbers that are not rounded, unless they are marked as approximate."""


@dataclass(frozen=True, slots=True)
class Cell(Range):
    """A printed number: every value that rounds to it, and the text as printed."""

    text: str


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
