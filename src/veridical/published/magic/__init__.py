"""MagiC's numbers, recomputed ("MagiC: Evaluating Multimodal Cognition Toward Grounded Visual Reasoning", 2025)."""

from veridical.published.magic import focus, parts, reasoning
from veridical.published.replicate import Finding


def findings() -> list[Finding]:
    """All findings for this paper, one per number compared."""
    return [*focus.findings(), *reasoning.findings(), *parts.findings()]
