"""The H-Index: the averages behind it, and claims on models by it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from veridical.published.hocabench.layout import KINDS, MAIN, PAPER, TASKS, kind_sizes, models
from veridical.published.printed import Sheet
from veridical.published.ranges import Range, mean, printed
from veridical.published.relations import rank
from veridical.published.replicate import Check, Finding

INDEX = "H-Index (Avg)"
CLOSED = "Closed-Source"

ONE_WEIGHTING = Check(
    paper=PAPER,
    place="Equation 1, Table 2",
    claim="The H-Index is the plain mean of four task scores, Tasks II to IV having an ontological and a causal part.",
    computation="The two parts of a task averaged over videos (254 and 376, inferred from the digits of the table) or "
    "plainly, in the same way for all tasks; then the mean of the four.",
    consequence=3,
    cause="Two kinds of averages are mixed: Tasks II and III enter as plain means of two kinds, Task IV as a mean over "
    "videos.",
)
MIXED = Check(
    paper=PAPER,
    place="Equation 1, Table 2",
    claim="The H-Index follows from the cells of its row.",
    computation="Tasks II and III as plain means of the two kinds, Task IV as the mean over 254 and 376 videos.",
    consequence=4,
    cause="One of the cells is from another run.",
)
BEST = Check(
    paper=PAPER,
    place="Section 4.2",
    claim="The best open model has the highest index, above the two closed ones.",
    computation="Ranks and differences of Table 2.",
    consequence=4,
    cause="",
)
BEST_EITHER_WAY = Check(
    paper=PAPER,
    place="Section 4.2",
    claim="Qwen3-VL-32B in thinking mode is the best model.",
    computation="Its rank by the index of the 26 rows with one weighting for all tasks, plain or over videos.",
    consequence=3,
    cause="The two modes of the model are 0.3 points apart, and the weighting decides which is ahead.",
)
GROWTH = Check(
    paper=PAPER,
    place="Section 4.2",
    claim="The index grows with size, steadily within a family.",
    computation="Each step to the next larger dense model of a family in Table 2, for both modes.",
    consequence=3,
    cause="The series ends at 14B: the 38B model of the same family falls back in thinking mode.",
)
FAMILIES = {
    "InternVL-3.5": ("2B", "8B", "14B", "38B"),
    "Qwen3-VL": ("2B", "8B", "32B"),
    "GLM-4.6V": ("9B-Flash", "106B-FP8"),
}


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    sheet = Sheet(PAPER, MAIN)
    rows = models()
    weights = list(kind_sizes().values())
    for subject, by_videos in (
        ("all tasks over videos", TASKS),
        ("all tasks plainly", ()),
    ):
        fits = [_index(sheet, row, weights, by_videos).meets(sheet.value(row, INDEX)) for row in rows]
        yield ONE_WEIGHTING.every(subject, fits)
        indices = [_index(sheet, row, weights, by_videos) for row in rows]
        place = rank(indices[rows.index("Qwen3-VL-32B (T)")], indices)
        yield BEST_EITHER_WAY.exactly(f"rank, {subject}", "1", place)
    for row in rows:
        yield MIXED.number(row, sheet.text(row, INDEX), _index(sheet, row, weights, ("Task IV",)))
    yield from _best(sheet, rows)
    for family, steps in FAMILIES.items():
        for mode in ("", " (T)"):
            values = [sheet.value(f"{family}-{size}{mode}", INDEX) for size in steps]
            grows = [larger.above(smaller) for smaller, larger in pairwise(values)]
            yield GROWTH.every(f"{family}{mode or ' (I)'}, {steps[0]} to {steps[-1]}", grows)


def _index(sheet: Sheet, row: str, weights: list[int], by_videos: tuple[str, ...]) -> Range:
    parts = [sheet.value(row, "Task I / F1")]
    for task in TASKS:
        cells = [sheet.value(row, f"{task} / {kind}") for kind in KINDS]
        parts.append(mean(cells, weights if task in by_videos else None))
    return mean(parts)


def _best(sheet: Sheet, rows: list[str]) -> Iterator[Finding]:
    text = Sheet(PAPER, "text")
    stated = printed(text.text("Qwen3-VL-32B", "H-Index"))
    place = rank(stated, [sheet.value(row, INDEX) for row in rows])
    yield BEST.exactly("rank of 70.3 among all rows", "1", place)
    closed = sheet.rows(CLOSED)
    yield BEST.every("closed models below", [stated.above(sheet.value(row, INDEX)) for row in closed])
