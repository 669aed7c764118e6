"""What a way of asking changes: instructions against none, paired by picture (paper, Tables 3 and 9 to 11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import POINTS, Counts, Estimate, Json
from veridical.stats import sign_flip_p
from veridical.suite.rates import CONTRAST_METHOD, clustered, contrast
from veridical.suites.viprobe.analysis.rates import Slice, slice_of

_KEY = ["stimulus", "repeat"]
_METHOD = (
    "PFA with the instruction − PFA without, on pictures asked both ways; pooled over pictures; "
    f"{CONTRAST_METHOD}; sign-flip test by unit"
)


def instruction_effects(
    without: pl.DataFrame, instructed: pl.DataFrame, trials: pl.DataFrame, where: dict[str, Json]
) -> Iterator[Estimate]:
    """`instruction_effect` in points, per picture type and per category x picture type, with its p-value.

    `without` and `instructed` are question pairs (`pairs`) without and with the instruction that `where` names,
    `trials` all trials with it. Nothing comes of pictures that were not asked both ways.
    """
    both = without.join(instructed.select(*_KEY, pl.col("PFA").alias("PFA_given")), on=_KEY, how="inner")
    for keys in (("variant",), ("category", "variant")):
        for values, rows in both.partition_by(keys, as_dict=True, maintain_order=True).items():
            inside = dict(zip(keys, values, strict=True))
            counts = Counts.of(trials.filter(*(pl.col(key) == value for key, value in inside.items())))
            yield change(
                slice_of({**where, **inside}, rows, counts), "instruction_effect", ("PFA", "PFA_given"), _METHOD
            )


def change(piece: Slice, metric: str, columns: tuple[str, str], method: str) -> Estimate:
    """The mean of the second 0/1 column less that of the first, row by row, in points, with the sign-flip p."""
    data = clustered(piece.rows, columns, np.zeros(len(piece.rows), np.int64), 1)
    value, bounds = contrast(data, [[-1.0, 1.0]])
    share = (data.sums[:, 0, 1] - data.sums[:, 0, 0]) / data.rows.sum()
    return replace(piece.estimate(metric, POINTS, method, value, bounds), p=sign_flip_p(share))
