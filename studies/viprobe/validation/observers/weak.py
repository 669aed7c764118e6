"""Observers that see weakly, in figures as in controls."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from studies.viprobe.validation.observers.lapsing import lapsing, perfect
from studies.viprobe.validation.observers.observer import (
    LOSS,
    MEMORY,
    VERIDICAL,
    WEAK,
    WITH_INDUCERS,
    Observer,
    Ranges,
    expected,
)
from studies.viprobe.validation.observers.scene import Drawn, Scene, recalled, reported

NOISY: Ranges = {"sigma": (0.4, 0.7), "criterion": (0.3, 0.5)}


def _recalling(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    return reported(scene, recalled(scene, perfect(scene, drawn, rng), scene.figure, rng), rng)


_weak = partial(Observer, group="weak vision", overall=expected(WEAK), by_case=expected(WEAK))

OBSERVERS = (
    _weak(
        name="weak vision",
        why="Noise as large as half of the strongest change hides changes in figures and controls alike.",
        box={**NOISY, "lapse": (0.0, 0.03)},
        answer=lapsing,
    ),
    _weak(
        name="weak vision, lapses and yes bias",
        why="Noise hides changes in figures and controls alike; so do lapses and a bias.",
        box={**NOISY, "lapse": (0.08, 0.12), "yes_bias": (0.08, 0.12)},
        answer=lapsing,
    ),
    _weak(
        name="strict criterion everywhere",
        why="Only large changes are called changes, in figures as in controls; vision itself is sharp.",
        box={"sigma": (0.005, 0.02), "criterion": (0.45, 0.75), "lapse": (0.0, 0.02)},
        answer=lapsing,
        overall=expected([VERIDICAL, WEAK]),
        by_case=expected([VERIDICAL, WEAK]),
        clear=False,
    ),
    _weak(
        name="weak vision, recalls every figure",
        why="It sees controls weakly and figures not at all; inducers alone are recited, clutter is seen weakly.",
        box=NOISY,
        answer=_recalling,
        overall=expected([WEAK, LOSS], [MEMORY]),
        by_case=expected([WEAK, LOSS], [MEMORY]),
        clear=False,
        needs=WITH_INDUCERS,
    ),
)
