"""An observer of the catalogue: how it answers, and the verdicts that are right, fixed in advance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import polars as pl

from studies.viprobe.validation.observers.scene import Drawn, Scene
from veridical.records import Json
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.asking.settings import DEFAULTS, SETTINGS

VERIDICAL = "veridical"
ILLUSORY = "illusory percept"
LOSS = "loss on figures"
MEMORY = "memory override"
LOSS_WITH_CLUTTER = "loss on figures and clutter"
WEAK = "weak vision"
BLIND = "blind"
LANGUAGE = "language-limited or guessing"
INVERTED = "inverted"
MIXED = "mixed"
NO_MODEL = "no model fits"
UNDETERMINED = "undetermined"
MISSING = "undetermined: answers missing"
NAMES = (
    VERIDICAL,
    ILLUSORY,
    LOSS,
    MEMORY,
    LOSS_WITH_CLUTTER,
    WEAK,
    BLIND,
    LANGUAGE,
    INVERTED,
    MIXED,
    NO_MODEL,
    UNDETERMINED,
    MISSING,
)
"""The verdicts that a catalogue may call right or acceptable."""

OPEN = (UNDETERMINED, NO_MODEL)
"""Verdicts that name no mechanism: acceptable for any observer. `MISSING` is not among them, since it is a claim."""

Ranges = Mapping[str, tuple[float, float]]


class Needs(NamedTuple):
    """Picture types and kinds of question in an observer's design."""

    variants: tuple[str, ...] = TYPES
    tasks: tuple[str, ...] = DEFAULTS["task"]


PLAIN = Needs()
INDUCERS_AND_CLUTTER = ("OS", "PS", "I")
WITH_INDUCERS = Needs(variants=(*TYPES, *INDUCERS_AND_CLUTTER))
BOTH_TASKS = Needs(tasks=SETTINGS["task"])


class Expected(NamedTuple):
    """The right verdicts, and the acceptable ones, which are not right but make no false claim.

    Any other verdict is confidently wrong.
    """

    right: frozenset[str]
    acceptable: frozenset[str]


def expected(right: str | Iterable[str], acceptable: Iterable[str] = ()) -> Expected:
    """Right and acceptable verdicts; those that name no mechanism are always acceptable.

    >>> expected(LOSS).acceptable == set(OPEN)
    True
    """
    names = frozenset([right] if isinstance(right, str) else right)
    return Expected(names, (frozenset(acceptable) | frozenset(OPEN)) - names)


@dataclass(frozen=True, kw_only=True)
class Observer:
    """An observer whose mechanism is known, with the right verdicts on it.

    `box` holds the range of each parameter, in units of α or as shares; parameters are drawn anew for each run.
    `answer` turns a planned design into outcomes. `overall` are the expected verdicts over all cases, `by_case` those
    on one case unless `cases` has its own, and `in_comparisons` those on comparisons if they differ. `why` gives the
    reason in one sentence. `clear`: a good instrument must be right over all cases; `clear_by_case`: ten units of one
    case suffice for it.
    """

    name: str
    group: str
    why: str
    box: Ranges
    answer: Callable[[Scene, Drawn, np.random.Generator], pl.DataFrame]
    overall: Expected
    by_case: Expected
    cases: Mapping[str, Expected] = field(default_factory=dict)
    in_comparisons: Expected | None = None
    clear: bool = True
    clear_by_case: bool = False
    needs: Needs = PLAIN

    @property
    def right(self) -> frozenset[str]:
        return self.overall.right

    @property
    def acceptable(self) -> frozenset[str]:
        return self.overall.acceptable

    @property
    def right_by_case(self) -> frozenset[str]:
        return self.by_case.right

    @property
    def acceptable_by_case(self) -> frozenset[str]:
        return self.by_case.acceptable

    def make(self, trials: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
        """The marked outcomes of planned trials, in their order, by an observer drawn from the box.

        The same state of `rng` gives the same answers.
        """
        drawn = {name: _drawn(low, high, rng) for name, (low, high) in self.box.items()}
        return self.answer(Scene.of(trials), drawn, rng)

    def expects(self, where: Mapping[str, Json]) -> Expected:
        """The expected verdicts on a slice of a run: a `case`, a `task`, both, or {} for all of it."""
        if where.get("task") == "comparison" and self.in_comparisons is not None:
            return self.in_comparisons
        if "case" in where:
            return self.cases.get(where["case"], self.by_case)
        return self.overall


def _drawn(low: float, high: float, rng: np.random.Generator) -> float:
    """A uniform draw from a range; a range of one value, which may be infinite, gives that value."""
    return low if low == high or math.isinf(low) else float(rng.uniform(low, high))
