"""Intervals and tests for clustered, paired data: what a rate over pictures of the same base items is worth."""

from veridical.stats.intervals import Interval, linear, percentile, proportion, ratio, wilson
from veridical.stats.resample import Cells, sign_flip_p

__all__ = ["Cells", "Interval", "linear", "percentile", "proportion", "ratio", "sign_flip_p", "wilson"]
