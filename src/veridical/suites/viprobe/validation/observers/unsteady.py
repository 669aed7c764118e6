"""Observers of another noise than the models have: heavy tails, drift, units that differ, replies that repeat."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from veridical.suites.viprobe.validation.observers.known import MIXED, VERIDICAL, WEAK, Known, expected
from veridical.suites.viprobe.validation.observers.lapsing import PERFECT, perfect
from veridical.suites.viprobe.validation.observers.scene import (
    Counts,
    Drawn,
    Flags,
    Scene,
    chance,
    guessed,
    look,
    offsets,
    replies,
    said,
    worded,
)


def _heavy(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    return said(scene, look(scene, rng, sigma=drawn["sigma"], criterion=drawn["criterion"], heavy=True), rng)


def _drifting(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """Noise that goes in equal steps from `sigma` at the first picture to `sigma_at_last`."""
    sigma = drawn["sigma"] + scene.started * (drawn["sigma_at_last"] - drawn["sigma"])
    return said(scene, look(scene, rng, sigma=sigma, criterion=drawn["criterion"]), rng)


def _learning(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """Lapses that go in equal steps from the share `lapse_at_first` to none."""
    lapses = chance(rng, drawn["lapse_at_first"] * (1 - scene.started), replies(scene))
    return said(scene, guessed(scene, perfect(scene, drawn, rng), lapses, rng), rng)


def _spread(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """An offset of each unit, alike in figures and controls."""
    shift = offsets(scene, rng, drawn["spread"]) * ~scene.bare
    return said(scene, look(scene, rng, sigma=drawn["sigma"], criterion=drawn["criterion"], shift=shift), rng)


def _copying(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """In the share `copy` of trials the last answer to a question of that kind, right or wrong, once more."""
    seen, copies = perfect(scene, drawn, rng), chance(rng, drawn["copy"], replies(scene))
    source = np.zeros(len(scene), np.int64)
    for kind in (scene.comparison, ~scene.comparison):
        source[kind] = last_kept(copies, kind)
    return worded(scene, (seen.same == scene.unchanged)[source], seen.first[source])


def last_kept(copies: Flags, kind: Flags) -> Counts:
    """For each trial of a kind the last one of that kind, itself included, that is no copy; the first is none.

    >>> last_kept(np.array([True, True, False, True]), np.array([True, True, True, True])).tolist()
    [0, 0, 2, 2]
    """
    places = np.flatnonzero(kind)
    kept = np.where(copies[places], -1, np.arange(len(places)))
    return np.asarray(places[np.maximum(np.maximum.accumulate(kept), 0)])


_steady = partial(Known, group="noise of another kind", overall=expected(VERIDICAL), by_case=expected(VERIDICAL))

OBSERVERS = (
    _steady(
        name="heavy tails, sharp",
        why="A few pictures look quite other than they are, in figures as in controls; all else is seen.",
        box={"sigma": (0.008, 0.015), "criterion": (0.06, 0.09)},
        answer=_heavy,
    ),
    Known(
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
        why="Sight stays good enough for half of the strengths to the end of the run, in figures as in controls.",
        box={"sigma": (0.01, 0.02), "sigma_at_last": (0.08, 0.15), "criterion": (0.08, 0.12)},
        answer=_drifting,
        overall=expected(VERIDICAL, [MIXED, WEAK]),
        by_case=expected([VERIDICAL, WEAK]),
        clear=False,
    ),
    _steady(
        name="drift, strong",
        why="Early cases are seen and late ones weakly, in figures as in controls.",
        box={"sigma": (0.01, 0.03), "sigma_at_last": (0.6, 1.0), "criterion": (0.2, 0.3)},
        answer=_drifting,
        overall=expected([MIXED, WEAK]),
        by_case=expected([VERIDICAL, WEAK]),
        clear=False,
    ),
    _steady(
        name="practice",
        why="Lapses fade with practice, in figures as in controls, and what remains is sight.",
        box={**PERFECT, "lapse_at_first": (0.3, 0.5)},
        answer=_learning,
    ),
    _steady(
        name="units differ",
        why="Units are seen to be other than they are, each by its own offset, in figures as in controls.",
        box={"sigma": (0.01, 0.02), "criterion": (0.1, 0.15), "spread": (0.06, 0.15)},
        answer=_spread,
    ),
    _steady(
        name="copies its last answer",
        why="One reply in five repeats the last, in figures as in controls; all others are what it sees.",
        box={**PERFECT, "copy": (0.15, 0.25)},
        answer=_copying,
    ),
)
