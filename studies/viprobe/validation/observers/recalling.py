"""Observers that recall figures, always or in a mixture with vision: by reply, picture, unit or case."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from studies.viprobe.validation.observers.lapsing import PERFECT, perfect
from studies.viprobe.validation.observers.observer import (
    BLIND,
    LOSS,
    LOSS_WITH_CLUTTER,
    MEMORY,
    MIXED,
    VERIDICAL,
    WITH_INDUCERS,
    Expected,
    Observer,
    expected,
)
from studies.viprobe.validation.observers.on_figures import WITHOUT_CLUTTER
from studies.viprobe.validation.observers.scene import (
    Drawn,
    Scene,
    chance,
    guessed,
    recalled,
    replies,
    reported,
)
from veridical.suites.viprobe.illusions import CASES, Case

RECALLED = tuple(name for name, case in CASES.items() if case.number % 2 == 0)
"""Half of the cases: those that an observer recalls while it sees the others."""


def _mixture(scene: Scene, drawn: Drawn, rng: np.random.Generator, *, over: str) -> pl.DataFrame:
    """Recall of figures in the share `recall` of replies, pictures or units."""
    numbers = {"reply": replies(scene), "picture": scene.picture, "unit": scene.unit}[over]
    where = scene.figure & chance(rng, drawn["recall"], numbers)
    return reported(scene, recalled(scene, perfect(scene, drawn, rng), where, rng), rng)


def _by_case(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    where = scene.figure & scene.is_in("family", *RECALLED)
    return reported(scene, recalled(scene, perfect(scene, drawn, rng), where, rng), rng)


def _override(
    scene: Scene, drawn: Drawn, rng: np.random.Generator, *, recites: bool = True, clutter: bool = False
) -> pl.DataFrame:
    """Recall of every figure; inducers alone recited or answered at random; clutter seen, or recalled as well."""
    where = (scene.figure | (scene.clutter & clutter)) & (recites | ~scene.bare)
    seen = recalled(scene, perfect(scene, drawn, rng), where, rng)
    lapses = chance(rng, drawn.get("lapse", 0.0), replies(scene))
    return reported(scene, guessed(scene, seen, lapses, rng), rng, yes_bias=drawn.get("yes_bias", 0.0))


def _figures_or_coin(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    seen = guessed(scene, perfect(scene, drawn, rng), ~scene.figure, rng)
    return reported(scene, recalled(scene, seen, scene.figure, rng), rng)


def of_recall(case: Case) -> Expected:
    """The expected verdicts on a recalled case: memory if its pictures can show it, else a loss."""
    if not case.shows("inducers"):
        return expected(LOSS)
    return expected(MEMORY, [LOSS]) if case.shows("clutter") else expected([MEMORY, LOSS])


_OF_EACH = {name: of_recall(case) for name, case in CASES.items()}
_observer = partial(Observer, group="recall and mixtures", needs=WITH_INDUCERS)
_remembering = partial(
    _observer, overall=expected(MEMORY, [LOSS]), by_case=expected(MEMORY, [LOSS]), cases=_OF_EACH, answer=_override
)
_mixing = partial(
    _observer, overall=expected(LOSS), by_case=expected(LOSS), box={**PERFECT, "recall": (0.4, 0.6)}, clear_by_case=True
)
_HALF = "Half of the answers on figures are recalled: a loss of less than 90 %."

OBSERVERS = (
    _mixing(name="recalls half of the replies", why=_HALF, answer=partial(_mixture, over="reply")),
    _mixing(name="recalls half of the pictures", why=_HALF, answer=partial(_mixture, over="picture")),
    _mixing(name="recalls half of the units", why=_HALF, answer=partial(_mixture, over="unit"), clear_by_case=False),
    _observer(
        name="recalls half of the cases",
        why="Cases with an even number are recalled, the others seen: no single verdict holds for all.",
        box=PERFECT,
        answer=_by_case,
        overall=expected(MIXED),
        by_case=expected(VERIDICAL),
        cases={name: _OF_EACH[name] for name in RECALLED},
        clear_by_case=True,
    ),
    _observer(
        name="same on figures, a coin elsewhere",
        why="No reply depends on a change anywhere, so there is no vision that figures could override.",
        box=PERFECT,
        answer=_figures_or_coin,
        overall=expected(BLIND),
        by_case=expected(BLIND),
    ),
    _remembering(
        name="recalls every figure, inducers recited",
        why="No change on figures is reported, inducers alone evoke the figure, and clutter is seen.",
        box=PERFECT,
        clear_by_case=True,
    ),
    _remembering(
        name="recalls every figure, with lapses",
        why="No change on figures is reported, inducers evoke the figure; lapses and bias are equal in all pictures.",
        box={**PERFECT, "lapse": (0.1, 0.2), "yes_bias": (0.05, 0.15)},
    ),
    _observer(
        name="recalls every figure, inducers not recited",
        why="No change on figures is reported, but inducers alone evoke nothing: memory is not shown.",
        box=PERFECT,
        answer=partial(_override, recites=False),
        overall=expected(LOSS),
        by_case=expected(LOSS),
        clear_by_case=True,
    ),
    _observer(
        name="recalls anything like an illusion",
        why='It answers "same" to figures and to clutter: not specific to the classic figure.',
        box=PERFECT,
        answer=partial(_override, clutter=True),
        overall=expected(LOSS_WITH_CLUTTER, [LOSS]),
        by_case=expected(LOSS_WITH_CLUTTER, [LOSS]),
        cases={name: _OF_EACH[name] for name in WITHOUT_CLUTTER},
        clear_by_case=True,
    ),
)
