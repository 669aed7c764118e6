"""The table of what a written name costs."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.suite.results import Result, find, slice_values
from veridical.suite.tables import UNITS, CompanionColumn, RowHead, TableSpec
from veridical.suites.viabench.puzzles import PUZZLES

names = TableSpec(
    name="viabench-names",
    title="Does a written name mislead?",
    note="Cost: accuracy on familiar things above a blank strip − on the same pictures above their name; p by a "
    "sign-flip test by unit, Holm over puzzles and over kinds of pictures.",
    about=("Pictures",),
    rows=lambda result: (
        (label, where) for label, where in _familiar(result) if find(result, "cost of the name", where)
    ),
    columns={
        "Cost of the name": "cost of the name",
        "Units": UNITS,
        "p": CompanionColumn("p", 0),
        "Blank": ("accuracy", {"name_written": False}),
        "Named": ("accuracy", {"name_written": True}),
    },
)


def _familiar(result: Result) -> Iterator[RowHead]:
    """Rows of all pictures, of each variant, and of each puzzle."""
    yield from ((("all",), {}), (("unusual",), {"variant": "unusual"}), (("ordinary",), {"variant": "ordinary"}))
    yield from (
        ((PUZZLES[str(family)].title,), {"family": family})
        for family in slice_values(result, "family")
        if family in PUZZLES
    )
