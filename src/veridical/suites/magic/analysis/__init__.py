"""What MagiC concludes from the outcomes of a run."""

from veridical.records import Estimate
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart
from veridical.suites.magic.analysis.accuracy import accuracies, agreements
from veridical.suites.magic.analysis.differences import differences
from veridical.suites.magic.analysis.healing import healing
from veridical.suites.magic.analysis.magiscore import focus_estimates, magiscore
from veridical.suites.magic.analysis.measures import MEASURES
from veridical.suites.magic.analysis.views import effects, errors, resolution, steps


def estimates(evidence: Evidence) -> list[Estimate]:
    """All estimates of a run; those of stages and settings that it does not have are left out."""
    every = [*magiscore(evidence), *accuracies(evidence), *agreements(evidence), *focus_estimates(evidence)]
    return [*every, *effects(evidence), *healing(evidence), *steps(evidence), *errors(evidence)]


ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=estimates,
    headline=("magiscore f1", "magiscore precision", "magiscore recall", "accuracy", "stepsense"),
    slices=("category", "family"),
    differences=differences,
    resolution=resolution,
)
