"""Forward and reversed answers to one picture, what the two say together (paper, section 3.3), and their slices."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl

from veridical.records import Counts, Estimate
from veridical.stats import Cells
from veridical.suite import rates
from veridical.suite.contrasts import pair
from veridical.suite.rates import Slice, cluster_rows
from veridical.suites.viprobe.asking.settings import POLARITIES, baseline, rows_where, with_settings

slice_of = partial(rates.Slice, "viprobe")
slices = partial(rates.slices, "viprobe")

__all__ = ["Slice", "slice_of", "slices"]


TYPES = ("O", "P", "OC", "PC")
"""The picture types whose plain mean the paper's Fig. 4 reports; P and PC are pooled over strengths."""

ASIDE = ("OS", "PS", "OH", "PH")
"""Original and perturbed amid clutter, and with a hint: figures of their own, in no mean."""

PARTS = ("PFA", "CbW", "TFI", "no_pair")
"""Both right; complementary and wrong; the same answer twice; at least one half without an answer. They add up to 1."""

_OF_PICTURE = ("stimulus", "repeat", "unit", "family", "category", "variant", "alpha", "congruent")
_COLUMNS = (
    *_OF_PICTURE,
    "stage",
    "side",
    "settings",
    "factors",
    "expects",
    "gold",
    "status",
    "answer",
    "correct",
    "attempt",
)


def pairs(outcomes: pl.DataFrame) -> pl.DataFrame:
    """One row per picture (and repeat) of which a half was asked, with 0/1 columns for `PARTS`, `PFC` and `answered`.

    `most_PFA` and `most_CbW` are 1 where both halves are right, or both wrong, or could have been, had those that are
    missing been answered.
    """
    factors = ("alpha", "congruent", "case")
    both = pair(outcomes, "polarity", ("forward", "reversed"), ["status", "answer", "correct"], factors)
    sent = both.filter(pl.col("status_forward").is_not_null() | pl.col("status_reversed").is_not_null())
    answered = ((pl.col("status_forward") == "answered") & (pl.col("status_reversed") == "answered")).fill_null(False)
    same = pl.col("answer_forward") == pl.col("answer_reversed")
    right = pl.col("correct_forward") & pl.col("correct_reversed")
    parts = {
        "PFA": answered & right,
        "CbW": answered & ~same & ~right,
        "TFI": answered & same,
        "no_pair": ~answered,
        "answered": answered,
        "most_PFA": ~(_answered("forward", right=False) | _answered("reversed", right=False)),
        "most_CbW": ~(_answered("forward", right=True) | _answered("reversed", right=True)),
    }
    columns = [expression.fill_null(False).cast(pl.Float64).alias(name) for name, expression in parts.items()]
    made = sent.select(*_OF_PICTURE, "setting", "case", *columns)
    return made.with_columns((pl.col("PFA") + pl.col("CbW")).alias("PFC"))


def pairs_if_asked(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The pairs; none where one polarity alone was planned, for then nothing is missing."""
    rows = pairs(outcomes)
    return rows if set(POLARITIES) <= set(outcomes["polarity"].unique()) else rows.clear()


def _answered(half: str, *, right: bool) -> pl.Expr:
    return ((pl.col(f"status_{half}") == "answered") & (pl.col(f"correct_{half}") == right)).fill_null(value=False)


def cells(rows: pl.DataFrame, columns: tuple[str, ...], *, pooled: bool = False) -> Cells:
    """The pairs as clustered cells: one cell per picture type in the order of `TYPES`, or a single one if pooled."""
    if pooled:
        return cluster_rows(rows, columns, np.zeros(len(rows), np.int64), 1)
    places = {name: i for i, name in enumerate(TYPES)}
    return cluster_rows(
        rows, columns, rows["variant"].replace_strict(places, return_dtype=pl.Int64).to_numpy(), len(TYPES)
    )


def needed_columns(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The columns that figures are made from; a filter then copies no texts of replies."""
    return outcomes.select(_COLUMNS)


def code_outcomes(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The columns that figures are made from, units as numbers from 0 up, in the order of their names, cases as Enum.

    A run of a million trials is then worked on in a fraction of the time and memory.
    """
    cases = pl.Enum(outcomes["family"].unique().sort())
    return needed_columns(outcomes).with_columns(pl.col("unit").rank("dense") - 1, pl.col("family").cast(cases))


_METHOD = "pooled over pictures of O, P, OC, PC alike"


def asked_pairs(outcomes: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, str]:
    """The yes-no trials on O, P, OC, PC that `estimates` is over, their question pairs, and what a method says of it.

    Without pairs where one polarity alone was planned, for then nothing is missing.
    """
    rows, note = baseline(rows_where(with_settings(needed_columns(outcomes)), pl.col("task") == "yes-no"))
    trials = rows.filter(pl.col("variant").is_in(TYPES))
    return trials, pairs_if_asked(trials), note


def pooled_estimates(outcomes: pl.DataFrame) -> list[Estimate]:
    """PFC, its parts, and PFA of answered over all pictures, in the slice `{"over": "pictures"}`.

    P and PC, of which there is one for each strength, outweigh O and OC here; the four weigh alike in the plain mean.
    """
    trials, rows, note = asked_pairs(outcomes)
    piece = slice_of({"over": "pictures"}, rows, Counts.of(trials), note)
    answered = replace(piece, rows=rows.filter(pl.col("answered") == 1))
    rates = [piece.rate(metric, metric, _METHOD) for metric in ("PFC", *PARTS)]
    return [*rates, answered.rate("PFA_of_answered", "PFA", _METHOD)]
