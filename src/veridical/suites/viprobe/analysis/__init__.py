"""What VI-Probe concludes."""

import polars as pl

from veridical.records import Estimate
from veridical.suite.parts import AnalysisPart
from veridical.suites.viprobe.analysis.differences import differences
from veridical.suites.viprobe.analysis.estimates import estimates
from veridical.suites.viprobe.analysis.measures import MEASURES
from veridical.suites.viprobe.analysis.resolution import resolutions
from veridical.suites.viprobe.analysis.withheld import withheld


def _differences(first: pl.DataFrame, second: pl.DataFrame) -> list[Estimate]:
    return withheld(differences(first, second), first, second)


ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=lambda evidence: withheld(estimates(evidence.outcomes()), evidence.outcomes()),
    headline=("PFA", "CbW", "TFI", "no_pair", "I", "R", "choice_accuracy", "accuracy"),
    resolution=resolutions,
    differences=lambda first, second: _differences(first.outcomes(), second.outcomes()),
)
