"""What MagiC concludes."""

from veridical.suite.parts import AnalysisPart

ANALYSIS = AnalysisPart(measures={}, estimates=lambda _: [], headline=(), slices=("category",))
