"""What VI-Probe concludes."""

from veridical.suite.parts import AnalysisPart
from veridical.suites.viprobe.analysis.differences import differences
from veridical.suites.viprobe.analysis.estimates import estimates
from veridical.suites.viprobe.analysis.measures import MEASURES
from veridical.suites.viprobe.analysis.resolution import resolutions

ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=lambda evidence: estimates(evidence.outcomes()),
    headline=("PFA", "CbW", "TFI", "no_pair", "I", "R", "choice_accuracy"),
    resolution=resolutions,
    differences=lambda first, second: differences(first.outcomes(), second.outcomes()),
)
