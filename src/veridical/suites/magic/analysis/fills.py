"""What missing replies might have been, in opposing ways, as the figures that a verdict rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product

import polars as pl

from veridical.records import Estimate
from veridical.suite.evidence import Evidence
from veridical.suite.missing_replies import fill_missing
from veridical.suites.magic.analysis.accuracy import accuracies
from veridical.suites.magic.analysis.magiscore import magiscore
from veridical.suites.magic.analysis.views import answers_lost

_RELEVANT = pl.col("relevant_count").cast(pl.Float64)
_OTHER = pl.col("box_count") - _RELEVANT
MENTIONS: Mapping[str, tuple[pl.Expr, pl.Expr]] = {
    "relevant": (_RELEVANT, pl.lit(0.0)),
    "others": (pl.lit(0.0), _OTHER),
    "all": (_RELEVANT, _OTHER),
    "none": (pl.lit(0.0), pl.lit(0.0)),
}
"""The boxes that a missing reply might have mentioned: how many relevant ones, and how many of the others."""


def filled_outcomes(outcomes: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The outcomes with every missing reply answered: right or wrong, with each of the `MENTIONS`."""
    for (relevant, others), right in product(MENTIONS.values(), (True, False)):
        scores = {"score_tp": relevant, "score_fp": others, "score_fn": _RELEVANT - relevant}
        yield fill_missing(outcomes, correct=pl.lit(right), **scores)


def filled_estimates(evidence: Evidence) -> Iterator[list[Estimate]]:
    """The figures of answers, boxes and covering with the missing replies filled in; healing has a gate of its own."""
    asked = next(iter(evidence.stages))
    for rows in filled_outcomes(evidence.outcomes()):
        own = Evidence.of({asked: rows})
        yield list(chain(magiscore(own, ()), accuracies(own, ()), answers_lost(own)))
