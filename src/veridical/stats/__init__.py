"""Intervals, tests and fits for clustered, paired data: replies to several pictures of the same base items."""

from veridical.stats.agreement import cohen_kappa, krippendorff_alpha
from veridical.stats.bets import betting_interval, wealth_against_at_least, wealth_against_at_most
from veridical.stats.calibration import ProbabilityCalibration, calibration
from veridical.stats.correlation import Deviation, false_positive_rate, pearson, percentage_error, spearman
from veridical.stats.detection import (
    Change,
    Detection,
    SignalCounts,
    detection,
    detection_change,
    sensitivity,
    yes_bias,
)
from veridical.stats.fit import Fit
from veridical.stats.intervals import Interval, benjamini_hochberg, holm, kendall_tau, linear, ratio, student, wilson
from veridical.stats.likelihood import FittedNumber
from veridical.stats.mixture import mixture_evidence, mixture_interval
from veridical.stats.powered_means import PoweredMean, powered_mean
from veridical.stats.psychometric import (
    SameDifferentFit,
    first_probability,
    fit_same_different,
    fit_sigmoid,
    same_probability,
    shift,
)
from veridical.stats.rates import Rates
from veridical.stats.resample import Cells, Statistic, sign_flip_p
from veridical.stats.roc import GradedSensitivity, GradedTrials, graded_sensitivity, rank_threshold

__all__ = [
    "Cells",
    "Change",
    "Detection",
    "Deviation",
    "Fit",
    "FittedNumber",
    "GradedSensitivity",
    "GradedTrials",
    "Interval",
    "PoweredMean",
    "ProbabilityCalibration",
    "Rates",
    "SameDifferentFit",
    "SignalCounts",
    "Statistic",
    "benjamini_hochberg",
    "betting_interval",
    "calibration",
    "cohen_kappa",
    "detection",
    "detection_change",
    "false_positive_rate",
    "first_probability",
    "fit_same_different",
    "fit_sigmoid",
    "graded_sensitivity",
    "holm",
    "kendall_tau",
    "krippendorff_alpha",
    "linear",
    "mixture_evidence",
    "mixture_interval",
    "pearson",
    "percentage_error",
    "powered_mean",
    "rank_threshold",
    "ratio",
    "same_probability",
    "sensitivity",
    "shift",
    "sign_flip_p",
    "spearman",
    "student",
    "wealth_against_at_least",
    "wealth_against_at_most",
    "wilson",
    "yes_bias",
]
