"""Intervals, tests and fits for clustered, paired data: replies to several pictures of the same base items."""

from veridical.stats.agreement import cohen_kappa
from veridical.stats.alpha import krippendorff_alpha
from veridical.stats.correction import benjamini_hochberg, holm, kendall_tau
from veridical.stats.correlation import pearson, spearman
from veridical.stats.detection import Change, Detection, Table, detection, detection_change, sensitivity, yes_bias
from veridical.stats.deviation import Deviation, false_positive_rate, percentage_error
from veridical.stats.fit import Fit
from veridical.stats.intervals import Interval, linear, ratio, student, wilson
from veridical.stats.jackknife import Statistic
from veridical.stats.likelihood import Fitted
from veridical.stats.powered import Powered, powered_mean
from veridical.stats.psychometric import SameDifferentFit, fit_same_different, same_probability
from veridical.stats.rates import Rates
from veridical.stats.resample import Cells, sign_flip_p
from veridical.stats.sigmoid import first_probability, fit_sigmoid, shift

__all__ = [
    "Cells",
    "Change",
    "Detection",
    "Deviation",
    "Fit",
    "Fitted",
    "Interval",
    "Powered",
    "Rates",
    "SameDifferentFit",
    "Statistic",
    "Table",
    "benjamini_hochberg",
    "cohen_kappa",
    "detection",
    "detection_change",
    "false_positive_rate",
    "first_probability",
    "fit_same_different",
    "fit_sigmoid",
    "holm",
    "kendall_tau",
    "krippendorff_alpha",
    "linear",
    "pearson",
    "percentage_error",
    "powered_mean",
    "ratio",
    "same_probability",
    "sensitivity",
    "shift",
    "sign_flip_p",
    "spearman",
    "student",
    "wilson",
    "yes_bias",
]
