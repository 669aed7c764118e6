"""HOCA-Bench's figures: the H-Index as bars, domains as radars, the taxonomy as sunbursts, curves over cuts and IoU."""

from veridical.suite.points import order_figures
from veridical.suites.hocabench.presentation.figures.charts import index_bars, prefix_curves, recall_curves
from veridical.suites.hocabench.presentation.figures.taxonomy import radar, sunburst

figures = order_figures(index_bars, radar, sunburst, prefix_curves, recall_curves)
