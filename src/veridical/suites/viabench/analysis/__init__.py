"""What VIA-Bench concludes from the outcomes of a run."""

from veridical.suite.parts import AnalysisPart
from veridical.suites.viabench.analysis.differences import differences
from veridical.suites.viabench.analysis.estimates import estimates
from veridical.suites.viabench.analysis.measures import MEASURES

ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=estimates,
    headline=("accuracy", "average", "pull of the usual", "cost of the unusual", "gain over blind"),
    slices=("category", "variant"),
    differences=differences,
)
