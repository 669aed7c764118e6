"""Labels of MagicBench's tables, and the number of videos of each type."""

from __future__ import annotations

from veridical.published.printed import Sheet

PAPER = "magicbench"
TYPES = ("A", "B", "C", "D")
MODELS = ("GPT-4o", "Gemini-2.5-Pro", "Qwen2.5-VL-72B")
VISION = "Vision-Only"
PROMPTS = ("Multi (Neutral)", "Multi (Skeptic)", "Multi (Forensic)")
FORENSIC = "Multi (Forensic)"
TRUTH = "Truth Context"
METRICS = ("VTG", "CPA", "CFR")


def videos() -> dict[str, int]:
    """The number of videos of each type.

    >>> videos()["A"]
    146
    """
    text = Sheet(PAPER, "text")
    return {kind: int(text.text(f"Type {kind}", "videos")) for kind in TYPES}
