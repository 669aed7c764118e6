"""HOCA-Bench's numbers, recomputed.

Liu et al., "HOCA-Bench: Beyond Semantic Perception to Predictive World Modeling via Hegelian Ontological-Causal
Anomalies".
"""

from veridical.published.hocabench import counts, gaps, index, marks, quoted, scaling
from veridical.published.replicate import Finding


def findings() -> list[Finding]:
    """All findings for this paper, one per number compared."""
    return [finding for part in (gaps, index, marks, scaling, counts, quoted) for finding in part.findings()]
