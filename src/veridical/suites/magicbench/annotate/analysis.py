"""How many clips get a type and drafts, and how far the drafts agree."""

from __future__ import annotations

import json

import polars as pl

from veridical.records import PROPORTION, Counts, Estimate, Measure
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart
from veridical.suite.rates import Slice
from veridical.suites.magicbench.annotate.asking import CLASSIFY, DRAFT
from veridical.suites.magicbench.annotate.consensus import consensus
from veridical.suites.magicbench.stimuli import Atom

SUITE_NAME = "magic-annotate"
MEASURES = {
    "classified": Measure(
        title="Classified", definition="Clips whose words got a type, of those with words.", unit=PROPORTION
    ),
    "drafted": Measure(
        title="Drafted", definition="Drafts of constraints that can be read, of those asked for.", unit=PROPORTION
    ),
    "agreement": Measure(
        title="Agreement of drafts",
        definition="Twice the constraints that two drafts of a clip share, by all that both have; the mean over pairs.",
        unit=PROPORTION,
    ),
}


def estimates(evidence: Evidence) -> list[Estimate]:
    """The share of each stage whose reply counts, and the agreement of clips with two drafts or more."""
    made = []
    for metric, stage in (("classified", CLASSIFY), ("drafted", DRAFT)):
        rows = evidence.outcomes(stage)
        if not rows.is_empty():
            marked = rows.with_columns((pl.col("status") == "answered").cast(pl.Float64).alias("counts"))
            made.append(Slice(SUITE_NAME, {}, marked, Counts.of(rows)).rate(metric, "counts", "of all"))
    drafts = evidence.outcomes(DRAFT)
    clips = [
        {"unit": unit, "family": "release", "agreement": consensus(atoms).agreement}
        for unit, atoms in _drafts(drafts).items()
        if len(atoms) > 1
    ]
    if clips:
        own = Slice(SUITE_NAME, {}, pl.DataFrame(clips), Counts.of(drafts))
        made.append(own.rate("agreement", "agreement", "clip by clip"))
    return made


def _drafts(rows: pl.DataFrame) -> dict[str, list[list[Atom]]]:
    made: dict[str, list[list[Atom]]] = {}
    for row in rows.filter(pl.col("status") == "answered").iter_rows(named=True):
        made.setdefault(row["unit"], []).append(json.loads(row["answer"])["atoms"])
    return made


ANALYSIS = AnalysisPart(measures=MEASURES, estimates=estimates, headline=tuple(MEASURES), slices=())
