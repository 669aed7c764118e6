"""VI-Probe's numbers, recomputed.

Sun et al. 2026, "Do VLMs Perceive or Recall? Probing Visual Perception vs. Memory with Classic Visual Illusions",
arXiv:2601.22150.
"""

from veridical.published.replicate import Finding
from veridical.published.viprobe import claims, claims_of_tables, counts, figures, interventions, sampling


def findings() -> list[Finding]:
    """All findings for this paper, one per number compared."""
    parts = (claims_of_tables, counts, claims, figures, interventions, sampling)
    return [finding for part in parts for finding in part.findings()]
