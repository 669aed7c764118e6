"""What differs between two runs, on the trials that both have."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from veridical.records import Estimate
from veridical.suite.contrasts import BETWEEN_RUNS, difference
from veridical.suite.evidence import Evidence
from veridical.suites.viabench.analysis.estimates import BY_VARIANT
from veridical.suites.viabench.analysis.replies import letter_replies, pieces, replies


def differences(first: Evidence, second: Evidence) -> list[Estimate]:
    """`accuracy difference`, second − first, over all trials and by category and variant."""
    runs = [letter_replies(replies(evidence.outcomes())) for evidence in (first, second)]
    kept = ("unit", "family", "category", "variant", "status", "right")
    both = pl.concat([rows.select(*kept, pl.lit(k).alias("run")) for k, rows in enumerate(runs)])
    counts = {tuple(piece.where.items()): piece.counts for piece in pieces(runs[0], BY_VARIANT, rows=both)}
    return [
        replace(
            difference(piece, "accuracy difference", "right", BETWEEN_RUNS),
            counts_first=counts.get(tuple(piece.where.items())),
        )
        for piece in pieces(runs[1], BY_VARIANT, rows=both)
    ]
