"""What MagiC concludes from the outcomes of a run."""

from veridical.suite.parts import AnalysisPart
from veridical.suites.magic.analysis.differences import differences
from veridical.suites.magic.analysis.estimates import estimates
from veridical.suites.magic.analysis.measures import MEASURES
from veridical.suites.magic.analysis.views import resolution

ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=estimates,
    headline=("magiscore f1", "magiscore precision", "magiscore recall", "accuracy", "stepsense"),
    slices=("category", "family"),
    differences=differences,
    resolution=resolution,
)
