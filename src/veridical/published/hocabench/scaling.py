"""Scaling of frames (Table 5), and whether its rows for 16 frames are those of the main table."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.hocabench.layout import COUNTED, KINDS, MAIN, PAPER, kind_sizes, single_anomaly
from veridical.published.printed import Sheet
from veridical.published.ranges import mean
from veridical.published.replicate import Check, Finding

PARTS = ("T-I", "T-II", "T-III", "T-IV")
SHARED = (("T-I", "Task I / F1"), ("H-Idx", "H-Index (Avg)"))
"""Columns of both Table 5 and the main table."""
IN_MAIN = {
    "GLM-4.6V-106B": "GLM-4.6V-106B-FP8",
    "Qwen3-VL-8B": "Qwen3-VL-8B",
    "Qwen3-VL-32B": "Qwen3-VL-32B",
    "Gemini-2.0-Flash": "Gemini-2.5-Flash",
}
"""Row of the main table for each model of Table 5; for the last one, the row with its numbers."""

INDEX = Check(
    paper=PAPER,
    place="Table 5",
    claim="The H-Index is the mean of the four scores beside it.",
    computation="Plain mean.",
    consequence=4,
    cause="One of the cells is from another run.",
)
CHANGE = Check(
    paper=PAPER,
    place="Table 5",
    claim="The change of the index with 64 frames.",
    computation="Difference of the two rows.",
    consequence=4,
    cause="One of the cells is from another run.",
)
SAME_RUN = Check(
    paper=PAPER,
    place="Tables 2 and 5",
    claim="The rows for 16 frames, in instruct mode, are the conditions of the main table.",
    computation="F1 of Task I and the H-Index compared with the main table's; Tasks II to IV with means of its two "
    "kinds.",
    consequence=3,
    cause="The rows of Qwen3-VL have another F1 of Task I, lower by the same 2.8 points in both, while their other "
    "scores follow from the main table: F1 was computed differently there, and the weighting of Tasks II and III "
    "differs as well.",
)
SAME_NAME = Check(
    paper=PAPER,
    place="Tables 2 and 5",
    claim="Table 5 tests Gemini-2.0-Flash, which the main table does not have.",
    computation="Its row for 16 frames compared with that of Gemini-2.5-Flash: F1 of Task I, and the H-Index.",
    consequence=4,
    cause="The name is a slip: the numbers are those of Gemini-2.5-Flash.",
)
ONE_AVERAGE = Check(
    paper=PAPER,
    place="Tables 2 and 5",
    claim="Scores of Tasks II and III at 16 frames are averaged over the two kinds in the same way.",
    computation="Each cell of Table 5 compared with the main table's plain mean, or its mean over 254 and 376 videos.",
    consequence=3,
    cause="Probably two scripts: the rows of GLM and Gemini are plain means, those of Qwen3-VL means over videos.",
)
POOLED = Check(
    paper=PAPER,
    place="Table 5",
    claim="Scores of Tasks II and III are accuracies over the 630 videos.",
    computation="Whole counts of 630 that round to the printed digits.",
    consequence=3,
    cause="They are plain means of the accuracies of two kinds of unequal size, which the text calls accuracy.",
)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    sheet = Sheet(PAPER, "5")
    for model in sheet.groups():
        for frames in ("16f", "64f"):
            parts = [sheet.value(frames, part, model) for part in PARTS]
            yield INDEX.number(f"{model}, {frames}", sheet.text(frames, "H-Idx", model), mean(parts))
        change = sheet.value("64f", "H-Idx", model) - sheet.value("16f", "H-Idx", model)
        yield CHANGE.number(model, sheet.text("64f", "H-Idx / change", model), change)
    yield from _same_run(sheet)
    yield from _one_average(sheet)
    for model in sheet.groups():
        for frames in ("16f", "64f"):
            for part in PARTS[1:3]:
                text = sheet.text(frames, part, model)
                yield POOLED.whole(f"{model}, {frames}, {part}", text, single_anomaly())


def _same_run(sheet: Sheet) -> Iterator[Finding]:
    main, weights = Sheet(PAPER, MAIN), list(kind_sizes().values())
    for model in sheet.groups():
        row = IN_MAIN[model]
        if not row.startswith(model):
            same = [sheet.text("16f", a, model) == main.text(row, b) for a, b in SHARED]
            yield SAME_NAME.holds(model, "another model", not all(same), f"{sum(same)} of {len(same)} cells of {row}")
            continue
        for ours, theirs in SHARED:
            yield SAME_RUN.number(f"{model}, {ours}", sheet.text("16f", ours, model), main.value(row, theirs))
        for part, task in zip(PARTS[1:], (*COUNTED, "Task IV"), strict=True):
            cells = [main.value(row, f"{task} / {kind}") for kind in KINDS]
            readings = {"plain": mean(cells), "by videos": mean(cells, weights)}
            yield SAME_RUN.average(f"{model}, {part}", sheet.text("16f", part, model), readings)


def _one_average(sheet: Sheet) -> Iterator[Finding]:
    main = Sheet(PAPER, MAIN)
    for name, weights in (("plain", None), ("by videos", list(kind_sizes().values()))):
        facts = []
        for model in sheet.groups():
            for part, task in zip(PARTS[1:3], COUNTED, strict=True):
                cells = [main.value(IN_MAIN[model], f"{task} / {kind}") for kind in KINDS]
                facts.append(mean(cells, weights).meets(sheet.value("16f", part, model)))
        yield ONE_AVERAGE.every(name, facts)
