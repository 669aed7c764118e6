"""Categories, protocols and sections of VIA-Bench's tables."""

from __future__ import annotations

from functools import cache
from itertools import product

from veridical.published.granularity import sizes
from veridical.published.printed import Sheet, sheet
from veridical.published.ranges import Range, mean

PAPER = "viabench"
CATEGORIES = ("VA", "CI", "MI", "GI", "GSI", "VI")
PROTOCOLS = ("Match", "Judge")
COLUMNS = tuple(f"{category} / {protocol}" for category, protocol in product(CATEGORIES, PROTOCOLS))
SECTIONS = ("Proprietary Systems", "Open-source Models", "Reasoning-enhanced Models")
RUNS = 5
BLIND, CHANCE, HUMAN = "GPT-4-Turbo", "Random Choice", "Human"


def of(name: str) -> Sheet:
    """A table of the paper."""
    return sheet(PAPER, name)


@cache
def questions() -> dict[str, int]:
    """Questions per category: the smallest number for which every run is a whole count under the judge.

    >>> sum(questions().values())
    1004
    """
    runs = of("runs")
    pairs = [(group, row) for group in runs.groups() for row in runs.rows(group)]
    return {
        category: sizes([runs.text(row, f"{category} / Judge", group) for group, row in pairs], 1000)[0]
        for category in CATEGORIES
    }


def averages(sheet: Sheet, row: str, group: str | None = None) -> dict[str, Range]:
    """A row's average under each weighting that could be meant."""
    cells = {column: sheet.value(row, column, group) for column in COLUMNS}
    weights = [questions()[column.split(" / ")[0]] for column in COLUMNS]
    readings = {"plain over 12 columns": mean(cells.values()), "by questions": mean(cells.values(), weights)}
    for protocol in PROTOCOLS:
        readings[f"plain, {protocol}"] = mean(cells[f"{category} / {protocol}"] for category in CATEGORIES)
    return readings
