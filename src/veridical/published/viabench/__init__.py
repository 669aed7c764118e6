"""VIA-Bench's numbers, recomputed ("Seeing Is Believing? A Benchmark for Multimodal Large Language Models on Visual
Illusions and Anomalies").
"""

from veridical.published.replicate import Finding
from veridical.published.viabench import claims, claims_of_tables, counts, sampling, shades


def findings() -> list[Finding]:
    """All findings for this paper, one per number compared."""
    return [finding for part in (claims_of_tables, counts, shades, sampling, claims) for finding in part.findings()]
