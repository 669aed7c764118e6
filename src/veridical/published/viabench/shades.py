"""Cells that a table marks as best or second best."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.ranges import exact
from veridical.published.relations import rank
from veridical.published.replicate import Check, Finding
from veridical.published.viabench.layout import PAPER, of

MAIN = Check(
    paper=PAPER,
    place="Main results table",
    claim="The two shades mark the best and the second best of a section in a column.",
    computation="The rank of each shaded cell in its column and section.",
    consequence=4,
    cause="A row was updated or added after shading.",
)
COT = Check(
    paper=PAPER,
    place="CoT table",
    claim="The two shades mark the best and the second best of the three prompts, as in the main table.",
    computation="The rank of each shaded cell among the three prompts of its model.",
    consequence=3,
    cause="Rows were updated or exchanged after shading. By its shades, the table favors manual CoT; by its numbers, "
    "no CoT.",
)


def findings() -> Iterator[Finding]:
    """Findings on the rank of each shaded cell."""
    for name, check in (("main", MAIN), ("cot", COT)):
        sheet = of(name)
        shaded = sheet.frame.filter(unit="level").select("group", "row", "column", "value")
        for group, row, column, shade in shaded.iter_rows():
            label = column.removesuffix(" / shade")
            cells = [sheet.value(other, label, group) for other in sheet.rows(group)]
            place = rank(sheet.value(row, label, group), cells)
            yield check.holds(f"{group}, {row}, {label}", f"place {shade}", place.meets(exact(shade)), place.show(0))
