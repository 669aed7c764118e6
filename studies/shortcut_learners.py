"""Learners that look coarsely: what they tell of an answer, an observer may tell without seeing what is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import config_context
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from veridical.suite.shortcuts import Values, statistics

SIDE = 16
FOLDS, TREES = 3, 40
Pixels = NDArray[np.uint8]


def thumbnail(pixels: Pixels) -> Values:
    """A picture's mean colors in 16 × 16 fields, as one row of 768 numbers."""
    high, wide, colors = pixels.shape
    rows, columns = fields(high), fields(wide)
    # Sums of whole numbers this small are exact.
    of_rows = (rows @ pixels.reshape(high, -1).astype(np.float32)).reshape(SIDE, wide, colors)
    sums = (columns @ of_rows).astype(float)
    return np.asarray((sums / np.multiply.outer(rows.sum(1), columns.sum(1))[..., None]).ravel())


@cache
def fields(length: int) -> NDArray[np.float32]:
    """Which of so many rows or columns are in which field, shape (16, length)."""
    ends = np.linspace(0, length, SIDE + 1).astype(int)
    places = np.arange(length)
    return ((places >= ends[:-1, None]) & (places < ends[1:, None])).astype(np.float32)


def features(pictures: Sequence[Pixels]) -> tuple[Values, ...]:
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
    def above(self) -> float:
        """By how many standard errors it is above chance."""
        return (self.right - self.chance) / self.error


def forest() -> RandomForestClassifier:
    """A learner of few numbers, or of many."""
    return RandomForestClassifier(TREES, random_state=0)


def linear() -> Any:  # noqa: ANN401 (scikit-learn has no types)
    """A learner of many numbers that are much alike."""
    return make_pipeline(StandardScaler(), RidgeClassifier(300.0))


LEARNERS: Mapping[str, tuple[int, Callable[[], Any]]] = {
    "statistics": (0, forest),
    "pixels, linear": (1, linear),
    "pixels, forest": (1, forest),
}
"""The part of `features` that each learner sees, and what makes it."""


def out_of_fold(
    values: ArrayLike, answers: ArrayLike, units: ArrayLike, learner: Callable[[], Any]
) -> NDArray[np.generic]:
    """The answer of a learner to each row of values, shape (rows, numbers), taught with the rows of other units."""
    seen, gold, of = np.asarray(values), np.asarray(answers), np.asarray(units)
    said = np.empty_like(gold)
    # What is checked of each tree takes longer than the tree.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for known, new in GroupKFold(FOLDS).split(seen, gold, of):
            said[new] = learner().fit(seen[known], gold[known]).predict(seen[new])
    return said


def told(right: ArrayLike, answers: ArrayLike, units: ArrayLike) -> Told:
    """How often replies are right, beside chance; each of shape (rows,)."""
    hits, gold, of = np.asarray(right, float), np.asarray(answers), np.asarray(units)
    chance = np.bincount(np.unique(gold, return_inverse=True)[1]).max() / len(gold)
    of_units = np.array([hits[of == unit].mean() for unit in np.unique(of)])
    binomial = float(np.sqrt(chance * (1 - chance) / len(gold)))
    return Told(float(hits.mean()), float(chance), max(float(of_units.std(ddof=1)) / len(of_units) ** 0.5, binomial))


def learned(seen: Sequence[tuple[Values, ...]], answers: ArrayLike, units: ArrayLike) -> dict[str, Told]:
    """What the learners tell of answers in units that they have not seen: a `Told` each, by name."""
    gold = np.asarray(answers)
    parts = [np.array(part) for part in zip(*seen, strict=True)]
    return {
        name: told(out_of_fold(parts[part], gold, units, learner) == gold, gold, units)
        for name, (part, learner) in LEARNERS.items()
    }
