"""Averages over the four types of narration, and cells that appear in more than one table."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.magicbench.layout import FORENSIC, PAPER, TRUTH, TYPES, VISION, videos
from veridical.published.printed import Sheet
from veridical.published.ranges import Range, exact, mean
from veridical.published.replicate import Check, Finding

IN_TABLE_7 = {
    "Vision-Only (Probe)": VISION,
    "Multi-Forensic (SIA)": FORENSIC,
    "Truth Context": TRUTH,
    "Standard (Neutral)": "Multi (Neutral)",
    "Forensic (SIA)": FORENSIC,
    "Vision-Only": VISION,
}
"""Rows of Tables 3 and 5 by their name in Table 7."""

TOTAL = Check(
    paper=PAPER,
    place="Section 3.1",
    claim="The four types make up the 402 videos.",
    computation="Their sum.",
    consequence=4,
    cause="",
)
AVERAGE = Check(
    paper=PAPER,
    place="Tables 3 and 5",
    claim="The last column is the average of the four types.",
    computation="Plain mean of the four cells, and mean weighted by the number of videos; one of the two must fit.",
    consequence=3,
    cause="Averages of an earlier state of the cells, or copied from another row: 38.1 is also the vision-only score "
    "of GPT-4o on Type B in the same table, and the forensic average of Qwen2.5-VL-72B by videos.",
)
TWICE = Check(
    paper=PAPER,
    place="Tables 3 and 5",
    claim="Both tables average the same four cells of GPT-4o.",
    computation="The average in Table 3 compared with that in Table 5.",
    consequence=3,
    cause="The averages of Table 3 do not come from the cells beside them. By Table 5, the forensic prompt gains "
    "about half a point over vision alone; by Table 3, more than four.",
)
SAME_CELLS = Check(
    paper=PAPER,
    place="Tables 3, 5 and 7",
    claim="Table 7 is the full form of Tables 3 and 5.",
    computation="The shared cells, digit by digit.",
    consequence=4,
    cause="One of the tables is from another run.",
)
CHANGES = Check(
    paper=PAPER,
    place="Table 4",
    claim="The change of each text condition relative to vision alone.",
    computation="Its score minus that of the first row.",
    consequence=4,
    cause="One of the cells is from another run.",
)
OWN_SAMPLE = Check(
    paper=PAPER,
    place="Table 4",
    claim="The ablation compares text conditions on 50 videos of Type A.",
    computation="Whether the cells differ from those of GPT-4o over all videos of a type in Table 7 (forensic and "
    "vision alone on Type A; neutral on Type C): a sample of 50 would rarely repeat them to the digit.",
    consequence=3,
    cause="Three of the five rows were taken from the main table, so the rows differ in videos, and the row of "
    "irrelevant patter also in type of video and prompt. The effect of entity nouns then has no common baseline.",
    doubt="Circumstantial: means of 50 videos are unlikely to repeat means of 146 to the digit, but may.",
)
GAP = Check(
    paper=PAPER,
    place="Table 5",
    claim="The gap of Image-of-Thought to vision alone in silence.",
    computation="Difference of the two cells of Type D.",
    consequence=4,
    cause="One of the cells is from another run.",
)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    three, five, seven = (Sheet(PAPER, name) for name in ("3", "5", "7"))
    yield TOTAL.exactly("videos", Sheet(PAPER, "text").text("videos", "number"), exact(sum(videos().values())))
    for group in three.groups():
        for row in three.rows(group):
            yield _average(three, f"Table 3: {group}, {row}", row, group)
    for row in five.rows():
        if row != "all":
            yield _average(five, f"Table 5: {row}", row, "")
    for row, other in (("Vision-Only", "Vision-Only (Probe)"), ("Forensic (SIA)", "Multi-Forensic (SIA)")):
        in_three = three.value(other, "Avg.", "GPT-4o")
        yield TWICE.number(f"GPT-4o, {row}", five.text(row, "Avg."), in_three)
    yield SAME_CELLS.every("cells of Table 3", _same(three, seven))
    yield SAME_CELLS.every("cells of Table 5", _same(five, seven))
    gap = five.value("Vision-Only", "Type D") - five.value("IoT (Inference)", "Type D")
    yield GAP.number("GPT-4o", five.text("IoT (Inference)", "Type D / gap to Vision-Only"), gap)
    yield from _ablation(seven)


def _average(sheet: Sheet, subject: str, row: str, group: str) -> Finding:
    cells = [sheet.value(row, f"Type {kind}", group) for kind in TYPES]
    readings: dict[str, Range] = {"plain": mean(cells), "by videos": mean(cells, list(videos().values()))}
    return AVERAGE.average(subject, sheet.text(row, "Avg.", group), readings)


def _same(sheet: Sheet, full: Sheet) -> list[bool]:
    facts = []
    for group in sheet.groups():
        model = group if group in full.groups() else "GPT-4o"
        for row in (row for row in sheet.rows(group) if row in IN_TABLE_7):
            for kind in TYPES:
                theirs = full.text(IN_TABLE_7[row], f"CPA / {kind}", model)
                facts.append(sheet.text(row, f"Type {kind}", group) == theirs)
    return facts


def _ablation(full: Sheet) -> Iterator[Finding]:
    sheet = Sheet(PAPER, "4")
    base = "Vision-Only (Baseline)"
    for row in sheet.rows():
        if row not in (base, "all"):
            change = sheet.value(row, "CPA (%)") - sheet.value(base, "CPA (%)")
            yield CHANGES.number(row, sheet.text(row, "vs. Baseline"), change)
    for row, setting, kind in (
        (base, VISION, "A"),
        ("Full Deceptive (Original)", FORENSIC, "A"),
        ("Type C (Irrelevant Patter)", "Multi (Neutral)", "C"),
    ):
        whole, size = full.text(setting, f"CPA / {kind}", "GPT-4o"), videos()[kind]
        own = sheet.text(row, "CPA (%)")
        yield OWN_SAMPLE.holds(row, own, own != whole, f"{whole} over the {size} videos of Type {kind}, {setting}")
