"""What differs between two runs, on the trials that both have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from veridical.errors import InputError
from veridical.records import POINTS, Counts, Estimate, Json
from veridical.stats import sign_flip_p
from veridical.suite.rates import CONTRAST_METHOD, contrast
from veridical.suite.rows import groups
from veridical.suites.viprobe.analysis.contrasts import KEY
from veridical.suites.viprobe.analysis.pairs import TYPES, cells, pairs, slice_of
from veridical.suites.viprobe.asking.settings import baseline, with_settings


def differences(first: pl.DataFrame, second: pl.DataFrame) -> list[Estimate]:
    """PFA of the second run − PFA of the first, in points, on the pictures that both were asked.

    Overall, per category and per case as plain means over the picture types that are there, and per variant pooled
    over pictures; yes-no questions without an instruction alone (if all had one: the first way of instructing). Raises
    `InputError` where the two runs do not hold the same trials.
    """
    _require_same(first, second)
    trials = _compared(first), _compared(second)
    a, b = map(pairs, trials)
    both = a.join(b.select(*KEY, "setting", pl.col("PFA").alias("PFA_b")), on=[*KEY, "setting"], how="inner")
    rows = both.with_columns((pl.col("PFA_b") - pl.col("PFA")).alias("difference"))
    if rows.is_empty():
        raise InputError("no picture was asked a yes-no question in both runs")
    estimates = []
    for keys in ((), ("category",), ("case",), ("variant",)):
        for where, piece in groups(rows, keys):
            within = pl.all_horizontal(pl.lit(value=True), *(pl.col(key) == level for key, level in where.items()))
            estimates.append(_difference(piece, where, (trials[0].filter(within), trials[1].filter(within))))
    return estimates


def _compared(outcomes: pl.DataFrame) -> pl.DataFrame:
    rows = with_settings(outcomes).filter((pl.col("task") == "yes-no") & pl.col("variant").is_in(TYPES))
    return baseline(rows)[0]


def _require_same(first: pl.DataFrame, second: pl.DataFrame) -> None:
    mine, other = (set(frame["trial"]) for frame in (first, second))
    if mine != other:
        odd = sorted(mine ^ other)
        raise InputError(f"the runs differ in {len(odd)} trials, such as '{odd[0]}': the same trials are needed")


def _difference(rows: pl.DataFrame, where: dict[str, Json], trials: tuple[pl.DataFrame, pl.DataFrame]) -> Estimate:
    data = cells(rows, ("PFA", "PFA_b"), pooled="variant" in where)
    present = data.rows.sum(0) > 0
    per_type = np.where(present, 1 / present.sum(), 0.0)
    value, bounds = contrast(data, np.stack([-per_type, per_type], 1))
    share = ((data.sums[..., 1] - data.sums[..., 0]) / np.maximum(data.rows.sum(0), 1)) @ per_type
    over = "pooled over pictures" if "variant" in where else f"plain mean over {', '.join(np.array(TYPES)[present])}"
    method = f"B − A, paired by picture; {over}; {CONTRAST_METHOD}; sign-flip test by unit"
    piece = slice_of(where, rows, Counts.of(trials[1]))
    estimate = piece.estimate("PFA difference", POINTS, method, value, bounds)
    return replace(estimate, p=sign_flip_p(share), counts_first=Counts.of(trials[0]))
