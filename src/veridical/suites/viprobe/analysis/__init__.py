"""What VI-Probe concludes."""

from veridical.suite.parts import AnalysisPart
from veridical.suites.viprobe.analysis.differences import differences
from veridical.suites.viprobe.analysis.estimates import estimates
from veridical.suites.viprobe.analysis.graded_answers import graded_estimates
from veridical.suites.viprobe.analysis.measures import MEASURES
from veridical.suites.viprobe.analysis.missing_answers import withhold
from veridical.suites.viprobe.analysis.resolution import resolutions

ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=lambda evidence: [
        *withhold(estimates(evidence.outcomes()), evidence.outcomes()),
        *graded_estimates(evidence.outcomes()),
    ],
    headline=("PFA", "CbW", "TFI", "no_pair", "I", "R", "choice_accuracy", "accuracy"),
    resolution=resolutions,
    differences=lambda *runs: withhold(
        differences(*(each.outcomes() for each in runs)), *(each.outcomes() for each in runs)
    ),
)
