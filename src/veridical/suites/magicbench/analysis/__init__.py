"""What MagicBench concludes from the outcomes of a run."""

from veridical.suite.parts import AnalysisPart
from veridical.suites.magicbench.analysis.differences import differences
from veridical.suites.magicbench.analysis.estimates import estimates, resolution
from veridical.suites.magicbench.analysis.measures import MEASURES

ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=estimates,
    headline=(
        "effect of a lie",
        "probe accuracy",
        "probe chance",
        "told apart",
        "cpa",
        "vtg",
        "cfr",
        "agency loss",
        "spotlight gain",
        "d_prime",
    ),
    slices=("under", "moment", "stance", "chance"),
    differences=differences,
    resolution=resolution,
)
