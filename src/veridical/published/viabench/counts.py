"""Numbers of questions behind the rates: granularity of all tables."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from veridical.published.granularity import counts
from veridical.published.ranges import exact
from veridical.published.replicate import Check, Finding
from veridical.published.viabench.layout import COLUMNS, HUMAN, PAPER, RUNS, SECTIONS, of, questions

PEOPLE = 30
TOTAL = Check(
    paper=PAPER,
    place="Section 3",
    claim="There are 1,004 questions.",
    computation="Sum over categories of the smallest number of questions for which every run is a whole count.",
    consequence=3,
)
SHARE = Check(
    paper=PAPER,
    place="Section 3.2, Figure 3",
    claim="Visual anomalies are 23.8 % of the questions, Gestalt illusions 11.7 %.",
    computation="The numbers of questions inferred from the digits of single runs, divided by their sum.",
    consequence=4,
)
RUN = Check(
    paper=PAPER,
    place="Table of runs (Appendix C)",
    claim="A run's accuracy is a whole count over its category's questions.",
    computation="Counts over 239, 201, 156, 117, 162 and 129 questions.",
    consequence=4,
    cause="A digit was mistyped.",
)
CELL = Check(
    paper=PAPER,
    place="Main results, CoT and temperature tables",
    claim="A cell averages five runs over all questions of its category.",
    computation="Counts over five times the category's questions; rates rounded run by run are accepted.",
    consequence=3,
    cause="Not every question has five replies: some were left out of the denominator, or runs are missing from the "
    "mean.",
    doubt="Retried or lost replies are accounted for only by a second rounding.",
    instead="Unanswered trials stay in the denominator; every table shows planned and asked trials and each status.",
)
PERSON = Check(
    paper=PAPER,
    place="Main results table",
    claim="Human accuracy is a whole count over the questions of its category.",
    computation=f"Counts over the category's questions, answered once or by up to {PEOPLE} people.",
    consequence=3,
    cause="The human figure is over other questions than the models' (79 of 80 gives 98.75), or was mistyped.",
    instead="A run of people records the numbers of people and pictures.",
)


def findings() -> Iterator[Finding]:
    """The numbers of questions and replies that the digits imply."""
    sizes, text = questions(), of("text")
    total = sum(sizes.values())
    yield TOTAL.exactly("questions", text.text("questions", "total"), exact(total))
    for category, extreme in (("VA", max(sizes.values())), ("GI", min(sizes.values()))):
        share = exact(Fraction(100 * extreme, total))
        yield SHARE.number(f"{category}, the extreme", text.text(category, "share"), share)
    yield from _runs()
    yield from _cells()
    for column in COLUMNS:
        n, rate = sizes[column.split(" / ")[0]], of("main").text(HUMAN, column)
        times = next((people for people in range(1, PEOPLE + 1) if counts(rate, n * people)), 1)
        yield PERSON.whole(column, rate, n * times)


def _runs() -> Iterator[Finding]:
    sheet = of("runs")
    for group in sheet.groups():
        for run in sheet.rows(group):
            for column in COLUMNS:
                rate = sheet.text(run, column, group)
                yield RUN.whole(f"{group}, run {run}, {column}", rate, questions()[column.split(" / ")[0]])


def _cells() -> Iterator[Finding]:
    for name, groups in (("main", SECTIONS), ("cot", of("cot").groups()), ("temperature", of("temperature").groups())):
        sheet = of(name)
        for group in groups:
            for row in sheet.rows(group):
                for column in COLUMNS if name != "temperature" else COLUMNS[:4]:
                    n = RUNS * questions()[column.split(" / ")[0]]
                    subject = f"{group}, {row}, {column}"
                    yield CELL.whole(subject, sheet.text(row, column, group), n, roundings=2)
