"""How many clips pass each stage of annotation."""

from __future__ import annotations

import polars as pl

from veridical.records import PROPORTION, Counts, Estimate, Measure
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart
from veridical.suite.rates import Slice

SUITE_NAME = "hoca-annotate"
MEASURES = {
    "realistic": Measure(
        title="Realistic", definition="Clips that the filter calls realistic, of all.", unit=PROPORTION
    ),
    "described": Measure(title="Captioned", definition="Frames with a caption, of those asked about.", unit=PROPORTION),
    "summarized": Measure(title="Summarized", definition="Clips with a summary, of those captioned.", unit=PROPORTION),
    "labeled": Measure(
        title="Labeled", definition="Clips whose labels validate, of those classified.", unit=PROPORTION
    ),
    "approved": Measure(title="Approved", definition="Votes for the labels, of all votes.", unit=PROPORTION),
}
_SAID = {"realistic": "yes", "approved": "yes"}
_STAGES = {
    "realistic": "filter",
    "described": "captions",
    "summarized": "aggregate",
    "labeled": "attribute",
    "approved": "vote",
}


def estimates(evidence: Evidence) -> list[Estimate]:
    """The share of each stage whose reply counts; of a stage that was not asked, nothing."""
    made = []
    for metric, stage in _STAGES.items():
        rows = evidence.outcomes(stage)
        if rows.is_empty():
            continue
        wanted = pl.col("status") == "answered"
        if metric in _SAID:
            wanted &= pl.col("answer") == _SAID[metric]
        marked = rows.with_columns(wanted.fill_null(value=False).cast(pl.Float64).alias("counts"))
        made.append(Slice(SUITE_NAME, {}, marked, Counts.of(rows)).rate(metric, "counts", "of all"))
    return made


ANALYSIS = AnalysisPart(measures=MEASURES, estimates=estimates, headline=tuple(MEASURES), slices=())
