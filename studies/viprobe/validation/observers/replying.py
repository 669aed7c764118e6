"""Observers whose replies do not follow what they see, or follow it in one kind of question only."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from studies.viprobe.validation.observers.lapsing import PERFECT, perfect
from studies.viprobe.validation.observers.observer import (
    BLIND,
    BOTH_TASKS,
    INVERTED,
    LANGUAGE,
    LOSS,
    MIXED,
    VERIDICAL,
    Observer,
    expected,
)
from studies.viprobe.validation.observers.scene import (
    Drawn,
    Impression,
    Scene,
    chance,
    guessed,
    opposite,
    recalled,
    replies,
    reported,
    worded,
)


def _coin(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """Yes in the share `yes` of replies, regardless of question and picture."""
    yes = chance(rng, drawn["yes"], replies(scene))
    return worded(scene, yes, chance(rng, 0.5, replies(scene)))


def _same(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    """The answer "same" to everything, except for lapses."""
    everywhere = np.ones(len(scene), bool)
    seen = recalled(scene, Impression(everywhere, everywhere), everywhere, rng)
    return reported(scene, guessed(scene, seen, chance(rng, drawn["lapse"], replies(scene)), rng), rng)


def _deaf(scene: Scene, drawn: Drawn, rng: np.random.Generator) -> pl.DataFrame:
    return reported(scene, perfect(scene, drawn, rng), rng, deaf=drawn["deaf"])


def _inverted(scene: Scene, drawn: Drawn, rng: np.random.Generator, *, figures: bool) -> pl.DataFrame:
    where = scene.figure if figures else np.ones(len(scene), bool)
    return reported(scene, opposite(perfect(scene, drawn, rng), where), rng)


def _in_one_task(scene: Scene, drawn: Drawn, rng: np.random.Generator, *, recalls_comparisons: bool) -> pl.DataFrame:
    where = scene.figure & (scene.comparison == recalls_comparisons)
    return reported(scene, recalled(scene, perfect(scene, drawn, rng), where, rng), rng)


_blind = partial(Observer, group="replies without sight", overall=expected(BLIND), by_case=expected(BLIND))
_one_word = partial(
    Observer,
    group="replies without sight",
    overall=expected([BLIND, LANGUAGE]),
    by_case=expected([BLIND, LANGUAGE]),
    why="One word to both polarities: it may be blind to pictures or deaf to questions; the replies cannot tell.",
    answer=_coin,
    clear_by_case=True,
)
_reversing = partial(Observer, group="replies that turn", clear_by_case=True)

OBSERVERS = (
    _blind(
        name="a coin",
        why="No reply depends on the picture; polarities contradict each other by chance alone.",
        box={"yes": (0.45, 0.55)},
        answer=_coin,
    ),
    _one_word(name="yes to everything", box={"yes": (1.0, 1.0)}),
    _one_word(name="no to everything", box={"yes": (0.0, 0.0)}),
    _blind(
        name="recites to everything",
        why='It answers "same" on controls, too, which contain no figure to remember.',
        box={"lapse": (0.0, 0.05)},
        answer=_same,
        clear_by_case=True,
    ),
    _reversing(
        name="deaf to the reversal",
        why="It sees, but answers the reversed question as if it were the forward one.",
        box={**PERFECT, "deaf": (0.9, 1.0)},
        answer=_deaf,
        overall=expected(LANGUAGE),
        by_case=expected(LANGUAGE),
    ),
    _reversing(
        name="inverted",
        why="It reports the opposite of what it sees, in both polarities.",
        box=PERFECT,
        answer=partial(_inverted, figures=False),
        overall=expected(INVERTED),
        by_case=expected(INVERTED),
    ),
    _reversing(
        name="inverted on figures",
        why="It reports the opposite of what it sees on figures only, so its replies still follow the change.",
        box=PERFECT,
        answer=partial(_inverted, figures=True),
        overall=expected(INVERTED),
        by_case=expected(INVERTED),
    ),
    _reversing(
        name="sees in yes-no, recalls in comparisons",
        group="kinds of question",
        why="Yes-no questions show vision; in comparisons, answers are random on figures and correct on controls.",
        box=PERFECT,
        answer=partial(_in_one_task, recalls_comparisons=True),
        overall=expected(VERIDICAL, [MIXED]),
        by_case=expected(VERIDICAL, [MIXED]),
        in_comparisons=expected(LOSS),
        needs=BOTH_TASKS,
    ),
    _reversing(
        name="recalls in yes-no, sees in comparisons",
        group="kinds of question",
        why="Comparisons show that it sees figures, although its yes-no answers on figures are recalled.",
        box=PERFECT,
        answer=partial(_in_one_task, recalls_comparisons=False),
        overall=expected(LOSS, [MIXED]),
        by_case=expected(LOSS, [MIXED]),
        in_comparisons=expected(VERIDICAL),
        needs=BOTH_TASKS,
    ),
)
