"""Figures quoted in the text, compared with their cells."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.magicbench.layout import PAPER, VISION
from veridical.published.printed import Sheet
from veridical.published.replicate import Check, Finding

QUOTED = Check(
    paper=PAPER,
    place="Sections 3.2 to 5.5",
    claim="Figures in the text are those of the tables.",
    computation="The cell, rounded to the digits quoted.",
    consequence=4,
    cause="Text and table have different dates.",
)
FORENSIC, GPT, GEMINI, QWEN = "Multi (Forensic)", "GPT-4o", "Gemini-2.5-Pro", "Qwen2.5-VL-72B"
QUOTES = (
    ("Gemini-2.5-Pro, vision only", "7", GEMINI, VISION, "CPA / D"),
    ("GPT-4o, Type D, multimodal", "7", GPT, FORENSIC, "CPA / D"),
    ("GPT-4o, Type A, vision only", "7", GPT, VISION, "CPA / A"),
    ("GPT-4o, Type A, forensic", "7", GPT, FORENSIC, "CPA / A"),
    ("Qwen2.5-VL-72B, Type A, vision only", "7", QWEN, VISION, "CPA / A"),
    ("Qwen2.5-VL-72B, Type A, forensic", "7", QWEN, FORENSIC, "CPA / A"),
    ("GPT-4o, Type B, skeptic", "7", GPT, "Multi (Skeptic)", "CPA / B"),
    ("GPT-4o, Type B, vision only", "7", GPT, VISION, "CPA / B"),
    ("GPT-4o, Type D, vision only", "7", GPT, VISION, "CPA / D"),
    ("GPT-4o, Type D, neutral", "7", GPT, "Multi (Neutral)", "CPA / D"),
    ("component ablation, generic cues", "4", "", "Generic Cues", "CPA (%)"),
    ("component ablation, entity nouns", "4", "", "Entity Keywords", "CPA (%)"),
    ("GPT-4o, Type A, IoT", "5", "", "IoT (Inference)", "Type A"),
    ("GPT-4o, Type D, IoT", "5", "", "IoT (Inference)", "Type D"),
)
"""Row of the text's figure, and the table, group, row and column of the cell."""


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    text = Sheet(PAPER, "text")
    for row, name, group, setting, cell in QUOTES:
        yield QUOTED.number(row, text.text(row, "CPA"), Sheet(PAPER, name).value(setting, cell, group))
    rate = Sheet(PAPER, "2")
    for row, judge in (("veto audit, no PCS", "Vanilla GPT-4o (No PCS)"), ("veto audit, PCS", "PCS-Grounded (Ours)")):
        yield QUOTED.number(f"{row}, FPR", text.text(row, "FPR"), rate.value(judge, "FPR"))
