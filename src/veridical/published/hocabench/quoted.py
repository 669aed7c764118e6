"""Figures quoted in the text, compared with their cells."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.hocabench.layout import PAPER
from veridical.published.printed import Sheet
from veridical.published.replicate import Check, Finding

QUOTED = Check(
    paper=PAPER,
    place="Sections 3.3, 4.2 and 4.3",
    claim="Figures in the text are those of the tables.",
    computation="The cell, rounded to the digits quoted.",
    consequence=4,
    cause="Text and table have different dates.",
)
INDEX = "H-Index (Avg)"
QUOTES = (
    ("Qwen3-VL-32B", "H-Index", "2", "Qwen3-VL-32B (T)", INDEX),
    ("GPT-4o", "H-Index", "2", "GPT-4o", INDEX),
    ("Gemini-2.5-Flash", "H-Index", "2", "Gemini-2.5-Flash", INDEX),
    ("InternVL 2B", "H-Index", "2", "InternVL-3.5-2B (T)", INDEX),
    ("InternVL 14B", "H-Index", "2", "InternVL-3.5-14B (T)", INDEX),
    ("GLM 9B", "H-Index", "2", "GLM-4.6V-9B-Flash (T)", INDEX),
    ("GLM 106B", "H-Index", "2", "GLM-4.6V-106B-FP8 (T)", INDEX),
    ("Qwen3-VL-30B-A3B", "H-Index", "2", "Qwen3-VL-30B-A3B (T)", INDEX),
    ("Qwen3-VL-32B", "Task III / Onto.", "2", "Qwen3-VL-32B (T)", "Task III / Onto."),
    ("Qwen3-VL-32B", "Task III / Caus.", "2", "Qwen3-VL-32B (T)", "Task III / Caus."),
    ("Qwen3-VL-32B", "Task IV / Caus.", "2", "Qwen3-VL-32B (T)", "Task IV / Caus."),
    ("Time-R1-7B", "mIoU", "3", "Time-R1-7B", "mIoU (%)"),
    ("Qwen2.5-VL-7B-Instruct", "mIoU", "3", "Qwen2.5-VL-7B-Instruct", "mIoU (%)"),
    ("GLM-4.6V-106B", "exact match", "4", "GLM-4.6V-106B-FP8 (T)", "Acc (%)"),
    ("Wan 2.1", "videos", "6", "Wan 2.1", "Count"),
    ("HunyuanVideo", "videos", "6", "HunyuanVideo", "Count"),
    ("Hailuo", "videos", "6", "Hailuo", "Count"),
    ("Sora", "videos", "6", "Sora", "Count"),
)
"""Row and column of the text's figures, and the table, row and column of the cell."""


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    text = Sheet(PAPER, "text")
    for row, column, name, model, cell in QUOTES:
        yield QUOTED.number(f"{row}, {column}", text.text(row, column), Sheet(PAPER, name).value(model, cell))
