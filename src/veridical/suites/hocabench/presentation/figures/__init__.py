"""HOCA-Bench's figures: the H-Index as bars, domains as radars, the taxonomy as sunbursts, curves over cuts and IoU."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.points import drawn_figures
from veridical.suite.results import Figure, Result
from veridical.suites.hocabench.presentation.figures.charts import index_bars, prefix_curves, recall_curves
from veridical.suites.hocabench.presentation.figures.taxonomy import radar, sunburst


def figures(results: Sequence[Result]) -> list[Figure]:
    """All figures; one that no run has anything for is left out."""
    return drawn_figures(results, (index_bars, radar, sunburst, prefix_curves, recall_curves))
