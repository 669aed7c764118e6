"""The models of VI-Probe's tables, in their one order, and the pictures behind a rate."""

from __future__ import annotations

from veridical.published.printed import Sheet, sheet
from veridical.published.ranges import Range

PAPER = "viprobe"

ORIGINALS, LEVELS = 290, 10
"""Originals, and perturbed pictures per original: the only sizes below 4,000 that fit Table 2's digits (`counts`)."""

SIZE_ORIGINALS = 121
"""Original pictures of the size cases, by the same argument from Tables 9 to 11."""


def of(name: str) -> Sheet:
    """A table of the paper."""
    return sheet(PAPER, name)


def models(name: str = "2") -> list[str]:
    """The 15 models as a table spells them; all tables with 15 rows have them in the same order."""
    return of(name).rows()


def named(model: str, name: str) -> str:
    """A model of Table 2 as another table spells it."""
    return models(name)[models().index(model)]


def column(name: str, label: str) -> list[Range]:
    """A column of a table with 15 models, in their order."""
    return [of(name).value(row, label) for row in models(name)]


def text(row: str, quantity: str, group: str | None = None) -> str:
    """A figure in the text, as printed."""
    return of("text").text(row, quantity, group)
