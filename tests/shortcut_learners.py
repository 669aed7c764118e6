"""Learners that look coarsely: what they tell of an answer, an observer may tell without seeing what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn import config_context
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from veridical.suite.shortcuts import statistics

SIDE = 16
FOLDS, TREES = 3, 40


def thumbnail(pixels):
    """A picture's mean colors in 16 × 16 fields, as one row of 768 numbers."""
    high, wide, colors = pixels.shape
    rows, columns = fields(high), fields(wide)
    # Sums of whole numbers this small are exact.
    of_rows = (rows @ pixels.reshape(high, -1).astype(np.float32)).reshape(SIDE, wide, colors)
    sums = (columns @ of_rows).astype(float)
    return (sums / np.multiply.outer(rows.sum(1), columns.sum(1))[..., None]).ravel()


@cache
def fields(length):
    """Which of so many rows or columns are in which field, shape (16, length)."""
    ends = np.linspace(0, length, SIDE + 1).astype(int)
    places = np.arange(length)
    return ((places >= ends[:-1, None]) & (places < ends[1:, None])).astype(np.float32)


def features(pictures):
    """What the learners see of one picture, or of two: the first, and how the second differs."""
    seen = []
    for look in (statistics, thumbnail):
        first, *more = map(look, pictures)
        seen.append(np.concatenate([first, more[-1] - first]) if more else first)
    return tuple(seen)


@dataclass(frozen=True)
class Told:
    """How often a learner is right, how often the most frequent answer is, and the standard error, by unit."""

    right: float
    chance: float
    error: float

    @property
    def above(self):
        """By how many standard errors it is above chance."""
        return (self.right - self.chance) / self.error


def learned(seen, answers, units):
    """What the learners tell of answers in units that they have not seen: a `Told` each, by name."""
    answers, units = np.array(answers), np.array(units)
    statistic, pixels = (np.array(part) for part in zip(*seen, strict=True))
    learners = {
        "statistics": (statistic, lambda: RandomForestClassifier(TREES, random_state=0)),
        "pixels, linear": (pixels, lambda: make_pipeline(StandardScaler(), RidgeClassifier(300.0))),
        "pixels, forest": (pixels, lambda: RandomForestClassifier(TREES, random_state=0)),
    }
    chance = np.bincount(np.unique(answers, return_inverse=True)[1]).max() / len(answers)
    found = {}
    for name, (values, learner) in learners.items():
        right = np.zeros(len(answers))
        # What is checked of each tree takes longer than the tree.
        with config_context(assume_finite=True, skip_parameter_validation=True):
            for known, new in GroupKFold(FOLDS).split(values, answers, units):
                right[new] = learner().fit(values[known], answers[known]).predict(values[new]) == answers[new]
        of_units = np.array([right[units == unit].mean() for unit in np.unique(units)])
        binomial = np.sqrt(chance * (1 - chance) / len(answers))
        found[name] = Told(right.mean(), chance, max(of_units.std(ddof=1) / np.sqrt(len(of_units)), binomial))
    return found
