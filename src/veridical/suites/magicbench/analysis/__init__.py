"""What MagicBench concludes from the outcomes of a run."""

from __future__ import annotations

import polars as pl

from veridical.records import PROPORTION, Estimate, Measure
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart
from veridical.suite.rates import slices
from veridical.suites.magicbench.stimuli import NAME

MEASURES = {
    "probe accuracy": Measure(
        title="Accuracy of checkpoint probes",
        definition="Right answers of all probes that were asked: questions about the state of a clip at a time.",
        unit=PROPORTION,
    )
}


def estimates(evidence: Evidence) -> list[Estimate]:
    """The accuracy of probes, in all and by the variant of the clip."""
    right = pl.col("correct").fill_null(value=False).cast(pl.Float64)
    rows = evidence.outcomes().filter(pl.col("gold").is_not_null()).with_columns(right.alias("right"))
    sent = rows.filter(pl.col("status").is_not_null())
    pieces = [piece for keys in ((), ("variant",)) for piece in slices(NAME, rows, sent, keys, {"task": "probe"})]
    return [piece.rate("probe accuracy", "right", "of all") for piece in pieces]


ANALYSIS = AnalysisPart(measures=MEASURES, estimates=estimates, headline=("probe accuracy",), slices=("variant",))
