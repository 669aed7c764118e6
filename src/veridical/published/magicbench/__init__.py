"""MagicBench's numbers, recomputed.

Huang et al., "MagicBench: Diagnosing Visual Agency Loss and Semantic Dependency in Multimodal LLMs".
"""

from veridical.published.magicbench import averages, claims, counts, judge, quoted
from veridical.published.replicate import Finding


def findings() -> list[Finding]:
    """All findings for this paper, one per number compared."""
    return [finding for part in (claims, averages, counts, judge, quoted) for finding in part.findings()]
