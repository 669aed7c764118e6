"""What HOCA-Bench concludes from the outcomes of a run."""

from veridical.suite.parts import AnalysisPart
from veridical.suites.hocabench.analysis.differences import differences
from veridical.suites.hocabench.analysis.estimates import estimates
from veridical.suites.hocabench.analysis.measures import MEASURES
from veridical.suites.hocabench.analysis.resolution import resolution

ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=estimates,
    headline=("h_index", "f1", "accuracy", "explanation score", "layer gap", "mean iou", "set f1"),
    slices=("task", "layer", "category"),
    differences=differences,
    resolution=resolution,
)
