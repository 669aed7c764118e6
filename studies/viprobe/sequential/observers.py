"""Observers beside the catalogue: alike and differing units and cases, hidden answers, and answers that change.

What is right of each was written before any run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl

from studies.viprobe.validation.observers.lapsing import PERFECT, SIDES, perfect
from studies.viprobe.validation.observers.observer import (
    LOSS,
    MISSING,
    MIXED,
    VERIDICAL,
    WEAK,
    Observer,
    expected,
)
from studies.viprobe.validation.observers.scene import (
    Drawn,
    Flags,
    Floats,
    Impression,
    Scene,
    chance,
    guessed,
    look,
    recalled,
    reported,
    without,
)
from veridical.suites.viprobe.observers.simulation import mark_outcomes

FEW = ("ponzo", "cornsweet", "zollner")
"""About a tenth of the cases: those that an observer recalls while it sees the others."""

QUARTER = (*FEW, "delboeuf", "chubb", "hering", "poggendorff")

Altered = Callable[[pl.DataFrame, int, np.random.Generator], pl.DataFrame]
"""Marked outcomes in the order of asking, with how many questions were asked before, as they are after all."""


class LateObserver(NamedTuple):
    """An observer, and what the order of asking makes of its answers."""

    observer: Observer
    altered: Altered


def _alike(scene: Scene, drawn: Drawn, rng: np.random.Generator, *, recalls: bool = False) -> pl.DataFrame:
    """The noise of a base item is the same in all its pictures, of figures and controls."""
    noise = rng.standard_normal(int(scene.unit.max()) + 1)[scene.unit]
    perceived = scene.alpha + drawn["sigma"] * noise
    seen = Impression(np.abs(perceived) < drawn["criterion"], perceived * scene.orientation > 0)
    where = scene.figure & chance(rng, 0.5 * recalls, scene.unit)
    return reported(scene, recalled(scene, seen, where, rng), rng)


def _apart(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """The figures of a base item share their noise, and its controls another one."""
    groups = 2 * scene.unit + scene.figure
    perceived = scene.alpha + drawn["sigma"] * rng.standard_normal(int(groups.max()) + 1)[groups]
    return reported(scene, Impression(np.abs(perceived) < drawn["criterion"], perceived * scene.orientation > 0), rng)


def _own_criteria(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """Each base item has a criterion of its own."""
    factors = np.exp(drawn["among_units"] * rng.standard_normal(int(scene.unit.max()) + 1))[scene.unit]
    seen = look(scene, rng, sigma=drawn["sigma"], criterion=drawn["criterion"] * factors)
    return reported(scene, seen, rng)


def _hiding(scene: Scene, drawn: Drawn, rng: np.random.Generator, *, everywhere: bool) -> pl.DataFrame:
    """Refusals of pictures that look changed, on figures alone or everywhere."""
    seen = perfect(scene, drawn, rng)
    where: Flags = ~seen.same & (scene.figure | everywhere)
    return without(reported(scene, seen, rng), where & chance(rng, drawn["hidden"], scene.picture), "refused")


def _some_cases(scene: Scene, drawn: Drawn, rng: np.random.Generator, *, cases: tuple[str, ...]) -> pl.DataFrame:
    where = scene.figure & scene.is_in("family", *cases)
    return reported(scene, recalled(scene, perfect(scene, drawn, rng), where, rng), rng)


def _seeing(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """σ and a criterion of one and a half σ; if the box has them, a spread of both over cases, a bias and a shift."""
    cases = np.exp(drawn.get("among_cases", 0.0) * rng.standard_normal(int(scene.case.max()) + 1))[scene.case]
    criterion = drawn.get("criterion", 1.5 * drawn["sigma"])
    seen = look(scene, rng, sigma=drawn["sigma"] * cases, criterion=criterion * cases, shift=drawn.get("shift", 0.0))
    return reported(scene, seen, rng, yes_bias=drawn.get("yes_bias", 0.0), deaf=drawn.get("deaf", 0.0))


def _one_side(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """Changes of figures on one side, or with no side but one sign, are not noticed."""
    sided = scene.is_in("side", *SIDES[int(rng.integers(2))]) | (
        scene.trials["side"].is_null().to_numpy() & (scene.alpha > 0)
    )
    unseen = sided & scene.figure & chance(rng, drawn["neglect"], scene.picture)
    seen = perfect(scene, drawn, rng)
    return reported(scene, seen._replace(same=seen.same | unseen), rng)


def _coin_on_figures(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    return reported(scene, guessed(scene, perfect(scene, drawn, rng), scene.figure, rng), rng)


def _perfect(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    return reported(scene, perfect(scene, drawn, rng), rng)


def _lapsing(
    outcomes: pl.DataFrame, before: int, rng: np.random.Generator, *, rate: Callable[[Floats], Floats]
) -> pl.DataFrame:
    """Random answers at a rate that depends on how many questions were asked before."""
    asked = before + np.arange(len(outcomes), dtype=float)
    lapses, coins = rng.random(len(asked)) < rate(asked), rng.random(len(asked)) < 0.5
    coin = pl.Series(np.where(coins, "1", "0"), dtype=pl.String)
    answer = pl.when(pl.Series(lapses)).then(coin).otherwise("answer")
    return mark_outcomes(outcomes.with_columns(answer.alias("answer")))


def _in_bursts(asked: Floats) -> Floats:
    return np.asarray(0.4 * (asked // 60 % 2))


def _tiring(asked: Floats) -> Floats:
    return np.asarray(0.5 * np.minimum(asked / 600, 1))


def _repeating(outcomes: pl.DataFrame, before: int, rng: np.random.Generator) -> pl.DataFrame:
    """In 30 % of questions, the answer to the one before is given again."""
    del before
    own = outcomes["answer"].to_list()
    given = own[:1]
    for answer, again in zip(own[1:], rng.random(len(own) - 1) < 0.3, strict=True):
        given.append(given[-1] if again else answer)
    return mark_outcomes(outcomes.with_columns(pl.Series("answer", given, dtype=pl.String)))


_seen = partial(Observer, group="perceivers", overall=expected(VERIDICAL), by_case=expected(VERIDICAL), answer=_seeing)
_ALIKE = "Noise is of the base item, in figures as in controls: it sees, and its units are alike."
_hidden = partial(
    Observer,
    group="hidden answers",
    overall=expected(MISSING),
    by_case=expected(MISSING),
    why="It sees, and refuses many pictures that look changed: what is left looks like recall.",
)
_units = partial(Observer, group="units and cases", by_case=expected(VERIDICAL))

_WHOLE = (
    _seen(name="perceiver, σ .05", why="It sees figures as well as controls.", box={"sigma": (0.05, 0.05)}),
    _seen(name="perceiver, σ .15", why="It sees figures as well as controls.", box={"sigma": (0.15, 0.15)}),
    _seen(
        name="perceiver, σ .30",
        why="Noise above .2 is weak vision, in figures as in controls.",
        box={"sigma": (0.3, 0.3)},
        overall=expected(WEAK),
    ),
    _seen(
        name="yes bias 50 %",
        why="Half of its replies are yes whatever is asked; the others follow what it sees.",
        box={"sigma": (0.02, 0.05), "yes_bias": (0.45, 0.55)},
    ),
    _seen(
        name="deaf to some reversals",
        why="It sees, and takes one reversed question in seven for the forward one.",
        box={"sigma": (0.02, 0.05), "deaf": (0.1, 0.2)},
    ),
    _seen(
        name="constant error everywhere",
        why="Everything looks changed by a little, in figures as in controls: no effect of figures.",
        box={"sigma": (0.05, 0.08), "criterion": (0.15, 0.2), "shift": (0.1, 0.15)},
        overall=expected(VERIDICAL, [WEAK]),
    ),
    _units(
        name="units alike, sharp",
        why=_ALIKE,
        box={"sigma": (0.08, 0.12), "criterion": (0.12, 0.18)},
        answer=_alike,
        overall=expected(VERIDICAL),
    ),
    _units(
        name="units alike, weak",
        why=_ALIKE,
        box={"sigma": (0.4, 0.6), "criterion": (0.3, 0.5)},
        answer=_alike,
        overall=expected(WEAK),
    ),
    _units(
        name="units alike, figures and controls apart, weak",
        why="Figures of a base item share their noise, and its controls another one: no effect of figures.",
        box={"sigma": (0.4, 0.6), "criterion": (0.3, 0.5)},
        answer=_apart,
        overall=expected(WEAK),
    ),
    _units(
        name="units with criteria of their own",
        why="What looks changed depends on the base item, in figures as in controls.",
        box={"sigma": (0.08, 0.12), "criterion": (0.12, 0.18), "among_units": (0.5, 0.7)},
        answer=_own_criteria,
        overall=expected(VERIDICAL),
    ),
    _units(
        name="units alike, half of them recalled",
        why="Figures of half of the base items are recalled.",
        box={"sigma": (0.03, 0.06), "criterion": (0.06, 0.1)},
        answer=partial(_alike, recalls=True),
        overall=expected(LOSS),
    ),
    _units(
        name="cases differ widely",
        why="σ and criterion differ over cases by a factor of two and more, in figures as in controls.",
        box={"sigma": (0.04, 0.06), "among_cases": (0.7, 0.9)},
        answer=_seeing,
        overall=expected(VERIDICAL),
    ),
    _units(
        name="recalls a tenth of the cases",
        why="Three of 27 cases are recalled. That it sees is no error where these are named as open.",
        box=PERFECT,
        answer=partial(_some_cases, cases=FEW),
        overall=expected(MIXED),
    ),
    _units(
        name="recalls a quarter of the cases",
        why="Seven of 27 cases are recalled, the others seen.",
        box=PERFECT,
        answer=partial(_some_cases, cases=QUARTER),
        overall=expected(MIXED),
    ),
    _units(
        name="neglects one side of figures",
        why="Changes on one side are noticed in controls, and not on figures: a loss.",
        box={**PERFECT, "neglect": (0.85, 0.95)},
        answer=_one_side,
        overall=expected(LOSS),
    ),
    _units(
        name="a coin on figures",
        why="It sees controls, and answers at random about figures.",
        box=PERFECT,
        answer=_coin_on_figures,
        overall=expected(LOSS),
    ),
    _hidden(
        name="hides half of the changes on figures",
        box={**PERFECT, "hidden": (0.5, 0.5)},
        answer=partial(_hiding, everywhere=False),
    ),
    _hidden(
        name="hides nine in ten changes on figures",
        box={**PERFECT, "hidden": (0.9, 0.9)},
        answer=partial(_hiding, everywhere=False),
    ),
    _hidden(
        name="hides a third of all changes",
        box={**PERFECT, "hidden": (0.3, 0.4)},
        answer=partial(_hiding, everywhere=True),
    ),
)
_late = partial(
    Observer,
    group="answers that change",
    why="It sees; lapses and copies come over the run, in figures as in controls.",
    box=PERFECT,
    answer=_perfect,
    overall=expected(VERIDICAL),
    by_case=expected(VERIDICAL),
)

NEW: Mapping[str, LateObserver] = {
    **{each.name: LateObserver(each, lambda outcomes, before, rng: outcomes) for each in _WHOLE},  # noqa: ARG005
    **{
        name: LateObserver(_late(name=name), altered)
        for name, altered in (
            ("bursts of lapses", partial(_lapsing, rate=_in_bursts)),
            ("tires", partial(_lapsing, rate=_tiring)),
            ("repeats its last answer", _repeating),
        )
    },
}
"""The observers by name, in the order of their groups."""
