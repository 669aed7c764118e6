"""Consistency pooled over all pictures, beside the plain mean of picture types."""

from __future__ import annotations

import polars as pl

from veridical.records import Counts, Estimate
from veridical.suites.viprobe.analysis.pairs import PARTS, TYPES, pairs, used
from veridical.suites.viprobe.analysis.rates import slice_of
from veridical.suites.viprobe.asking.settings import POLARITIES, baseline, with_settings

_METHOD = "pooled over pictures of O, P, OC, PC alike"


def asked_pairs(outcomes: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, str]:
    """The yes-no trials on O, P, OC, PC that `estimates` is over, their question pairs, and what a method says of it.

    Without pairs where one polarity alone was planned, for then nothing is missing.
    """
    rows, note = baseline(with_settings(used(outcomes)).filter(pl.col("task") == "yes-no"))
    trials = rows.filter(pl.col("variant").is_in(TYPES))
    both = pairs(trials).with_columns((pl.col("PFA") + pl.col("CbW")).alias("PFC"))
    return trials, both if set(POLARITIES) <= set(trials["polarity"]) else both.clear(), note


def pooled(outcomes: pl.DataFrame) -> list[Estimate]:
    """PFC, its parts, and PFA of answered over all pictures, in the slice `{"over": "pictures"}`.

    P and PC, of which there is one for each strength, outweigh O and OC here; the four weigh alike in the plain mean.
    """
    trials, rows, note = asked_pairs(outcomes)
    piece = slice_of({"over": "pictures"}, rows, Counts.of(trials), note)
    answered = slice_of(piece.where, rows.filter(pl.col("answered") == 1), piece.counts, note)
    rates = [piece.rate(metric, metric, _METHOD) for metric in ("PFC", *PARTS)]
    return [*rates, answered.rate("PFA_of_answered", "PFA", _METHOD)]
