"""The papers' tables as data: one CSV per table, one row per printed cell, all with the same columns."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import polars as pl

from veridical.errors import unknown

COLUMNS = ("paper", "table", "group", "row", "column", "value", "unit", "place")
"""Columns of every table, all text; `value` keeps the printed digits and is empty for an empty cell."""

UNITS = ("percent", "points", "proportion", "ratio", "score", "rank", "count", "level", "text")

KEY = ("paper", "table", "group", "row", "column")


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


_DATA = files("veridical.published") / "data"
