"""Observers that lose sensitivity on figures, or on any inducers, without remembering a figure."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from studies.viprobe.validation.observers.lapsing import PERFECT
from studies.viprobe.validation.observers.observer import (
    ILLUSORY,
    LOSS,
    LOSS_WITH_CLUTTER,
    WITH_INDUCERS,
    Observer,
    expected,
)
from studies.viprobe.validation.observers.scene import Drawn, Scene, look, offsets, reported
from veridical.suites.viprobe.illusions import CASES

WITHOUT_CLUTTER = tuple(name for name, case in CASES.items() if not case.shows("clutter"))


def _crowded(scene: Scene, drawn: Drawn, rng: np.random.Generator, *, clutter: bool) -> pl.DataFrame:
    """Changes are scaled by `gain` on figures, and on clutter if `clutter`."""
    gain = np.where(scene.figure | (scene.clutter & clutter), drawn["gain"], 1.0)
    return reported(scene, look(scene, rng, sigma=drawn["sigma"], criterion=drawn["criterion"], gain=gain), rng)


def _other_sight(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """Separate noise and criterion on figures, if the box has them."""
    sigma, criterion = (
        np.where(scene.figure, drawn.get(f"{name}_on_figures", drawn[name]), drawn[name])
        for name in ("sigma", "criterion")
    )
    return reported(scene, look(scene, rng, sigma=sigma, criterion=criterion), rng)


def _scattered(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """Figures shift each unit by its own offset, in either direction."""
    shift = offsets(scene, rng, drawn["spread"]) * scene.figure
    return reported(scene, look(scene, rng, sigma=drawn["sigma"], criterion=drawn["criterion"], shift=shift), rng)


_observer = partial(Observer, group="figures and clutter", needs=WITH_INDUCERS)
_crowding = partial(
    _observer,
    overall=expected(LOSS_WITH_CLUTTER, [LOSS]),
    by_case=expected(LOSS_WITH_CLUTTER, [LOSS]),
    cases=dict.fromkeys(WITHOUT_CLUTTER, expected(LOSS)),
    answer=partial(_crowded, clutter=True),
)
_losing = partial(_observer, overall=expected(LOSS), by_case=expected(LOSS))

OBSERVERS = (
    _crowding(
        name="crowded by any inducers",
        why="Inducers in any arrangement hide the change: nothing is specific to the classic figure or remembered.",
        box={**PERFECT, "gain": (0.0, 0.02)},
        clear_by_case=True,
    ),
    _crowding(
        name="crowded in part",
        why="Inducers in any arrangement hide weak changes: nothing is specific to the classic figure or remembered.",
        box={**PERFECT, "gain": (0.1, 0.2)},
    ),
    _losing(
        name="loses figures alone",
        why="Sensitivity is lost on the classic figure, but answers on inducers alone are random: no memory is shown.",
        box={**PERFECT, "gain": (0.0, 0.02)},
        answer=partial(_crowded, clutter=False),
        clear_by_case=True,
    ),
    _losing(
        name="strict criterion on figures",
        why="It calls figures changed only if the change is large: a form of loss, and nothing is remembered.",
        box={**PERFECT, "criterion_on_figures": (0.5, 0.9)},
        answer=_other_sight,
        clear_by_case=True,
    ),
    _losing(
        name="noise on figures",
        why="Figures are seen with additional noise: a form of loss, and nothing is remembered.",
        box={**PERFECT, "sigma_on_figures": (0.5, 1.0), "criterion_on_figures": (0.4, 0.6)},
        answer=_other_sight,
        clear_by_case=True,
    ),
    _losing(
        name="noise on figures, all look changed",
        why="Noise makes nearly every figure look changed: a loss, though P is right, and the opposite of recall.",
        box={**PERFECT, "sigma_on_figures": (0.5, 1.0)},
        answer=_other_sight,
    ),
    _observer(
        name="figures push each unit its own way",
        why="The shift has no common direction, so it acts as noise on figures: a loss, and nothing is remembered.",
        box={**PERFECT, "spread": (0.2, 0.4)},
        answer=_scattered,
        overall=expected(LOSS, [ILLUSORY]),
        by_case=expected(LOSS, [ILLUSORY]),
        clear=False,
    ),
)
