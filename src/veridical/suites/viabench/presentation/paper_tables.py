"""The paper's main table beside the runs of a report."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.published.tables import PublishedLayout, add_run_rows
from veridical.suite.results import PublishedTable, Result, find
from veridical.suite.tables import comparable_runs
from veridical.suites.viabench.options import CODES

MAIN = PublishedLayout(
    title="Accuracy by category, as published",
    note="Match: the option's letter, read by rules. The paper's average is over both protocols' columns, that of the "
    "runs over Match alone. Its items are others: 1,004 found pictures, of which every published row is a mean of five "
    "runs. How many people are behind its human row, and on how many items, is unstated.",
    source="VIA-Bench, main results table (section 3.2)",
    paper="viabench",
    table="main",
    group=None,
    columns={
        "Average": ("Avg.", ("average", {})),
        **{code: (f"{code} / Match", ("accuracy", {"category": category})) for category, code in CODES.items()},
    },
)


def published_tables(results: Sequence[Result], names: Sequence[str]) -> tuple[list[PublishedTable], dict[str, str]]:
    """The main table with the runs that were asked as the paper asks, and why each other run is left out.

    That is by letter, with the pictures shown, and without a system turn that asks for reasoning.
    """
    matching, lacking = comparable_runs(results, names, _lacks)
    return [add_run_rows(MAIN, matching)] if matching else [], lacking


def _lacks(result: Result) -> str | None:
    settings = result.outcomes["settings"]
    for name, level in (("answer_form", "choice"), ("sight", "shown"), ("cot", "none")):
        if not (settings.str.json_path_match(f"$.{name}") == level).any():
            return f"was not asked with {name}={level}"
    return None if find(result, "average", {}) else "has items of one category alone"
