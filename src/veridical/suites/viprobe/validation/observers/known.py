"""What an observer of the catalogue is: how it answers, and which verdicts on it are right, written down before."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import polars as pl

from veridical.records import Json
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.asking.settings import DEFAULTS, SETTINGS
from veridical.suites.viprobe.validation.observers.scene import Drawn, Scene

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
"""Verdicts that name no mechanism: acceptable of any observer. That answers are missing is a claim of its own."""

Ranges = Mapping[str, tuple[float, float]]


class Needs(NamedTuple):
    """The picture types and the kinds of question of the design that an observer is asked by."""

    variants: tuple[str, ...] = TYPES
    tasks: tuple[str, ...] = DEFAULTS["task"]


PLAIN = Needs()
INDUCERS_AND_CLUTTER = ("OS", "PS", "I")
WITH_INDUCERS = Needs(variants=(*TYPES, *INDUCERS_AND_CLUTTER))
BOTH_TASKS = Needs(tasks=SETTINGS["task"])


class Expected(NamedTuple):
    """The verdicts that are right, and those that are not right but accuse of nothing that is not so.

    Any other is confidently wrong.
    """

    right: frozenset[str]
    acceptable: frozenset[str]


def expected(right: str | Iterable[str], acceptable: Iterable[str] = ()) -> Expected:
    """What is right of an observer; acceptable is, besides what is given, each verdict that names no mechanism.

    >>> expected(LOSS).acceptable == set(OPEN)
    True
    """
    names = frozenset([right] if isinstance(right, str) else right)
    return Expected(names, (frozenset(acceptable) | frozenset(OPEN)) - names)


@dataclass(frozen=True, kw_only=True)
class Known:
    """An observer whose mechanism is known, with what is right to say of it.

    `box` has the range of each parameter, drawn anew for each run, in units of α or as shares; `answer` makes outcomes
    of a planned design with them. `overall` is what may be said of all cases, `by_case` of one, but for those in
    `cases`; `in_comparisons` what may be said of comparison questions, where these are answered in another way. `why`
    says in one sentence why that is right. An observer is `clear` where a good instrument has to find what is right
    over all cases, and `clear_by_case` where ten units of one case suffice for it.
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
        """The marked outcomes of planned trials not yet asked, in their order, by an observer drawn from the box.

        The same state of `rng` gives the same answers.
        """
        drawn = {name: _drawn(low, high, rng) for name, (low, high) in self.box.items()}
        return self.answer(Scene.of(trials), drawn, rng)

    def expects(self, where: Mapping[str, Json]) -> Expected:
        """What may be said of the part of a run that a verdict is about: a `case`, a `task`, both, or all of it."""
        if where.get("task") == "comparison" and self.in_comparisons is not None:
            return self.in_comparisons
        if "case" in where:
            return self.cases.get(where["case"], self.by_case)
        return self.overall


def _drawn(low: float, high: float, rng: np.random.Generator) -> float:
    """A number drawn evenly from a range; a range of one value is that value, which may be infinite."""
    return low if low == high or math.isinf(low) else float(rng.uniform(low, high))
