"""Reasoning rated by people, and Self-Heal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from veridical.published.magic.focus import QWEN
from veridical.published.printed import Sheet
from veridical.published.ranges import exact
from veridical.published.relations import tau
from veridical.published.replicate import Check, Finding

STEPSENSE_ORDER = Check(
    paper="magic",
    place="Section 5.2",
    claim="Models that reason better step by step answer better.",
    computation="Kendall's τ between the two columns of Table 3 is 1.",
    consequence=4,
    cause="",
)
STEPSENSE_RATE = Check(
    paper="magic",
    place="Table 3",
    claim="StepSense is the accuracy of single steps in the human annotation, where each wrong step has a correction.",
    computation="The share of steps without a correction in Table 1 is a weighted mean of the four models' rates, so "
    "it must lie between their lowest and highest.",
    consequence=3,
    cause="StepSense, whose formula is not given, is not the share of correct steps; or Table 3 rates other replies.",
    doubt="The formula of StepSense is not printed; we take it as the share of correct steps in the annotation of "
    "Table 1.",
)
SELF_HEAL_STEP = Check(
    paper="magic",
    place="Section 5.2",
    claim="Each step in size of Qwen2.5-VL adds about six points of Self-Heal.",
    computation="Differences of Table 4.",
    consequence=4,
    cause="",
)
SELF_HEAL_LAG = Check(
    paper="magic",
    place="Section 5.2",
    claim="Two models with answers as good as those of Qwen2.5-VL 7B correct themselves less.",
    computation="Table 4: lower Self-Heal; Table 2: short answers within 2 points.",
    consequence=4,
    cause="",
)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    yield from _human()
    yield from _self_heal()


def _human() -> Iterator[Finding]:
    sheet, parts = Sheet("magic", "3"), Sheet("magic", "1")
    rows = sheet.rows()
    steps = [sheet.value(row, "Accuracy / StepSense") for row in rows]
    order = tau(steps, [sheet.value(row, "Accuracy / Answer") for row in rows])
    yield STEPSENSE_ORDER.holds("four models", "τ of 1", order.high == 1, f"τ = {order.show(2)}")
    texts = [sheet.text(row, "Accuracy / StepSense") for row in rows]
    least, most = min(value.low for value in steps), max(value.high for value in steps)
    for name, sets in (("development and test set", ("Dev", "Test")), ("test set", ("Test",))):
        wrong = sum(int(parts.text("# of Correction", part)) for part in sets)
        share = exact(100) * (exact(1) - exact(wrong) / exact(sum(int(parts.text("# of Steps", p)) for p in sets)))
        statement = f"{min(texts)} to {max(texts)}"
        yield STEPSENSE_RATE.holds(name, statement, least <= share.low <= most, f"{share.show(2)} % uncorrected")


def _self_heal() -> Iterator[Finding]:
    sheet, healed = Sheet("magic", "2"), Sheet("magic", "4")
    stated = Sheet("magic", "text").text("each step in size of Qwen2.5-VL", "Self-Heal")
    for small, large in pairwise(QWEN):
        gain = healed.value(large, "Self-Heal") - healed.value(small, "Self-Heal")
        yield SELF_HEAL_STEP.number(f"{small} to {large}", stated, gain)
    for row in ("LLaVA OneVision 7B", "Gemma 3 12B"):
        lag = healed.value("Qwen2.5-VL 7B", "Self-Heal") - healed.value(row, "Self-Heal")
        apart = abs(sheet.value("Qwen2.5-VL 7B", "Final Answer / Short") - sheet.value(row, "Final Answer / Short"))
        shown = f"{lag.show(2)} points less, answers {apart.show(2)} apart"
        yield SELF_HEAL_LAG.holds(row, "less", lag.high > 0 and apart.low <= 2, shown)
