"""Ontological compared with causal anomalies, and the thinking mode."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.hocabench.layout import MAIN, PAPER, TASKS, models, pairs
from veridical.published.printed import Sheet
from veridical.published.ranges import Fact, Range, count, exact, mean
from veridical.published.replicate import Check, Finding

EXAMPLE = "Qwen3-VL-32B"

ALL_MODELS = Check(
    paper=PAPER,
    place="Section 4.2",
    claim="All models find causal anomalies harder than ontological ones.",
    computation="Rows of Table 2 in which the ontological cell is greater, by task.",
    consequence=1,
    cause="The statement was read from Tasks III and IV. In Task II nearly every model names the causal domain "
    "better, by up to 32 points: with six causal and three ontological options, a bias toward causal labels is enough "
    "for that.",
    doubt="The comparison is by task; an aggregate over tasks, or the figure by domain, whose values are not printed, "
    "might differ.",
)
DROP = Check(
    paper=PAPER,
    place="Abstract",
    claim="Performance drops by more than 20 % on causal tasks.",
    computation="Mean over the models of each kind's cells: the drop in percent of the ontological mean, and in "
    "points, by task and over the three.",
    consequence=1,
    cause="Only the largest drops of single models in single tasks have that size, not any mean; or it refers to "
    "single domains of Figure 7, whose values are not printed.",
    doubt="The paper does not state which mean, which tasks, or percent of what; every reading that the table allows "
    "was tried.",
)
DROP_EACH = Check(
    paper=PAPER,
    place="Abstract",
    claim="Most single models drop by more than 20 % on causal tasks (another reading).",
    computation="Whether more than half of the rows of Table 2 drop by over 20 % of the ontological cell, by task.",
    consequence=3,
    cause="Only the largest drops of single models in single tasks have that size.",
    doubt="Another reading of the same sentence.",
)
THINKING_EXAMPLE = Check(
    paper=PAPER,
    place="Section 4.2",
    claim="Thinking helps Qwen3-VL-32B, the paper's example, in Task IV.",
    computation="Its cells in both modes, for both kinds.",
    consequence=3,
    cause="The example contradicts the statement: thinking is behind in both cells of Task IV, and ahead in Task III, "
    "where the plain mode is claimed to lead.",
)
THINKING = Check(
    paper=PAPER,
    place="Abstract, Section 4.2",
    claim="Thinking improves reasoning (Task IV); the plain mode often leads in simple perception (Tasks I and III).",
    computation="Models in both modes: whether more than half of the cells go in the stated direction.",
    consequence=3,
    cause="",
)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    sheet, rows = Sheet(PAPER, MAIN), models()
    bound = Sheet(PAPER, "text").text("causal tasks", "drop, more than")
    for task in TASKS:
        cells = [(sheet.value(row, f"{task} / Onto."), sheet.value(row, f"{task} / Caus.")) for row in rows]
        yield ALL_MODELS.every(task, [onto.above(causal) for onto, causal in cells])
        relative = [exact(100) * (exact(1) - causal / onto) for onto, causal in cells]
        yield DROP_EACH.holds(task, *_most([drop.above(exact(bound)) for drop in relative]))
    yield from _mean_drop(sheet, rows, bound)
    yield from _thinking(sheet)


def _mean_drop(sheet: Sheet, rows: list[str], bound: str) -> Iterator[Finding]:
    means = {
        kind: [mean([sheet.value(row, f"{task} / {kind}") for row in rows]) for task in TASKS]
        for kind in ("Onto.", "Caus.")
    }
    parts: list[tuple[str, Range, Range]] = [
        (task, means["Onto."][i], means["Caus."][i]) for i, task in enumerate(TASKS)
    ]
    parts.append(("Tasks II to IV", mean(means["Onto."]), mean(means["Caus."])))
    for subject, onto, causal in parts:
        relative, points = exact(100) * (exact(1) - causal / onto), onto - causal
        shown = f"{relative.show(1)} %, {points.show(1)} points"
        more = relative.above(exact(bound)) is not False or points.above(exact(bound)) is not False
        yield DROP.holds(subject, f"more than {bound} %", more, shown)


def _thinking(sheet: Sheet) -> Iterator[Finding]:
    def ahead(row: str, other: str, column: str) -> Fact:
        return sheet.value(row, column).above(sheet.value(other, column))

    thinking = f"{EXAMPLE} (T)"
    kinds = ("Onto.", "Caus.")
    yield THINKING_EXAMPLE.every("thinking ahead, Task IV", [ahead(thinking, EXAMPLE, f"Task IV / {k}") for k in kinds])
    for subject, columns, forward in (
        ("thinking ahead, Task IV", [f"Task IV / {kind}" for kind in kinds], True),
        ("plain ahead, Task I", ["Task I / F1"], False),
        ("plain ahead, Task III", [f"Task III / {kind}" for kind in kinds], False),
    ):
        facts = [
            ahead(more, plain, column) if forward else ahead(plain, more, column)
            for plain, more in pairs()
            for column in columns
        ]
        yield THINKING.holds(subject, *_most(facts))


def _most(facts: list[Fact]) -> tuple[str, bool, str]:
    """For "more than half of the facts hold": the statement, whether it may be true, and the number that hold."""
    number = count(facts)
    return "more than half", number.high * 2 > len(facts), f"{number.show(0)} of {len(facts)}"
