"""Observers with noise unlike the models': heavy tails, drift, differing units, repeated replies."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from studies.viprobe.validation.observers.lapsing import PERFECT, perfect
from studies.viprobe.validation.observers.observer import MIXED, VERIDICAL, WEAK, Observer, expected
from studies.viprobe.validation.observers.scene import (
    Counts,
    Drawn,
    Flags,
    Scene,
    chance,
    guessed,
    look,
    offsets,
    replies,
    reported,
    worded,
)


def _heavy(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    return reported(scene, look(scene, rng, sigma=drawn["sigma"], criterion=drawn["criterion"], heavy=True), rng)


def _drifting(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """Noise that changes linearly from `sigma` at the first picture to `sigma_at_last` at the last."""
    sigma = drawn["sigma"] + scene.started * (drawn["sigma_at_last"] - drawn["sigma"])
    return reported(scene, look(scene, rng, sigma=sigma, criterion=drawn["criterion"]), rng)


def _learning(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """A lapse rate that falls linearly from `lapse_at_first` to 0."""
    lapses = chance(rng, drawn["lapse_at_first"] * (1 - scene.started), replies(scene))
    return reported(scene, guessed(scene, perfect(scene, drawn, rng), lapses, rng), rng)


def _spread(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """An offset per unit, equal in figures and controls."""
    shift = offsets(scene, rng, drawn["spread"]) * ~scene.bare
    return reported(scene, look(scene, rng, sigma=drawn["sigma"], criterion=drawn["criterion"], shift=shift), rng)


def _copying(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """In the share `copy` of trials, a repeat of the last answer to a question of that kind, right or wrong."""
    seen, copies = perfect(scene, drawn, rng), chance(rng, drawn["copy"], replies(scene))
    source = np.zeros(len(scene), np.int64)
    for kind in (scene.comparison, ~scene.comparison):
        source[kind] = last_kept(copies, kind)
    return worded(scene, (seen.same == scene.unchanged)[source], seen.first[source])


def last_kept(copies: Flags, kind: Flags) -> Counts:
    """For each trial of a kind, the last trial of that kind, itself included, that is no copy; the first never is.

    >>> last_kept(np.array([True, True, False, True]), np.array([True, True, True, True])).tolist()
    [0, 0, 2, 2]
    """
    places = np.flatnonzero(kind)
    kept = np.where(copies[places], -1, np.arange(len(places)))
    return np.asarray(places[np.maximum(np.maximum.accumulate(kept), 0)])


_steady = partial(Observer, group="noise of another kind", overall=expected(VERIDICAL), by_case=expected(VERIDICAL))

OBSERVERS = (
    _steady(
        name="heavy tails, sharp",
        why="A few pictures look very different from what they are, in figures as in controls; the rest is seen.",
        box={"sigma": (0.008, 0.015), "criterion": (0.06, 0.09)},
        answer=_heavy,
    ),
    Observer(
        name="heavy tails, weak",
        group="noise of another kind",
        why="Noise as large as half of the strongest change hides changes in figures and controls alike.",
        box={"sigma": (0.35, 0.5), "criterion": (0.3, 0.45)},
        answer=_heavy,
        overall=expected(WEAK),
        by_case=expected(WEAK),
    ),
    _steady(
        name="drift, mild",
        why="To the end of the run, vision resolves half of the strengths, in figures as in controls.",
        box={"sigma": (0.01, 0.02), "sigma_at_last": (0.08, 0.15), "criterion": (0.08, 0.12)},
        answer=_drifting,
        overall=expected(VERIDICAL, [MIXED, WEAK]),
        by_case=expected([VERIDICAL, WEAK]),
        clear=False,
    ),
    _steady(
        name="drift, strong",
        why="Early cases are seen well and late ones weakly, in figures as in controls.",
        box={"sigma": (0.01, 0.03), "sigma_at_last": (0.6, 1.0), "criterion": (0.2, 0.3)},
        answer=_drifting,
        overall=expected([MIXED, WEAK]),
        by_case=expected([VERIDICAL, WEAK]),
        clear=False,
    ),
    _steady(
        name="practice",
        why="Lapses disappear with practice, in figures as in controls; the remaining replies follow what is seen.",
        box={**PERFECT, "lapse_at_first": (0.3, 0.5)},
        answer=_learning,
    ),
    _steady(
        name="units differ",
        why="Each unit looks different from what it is by its own offset, in figures as in controls.",
        box={"sigma": (0.01, 0.02), "criterion": (0.1, 0.15), "spread": (0.06, 0.15)},
        answer=_spread,
    ),
    _steady(
        name="copies its last answer",
        why="One reply in five repeats the last, in figures as in controls; all others report what it sees.",
        box={**PERFECT, "copy": (0.15, 0.25)},
        answer=_copying,
    ),
)
