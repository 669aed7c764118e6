"""Averages, ranks, means of runs, and cells that appear in two tables."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.ranges import mean
from veridical.published.relations import rank
from veridical.published.replicate import Check, Finding
from veridical.published.viabench.layout import COLUMNS, PAPER, SECTIONS, averages, of

AVERAGE = Check(
    paper=PAPER,
    place="Main results table, CoT table",
    claim="Avg. is the average of a row.",
    computation="Mean of the twelve cells, plain and by questions, and plain means of Match only and of Judge only.",
    consequence=3,
    cause="The row was updated after its average.",
)
RANK = Check(
    paper=PAPER,
    place="Main results table",
    claim="Rank is a model's place in its section.",
    computation="The place by Avg. as printed, and by the mean weighted by questions.",
    consequence=3,
    cause="A row was updated after the ranks.",
    instead="veridical compare gives paired differences of two runs on the same trials, with intervals.",
)
RUN_MEAN = Check(
    paper=PAPER,
    place="Main results table, table of runs",
    claim="A cell is the mean of its five runs.",
    computation="Mean of the five runs' cells.",
    consequence=4,
    cause="A cell was mistyped. One run has 27.76 instead of 21.76, which its neighbor has and which gives the mean; "
    "67.75 is the mean of the other protocol's runs.",
    instead="Repeats are rows of the outcome table, and averages are computed from them.",
)
SAME = Check(
    paper=PAPER,
    place="Main results table, CoT table",
    claim="The rows without CoT are the models' rows in the main table.",
    computation="The same cells of the main table.",
    consequence=4,
    cause="One table was updated and the other was not.",
)
TEMPERATURE = Check(
    paper=PAPER,
    place="Table 3, main results table",
    claim="The rows at the temperature that the experiments use are the models' rows in the main table.",
    computation="The same cells of the main table.",
    consequence=3,
    cause="The runs differ, or one table was updated and the other was not. The difference is larger than those "
    "between temperatures, which may therefore be no more than the variation between sets of runs.",
)
MAIN = {"Gemini-2.5-pro": "Gemini-2.5-pro", "Qwen2.5-VL-7B": "Qwen2.5-VL-7B-Instruct"}
RUN_ROWS = {"Openai o3": "OpenAI o3", "Qwen3-VL-235B-A22B-Thinking": "Qwen3-VL-235B-A22B-Thinking"}
USED = {"Gemini-2.5-pro": ("temperature 0.8", "Gemini-2.5-pro")}
USED |= {"InternVL3.5-8B": ("temperature 0.6", "InternVL3.5-8B (w/ thinking)")}


def findings() -> Iterator[Finding]:
    """The arithmetic inside and between the tables."""
    yield from _averages()
    yield from _ranks()
    yield from _copies()


def _averages() -> Iterator[Finding]:
    for name in ("main", "cot"):
        sheet = of(name)
        for group in sheet.groups():
            for row in sheet.rows(group):
                readings = averages(sheet, row, group)
                subject = row if name == "main" else f"{group}, {row}"
                yield AVERAGE.average(subject, sheet.text(row, "Avg.", group), readings)


def _ranks() -> Iterator[Finding]:
    sheet = of("main")
    for section in SECTIONS:
        rows = sheet.rows(section)
        plain = [sheet.value(row, "Avg.") for row in rows]
        weighted = [averages(sheet, row)["by questions"] for row in rows]
        for index, row in enumerate(rows):
            readings = {"by Avg.": rank(plain[index], plain), "by questions": rank(weighted[index], weighted)}
            yield RANK.average(row, sheet.text(row, "Rank"), readings)


def _copies() -> Iterator[Finding]:
    main, runs, cot, warm = of("main"), of("runs"), of("cot"), of("temperature")
    for group, row in RUN_ROWS.items():
        for column in COLUMNS:
            parts = [runs.value(run, column, group) for run in runs.rows(group)]
            yield RUN_MEAN.number(f"{row}, {column}", main.text(row, column), mean(parts))
    for group, row in MAIN.items():
        normal = cot.rows(group)[0]
        for column in ("Avg.", *COLUMNS):
            yield SAME.copy(f"{row}, {column}", cot.text(normal, column, group), main.text(row, column))
    for group, (setting, row) in USED.items():
        for column in COLUMNS[:4]:
            yield TEMPERATURE.copy(f"{row}, {column}", warm.text(setting, column, group), main.text(row, column))
