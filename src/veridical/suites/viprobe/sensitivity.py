"""Sensitivity and bias apart: how far replies follow the picture, and what they do whatever it shows."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from veridical.records import Estimate
from veridical.suites.viprobe.contrasts import Sides, difference
from veridical.suites.viprobe.rates import slices
from veridical.suites.viprobe.replies import CONTEXTS

_CHANGED = pl.col("variant").is_in([changed for _, changed in CONTEXTS.values()])
_RESPONSE: Sides = (
    _CHANGED,
    ~_CHANGED,
    "replies that say changed, on perturbed pictures less on originals; of answered",
)
_FORWARD = pl.col("polarity") == "forward"
_BIAS: Sides = (_FORWARD, ~_FORWARD, "P(yes | forward) + P(yes | reversed) − 1; of answered")


def responses(planned: pl.DataFrame, said: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`response`, how much more often a change is reported where there is one, per context, and per case x context.

    In points; 100 is an observer that follows the picture, 0 one whose replies do not depend on it.
    """
    rows = said.with_columns((1 - pl.col("same")).alias("changed"))
    for keys in (("context",), ("case", "context")):
        for piece in slices(planned, rows, keys, {}, note):
            yield difference(piece, "response", "changed", _RESPONSE)


def yes_biases(planned: pl.DataFrame, said: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`yes_bias` in points, overall and per context: above 0 the observer says yes whatever is asked, below 0 no."""
    affirmed = pl.when(_FORWARD).then(pl.col("yes")).otherwise(1 - pl.col("yes"))
    rows = said.with_columns(affirmed.alias("affirmed"))
    for keys in ((), ("context",)):
        for piece in slices(planned, rows, keys, {}, note):
            yield difference(piece, "yes_bias", "affirmed", _BIAS)
