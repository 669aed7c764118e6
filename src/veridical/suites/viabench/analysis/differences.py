"""What differs between two runs, on the trials that both have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import polars as pl

from veridical.records import Estimate
from veridical.suite.contrasts import difference
from veridical.suite.evidence import Evidence
from veridical.suite.rates import slices
from veridical.suites.viabench.analysis.replies import by_letter, replies, sent

_SIDES = (pl.col("run") == 1, pl.col("run") == 0, "B − A")


def differences(first: Evidence, second: Evidence) -> list[Estimate]:
    """`accuracy difference`, second − first, over all trials and by category and variant."""
    return list(_differences(first, second))


def _differences(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    runs = [by_letter(replies(evidence.outcomes())) for evidence in (first, second)]
    kept = ["unit", "family", "category", "variant", "right"]
    both = pl.concat([sent(rows).select(*kept, pl.lit(k).alias("run")) for k, rows in enumerate(runs)])
    for keys in ((), ("category",), ("variant",)):
        sliced = partial(slices, "viabench")
        counts = {tuple(piece.where.values()): piece.counts for piece in sliced(runs[0], both, keys, {})}
        for piece in sliced(runs[1], both, keys, {}):
            estimate = difference(piece, "accuracy difference", "right", _SIDES)
            yield replace(estimate, counts_first=counts.get(tuple(piece.where.values())))
