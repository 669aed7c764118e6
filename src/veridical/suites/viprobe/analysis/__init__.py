"""What VI-Probe concludes."""

from veridical.suite.parts import AnalysisPart
from veridical.suites.viprobe.analysis.differences import differences
from veridical.suites.viprobe.analysis.estimates import estimates
from veridical.suites.viprobe.analysis.measures import MEASURES

ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=lambda evidence: estimates(evidence.outcomes()),
    headline=("PFA", "CbW", "TFI", "no_pair", "I", "R", "choice_accuracy"),
    differences=lambda first, second: differences(first.outcomes(), second.outcomes()),
)
