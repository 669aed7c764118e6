"""The rule without a model: bets on base items, whose errors are bounded whatever the observer is.

Each bet is against a statement about the mean of what one base item shows, given all items before it. A conclusion
needs every one of its bets won, so it is wrong at most as often as one bet may be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from veridical.stats import Interval, betting_interval, wealth_against_at_least, wealth_against_at_most
from veridical.suites.viprobe.sequential.blocks import CONTROL, FIGURE, Block, BlockQuestion
from veridical.suites.viprobe.verdicts import names

ERROR = 0.01
"""How often a conclusion may be wrong, whenever asking stops."""

MISSED, UNSEEN, RAISED, FOLLOWED = 0.15, 0.15, 0.5, 0.5
"""Shares of answers: missed on figures more than in controls, moved by the strongest changes at most, "changed" to
unchanged figures more than to controls at most, and moved by changes of any strength at least."""

_STRONG = 2 / 3
_FOLLOWED_ERROR = 0.05
_NAMES = ("control", "figure")


class Bet(NamedTuple):
    """A bet on the values of that name, against "the mean is at most" `mean` (`above`) or "at least" it."""

    values: str
    mean: float
    above: bool


BETS: Mapping[str, tuple[Bet, ...]] = {
    names.LOSS: (
        *(Bet(f"missed {sign}", MISSED, True) for sign in "+-"),
        Bet("raised", RAISED, False),
        Bet("followed", MISSED, True),
    ),
    names.BLIND: tuple(
        Bet(f"strong {context} {half}", way * UNSEEN, way < 0)
        for context, half, way in product(_NAMES, (0, 1), (-1, 1))
    ),
    names.VERIDICAL: (Bet("gap", MISSED, False), Bet("gap", -MISSED, True), Bet("followed in turn", FOLLOWED, True)),
}
"""The bets that each conclusion needs.

A loss: changes of either sign are missed on figures, controls are followed, and unchanged figures are not called
changed. Blindness: the strongest changes move neither answer, in controls or figures. Sight: over all strengths in the
fixed random order, answers follow changes, on figures as on controls.
"""


class Ledger:
    """What base items have shown so far, in order; an item of which an answer is missing shows nothing."""

    def __init__(self, largest: Sequence[float]) -> None:
        self._largest = tuple(largest)
        self._values: dict[str, list[float]] = defaultdict(list)

    def note(self, block: Block, changed: Mapping[BlockQuestion, bool]) -> None:
        """Takes in the answers of a block, by question whether they say "changed"."""
        if len(changed) < len(block.questions):
            return
        for name, value in self._shown(block, changed):
            self._values[name].append(value)

    def won(self, conclusion: str) -> bool:
        """Whether all bets of a conclusion are won."""
        bar = np.log(1 / ERROR)
        return all(self._wealth(bet) >= bar for bet in BETS[conclusion])

    @property
    def controls_followed(self) -> bool:
        """Whether answers to controls surely follow changes, without which nothing can be lost on figures."""
        return bool(self._wealth(Bet("followed", 0.0, True)) >= np.log(1 / _FOLLOWED_ERROR))

    def interval(self, name: str) -> tuple[float, Interval, int] | None:
        """The mean of values of that name with its interval, which holds at all looks, and how many there are."""
        values = self._values[name]
        if not values:
            return None
        low, high = _range(name)
        return float(np.mean(values)), betting_interval(values, low, high), len(values)

    def _wealth(self, bet: Bet) -> float:
        against = wealth_against_at_most if bet.above else wealth_against_at_least
        return float(against(self._values[bet.values], bet.mean, *_range(bet.values)).max(initial=-np.inf))

    def _shown(self, block: Block, changed: Mapping[BlockQuestion, bool]) -> list[tuple[str, float]]:
        means = _means(changed)
        signs = {alpha: f"missed {'+' if alpha > 0 else '-'}" for _, alpha in means if alpha}
        shown = [(name, means[CONTROL, alpha] - means[FIGURE, alpha]) for alpha, name in signs.items()]
        if block.kind != "contrast":
            return shown
        alpha = block.alpha
        follow = {context: means[context, alpha] - means[context, 0.0] for context in (CONTROL, FIGURE)}
        shown += [("raised", means[FIGURE, 0.0] - means[CONTROL, 0.0]), ("followed", follow[CONTROL])]
        if abs(alpha) >= _STRONG * self._largest[block.case]:
            halves = {question.context: question.half for question in block.questions}
            shown += [(f"strong {_NAMES[each]} {halves[each]}", follow[each]) for each in follow]
        if block.uniform:
            shown += [("gap", follow[CONTROL] - follow[FIGURE]), ("followed in turn", follow[CONTROL])]
        return shown


def _means(changed: Mapping[BlockQuestion, bool]) -> dict[tuple[int, float], float]:
    """The share of answers "changed" to each picture."""
    by_picture: dict[tuple[int, float], list[bool]] = defaultdict(list)
    for question, value in changed.items():
        by_picture[question.context, question.alpha].append(value)
    return {picture: float(np.mean(values)) for picture, values in by_picture.items()}


def _range(name: str) -> tuple[float, float]:
    return (-2.0, 2.0) if name == "gap" else (-1.0, 1.0)
