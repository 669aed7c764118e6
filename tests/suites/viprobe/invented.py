"""Invented observers of VI-Probe: what they go by, made of small parts, and their replies to planned trials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.suites.viprobe.observers.simulation import answer_trials, facts, mark_outcomes

Flags = NDArray[np.bool_]
FIRST = ("left", "top")


@dataclass(frozen=True)
class Scene:
    """What observers may go by, one entry for each trial, and their dice."""

    trials: pl.DataFrame
    facts: pl.DataFrame
    dice: np.random.Generator

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        return (self.facts if name in self.facts.columns else self.trials)[name].to_numpy()

    def normal(self, of: str = "picture") -> NDArray[np.float64]:
        """A normal number for each picture, or for each base item."""
        return self.dice.standard_normal(int(self[of].max()) + 1)[self[of]]

    def share(self, share: float, of: str = "") -> Flags:
        """Which trials a share of the pictures, the base items or (by default) the replies has."""
        if not of:
            return self.dice.random(len(self.trials)) < share
        return (self.dice.random(int(self[of].max()) + 1) < share)[self[of]]


Sight = Callable[[Scene], Flags]
"""Whether each picture looks unchanged."""
Habit = Callable[[Scene, Flags], Flags]
"""The replies, whether yes, made of those that report what is seen."""


def see(noise=0.05, criterion=0.15, bias=0.0, by_item=0.0, dull=1.0, draw="normal"):
    """A perceiver; `bias` and `by_item` are added to α, plainly and with a spread over base items."""

    def sight(scene):
        size = int(scene["picture"].max()) + 1
        drawn = {"normal": scene.dice.standard_normal, "cauchy": scene.dice.standard_cauchy}[draw](size)
        seen = dull * scene["alpha"] + bias + by_item * scene.normal("base")
        return np.abs(seen + noise * drawn[scene["picture"]]) < criterion

    return sight


def same(scene):
    return np.ones(len(scene.trials), bool)


def changed(scene):
    return ~same(scene)


def coin(scene):
    return scene.share(0.5)


def where(mask, one, other=None):
    """One kind of sight where the mask holds, and another elsewhere."""
    return lambda scene: np.where(mask(scene), one(scene), (other or see())(scene))


def opposite(sight):
    return lambda scene: ~sight(scene)


def figures(scene):
    return scene["figure"]


def directed(scene):
    return scene["directed"]


def cases(*names):
    return lambda scene: np.isin(scene["family"].astype(str), names)


def shares(share, of=""):
    return lambda scene: scene.share(share, of)


def later(scene):
    """The second half of a shuffled run."""
    return scene.dice.permutation(len(scene.trials)) >= len(scene.trials) / 2


def drifting(scene):
    """The more likely the later in a shuffled run."""
    return scene.dice.random(len(scene.trials)) * len(scene.trials) < scene.dice.permutation(len(scene.trials))


def strong(scene):
    return np.abs(scene["alpha"]) > 0.7


def first_side(scene):
    return np.isin(scene["side"].astype(str), FIRST)


def favored(scene):
    return scene["alpha"] > 0


def both(*masks):
    return lambda scene: np.logical_and.reduce([mask(scene) for mask in masks])


def says(word, mask):
    """A yes or a no, whatever is asked."""
    return lambda scene, yes: np.where(mask(scene), word == "yes", yes)


def lapses(mask):
    """A coin's answer."""
    return lambda scene, yes: np.where(mask(scene), scene.share(0.5), yes)


def deaf(share):
    """The reversed question of a share of the pictures is read as the forward one."""
    return lambda scene, yes: yes ^ (scene.share(share, "picture") & scene["reversed"])


def alternates(scene, yes):
    return np.arange(len(yes)) % 2 == 0


def by_three(scene, yes):
    return np.arange(len(yes)) % 3 == 0


def contrary(scene, yes):
    return ~yes


@dataclass(frozen=True)
class Invented:
    """An observer with the names that are right for it: over all cases, and by case where that is another thing.

    No reply where `silent`.
    """

    names: set[str]
    sight: Sight
    habits: tuple[Habit, ...] = ()
    silent: Callable[[Scene], Flags] | None = None
    by_case: Mapping[str, set[str]] = field(default_factory=dict)

    def replies(self, trials: pl.DataFrame, seed: int) -> pl.DataFrame:
        """The outcomes of a run."""
        known = facts(trials)
        scene = Scene(trials, known, np.random.default_rng(seed))
        yes = self.sight(scene) == (known["unchanged"] == "1").to_numpy()
        for habit in self.habits:
            yes = habit(scene, yes)
        outcomes = answer_trials(trials, np.where(yes, "1", "0"))
        return outcomes if self.silent is None else without(outcomes, pl.Series(self.silent(scene)))


def without(outcomes, lacking, status="refused"):
    """The outcomes with no answer in some rows; `lacking` is an expression or a column of flags."""
    lost = pl.when(lacking).then
    return mark_outcomes(
        outcomes.with_columns(
            lost(pl.lit(status)).otherwise(pl.col("status")).alias("status"),
            lost(pl.lit(None, pl.String)).otherwise(pl.col("answer")).alias("answer"),
        )
    )
