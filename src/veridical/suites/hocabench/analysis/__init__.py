"""What HOCA-Bench concludes from the outcomes of a run."""

from veridical.judges.blind import blind_floors
from veridical.records import Estimate
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart
from veridical.suites.hocabench.analysis.differences import differences
from veridical.suites.hocabench.analysis.figures import SCORE, resolution
from veridical.suites.hocabench.analysis.index import indices
from veridical.suites.hocabench.analysis.measures import MEASURES
from veridical.suites.hocabench.analysis.plausibility import pairs, plausibility, prefixes
from veridical.suites.hocabench.analysis.probes import grounding, set_scores
from veridical.suites.hocabench.analysis.rows import replies
from veridical.suites.hocabench.analysis.scores import accuracy_by_level, choices, effects, layer_gaps, marks_of, scores
from veridical.suites.hocabench.asking.marking import GRADE
from veridical.suites.hocabench.stimuli import NAME


def estimates(evidence: Evidence) -> list[Estimate]:
    """All estimates of a run; those of tasks and settings that it does not have are left out."""
    rows, marks = replies(evidence.outcomes()), marks_of(evidence)
    every = [
        *indices(rows, marks),
        *plausibility(rows),
        *choices(rows),
        *accuracy_by_level(rows),
        *layer_gaps(rows, marks),
    ]
    every += [*scores(marks), *grounding(rows), *set_scores(rows), *effects(rows, marks)]
    return [*every, *pairs(rows), *prefixes(rows), *blind_floors(NAME, evidence, GRADE, ("total",), SCORE)]


ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=estimates,
    headline=("h_index", "f1", "accuracy", "explanation score", "layer gap", "mean iou", "set f1"),
    slices=("task", "layer", "category"),
    differences=differences,
    resolution=resolution,
)
