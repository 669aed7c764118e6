"""Intervals, tests and fits for clustered, paired data: replies to several pictures of the same base items."""

from veridical.stats.correction import benjamini_hochberg, holm, kendall_tau
from veridical.stats.detection import Change, Detection, Table, detection, detection_change, sensitivity, yes_bias
from veridical.stats.fit import Fit
from veridical.stats.intervals import Interval, linear, ratio, student, wilson
from veridical.stats.likelihood import Fitted
from veridical.stats.psychometric import SameDifferentFit, fit_same_different, same_probability
from veridical.stats.rates import Rates
from veridical.stats.resample import Cells, sign_flip_p
from veridical.stats.sigmoid import first_probability, fit_sigmoid, shift

__all__ = [
    "Cells",
    "Change",
    "Detection",
    "Fit",
    "Fitted",
    "Interval",
    "Rates",
    "SameDifferentFit",
    "Table",
    "benjamini_hochberg",
    "detection",
    "detection_change",
    "first_probability",
    "fit_same_different",
    "fit_sigmoid",
    "holm",
    "kendall_tau",
    "linear",
    "ratio",
    "same_probability",
    "sensitivity",
    "shift",
    "sign_flip_p",
    "student",
    "wilson",
    "yes_bias",
]
