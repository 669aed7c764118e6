"""Observers that see perfectly but give some replies regardless of the picture: lapses, biases, side neglect."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from studies.viprobe.validation.observers.observer import VERIDICAL, Observer, Ranges, expected
from studies.viprobe.validation.observers.scene import (
    Drawn,
    Impression,
    Scene,
    chance,
    guessed,
    look,
    replies,
    reported,
)

PERFECT: Ranges = {"sigma": (0.003, 0.01), "criterion": (0.03, 0.045)}
"""Vision that detects every strength of the default grid."""

SIDES = (("left", "top"), ("right", "bottom"))


def perfect(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> Impression:
    """Perfect vision, on figures as on controls."""
    return look(scene, rng, sigma=drawn["sigma"], criterion=drawn["criterion"])


def lapsing(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """Random answers in the share `lapse` of replies, then `yes_bias` if the box has it."""
    lapses = chance(rng, drawn["lapse"], replies(scene))
    seen = guessed(scene, perfect(scene, drawn, rng), lapses, rng)
    return reported(scene, seen, rng, yes_bias=drawn.get("yes_bias", 0.0))


def _claims(scene: Scene, drawn: Drawn, rng: np.random.Generator, *, same: bool) -> pl.DataFrame:
    """In the share `lapse` of replies, a fixed claim: unchanged, or changed with more in the first target."""
    seen, lapses = perfect(scene, drawn, rng), chance(rng, drawn["lapse"], replies(scene))
    return reported(scene, Impression(np.where(lapses, same, seen.same), seen.first | (lapses & (not same))), rng)


def _neglect(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """Changes of targets on one side go unseen in the share `neglect` of these pictures."""
    side = SIDES[int(rng.integers(2))]
    unseen = scene.is_in("side", *side) & chance(rng, drawn["neglect"], scene.picture)
    seen = guessed(scene, perfect(scene, drawn, rng), unseen & scene.comparison, rng)
    return reported(scene, seen._replace(same=seen.same | unseen), rng)


_observer = partial(Observer, group="lapses and bias", overall=expected(VERIDICAL), by_case=expected(VERIDICAL))
_LAPSES = "It sees figures as well as controls; lapses, equal in both, are no mechanism."
_BIAS = "It sees figures as well as controls; a bias to a word or a side, equal in both, is no mechanism."

OBSERVERS = (
    _observer(
        name="perfect",
        why="It sees every change, in figures as in controls, and reports what it sees.",
        box={**PERFECT, "lapse": (0.0, 0.01)},
        answer=lapsing,
        clear_by_case=True,
    ),
    _observer(name="lapses 10 %", why=_LAPSES, box={**PERFECT, "lapse": (0.08, 0.12)}, answer=lapsing),
    _observer(name="lapses 25 %", why=_LAPSES, box={**PERFECT, "lapse": (0.22, 0.28)}, answer=lapsing),
    _observer(
        name="lapses 10 %, yes bias 10 %",
        why=_BIAS,
        box={**PERFECT, "lapse": (0.08, 0.12), "yes_bias": (0.08, 0.12)},
        answer=lapsing,
    ),
    _observer(
        name="lapses 10 %, yes bias 25 %",
        why=_BIAS,
        box={**PERFECT, "lapse": (0.08, 0.12), "yes_bias": (0.22, 0.28)},
        answer=lapsing,
    ),
    _observer(
        name="lapses 10 %, no bias 25 %",
        why=_BIAS,
        box={**PERFECT, "lapse": (0.08, 0.12), "yes_bias": (-0.28, -0.22)},
        answer=lapsing,
    ),
    _observer(
        name="lapses that say same",
        why=_LAPSES,
        box={**PERFECT, "lapse": (0.1, 0.25)},
        answer=partial(_claims, same=True),
    ),
    _observer(
        name="lapses that say changed",
        why=_LAPSES,
        box={**PERFECT, "lapse": (0.1, 0.25)},
        answer=partial(_claims, same=False),
    ),
    _observer(
        name="side bias 40 %",
        why="It sees figures as well as controls; a bias to one side, equal in both, is no mechanism.",
        box={**PERFECT, "lapse": (0.35, 0.45)},
        answer=partial(_claims, same=False),
    ),
    _observer(
        name="neglects one side",
        why="It overlooks changes on one side, in figures as in controls, and sees all others.",
        box={**PERFECT, "neglect": (0.3, 0.5)},
        answer=_neglect,
    ),
)
