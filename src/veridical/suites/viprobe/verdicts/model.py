"""The generative model of a reply pair: perception of a picture, the effect of figures, and response habits.

A picture looks unchanged if |α + shift + side + noise| is within the criterion c; the noise is normal with standard
deviation σ. A picture may also be ignored (`blank`) and answered by a fixed guess, a reply may be a lapse or a yes or
no regardless of the question, and the reversed question may be answered as the forward one (`deaf`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from veridical.suites.viprobe.verdicts.counts import PairCounts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PARAMETERS = ("log σ", "log c", "offset", "shift", "share", "log σ ratio", "log c ratio")
"""Parameters of a case. The offset is added to α in all contexts. The last four are effects of figures: a shift of what
is seen, a share of it replaced by "same", and ratios of σ and c to those in controls.
"""

NOISE, CRITERION, OFFSET, SHIFT, SHARE, NOISE_RATIO, CRITERION_RATIO = range(len(PARAMETERS))
OWN = (NOISE, CRITERION, OFFSET)

LOW = np.array([np.log(0.004), np.log(0.004), -0.6, -1.2, 0.0, 0.0, -3.0])
HIGH = np.array([np.log(30.0), np.log(60.0), 0.6, 1.2, 1.0, 6.0, 6.0])

_FIGURES = np.array([0.0, 1.0])
"""How much of an effect of figures controls have, and figures."""

_STEEP = 3.0
"""Slope of the logistic function that maps a flat parameter, in the range of log σ or log c, to its rate."""

Effect = Literal[
    "nothing", "shift", "shift of all", "picture", "reply", "blunt", "flat", "inverted", "inverted figures"
]


class Hypothesis(NamedTuple):
    """An effect of figures: its name in a verdict, the kind of effect, and the free parameters of a case."""

    name: str
    effect: Effect
    free: tuple[int, ...]

    @property
    def of_figures(self) -> tuple[int, ...]:
        """The free parameters that apply to figures only."""
        return tuple(place for place in self.free if place not in OWN)


class Habits(NamedTuple):
    """Response habits, shared by all contexts and cases. All are shares except `side`, in units of α.

    `lapse`: replies that do not depend on the picture; `lapse_changed`: the share of these that say "changed". `yes`,
    `no`: replies that are yes or no regardless of the question. `blank`: pictures that are ignored; `blank_changed`:
    the share of these that both replies call changed. `deaf`: pictures whose reversed question is answered as the
    forward one. `side`: perceptual bias toward one target, added to α with the sign `way`, with or without a change.
    `neglect`: changes left or at the top that are not noticed; `neglect_other`: changes right or at the bottom.
    """

    lapse: float = 0.02
    lapse_changed: float = 0.5
    yes: float = 0.0
    no: float = 0.0
    blank: float = 0.01
    blank_changed: float = 0.3
    deaf: float = 0.01
    side: float = 0.0
    neglect: float = 0.0
    neglect_other: float = 0.0

    @property
    def leaning(self) -> float:
        """Share of unconditional yes minus unconditional no."""
        return self.yes - self.no

    @property
    def heard(self) -> float:
        """The share of replies that depend on the question and the picture."""
        return max(1 - self.yes - self.no, 0.0) * (1 - self.lapse)


COMPARING = Habits(blank=0.0, deaf=0.0)
"""Starting values in comparisons, where `blank` and `deaf` are fixed at 0."""

HABITS_LOW = Habits(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.8, 0.0, 0.0)
HABITS_HIGH = Habits(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.8, 1.0, 1.0)


@dataclass(frozen=True)
class Design:
    """The cells of each case, controls first, then figures: shape (cases, 2 x cells).

    In a `comparison` the reply names the target that has more: "same" stands for the one that the illusion favors.
    """

    alpha: Floats
    way: Floats
    side: Floats
    figure: NDArray[np.bool_]
    directed: NDArray[np.bool_]
    forward_first: NDArray[np.bool_]
    comparison: bool = False

    @staticmethod
    def of(control: PairCounts, figure: PairCounts, *, comparison: bool = False) -> Design:
        both = np.concatenate([control.alpha, figure.alpha], 1)
        way = np.concatenate([control.way, figure.way], 1)
        side = np.concatenate([control.side, figure.side], 1)
        deep = control.alpha.shape[1]
        return Design(both, way, side, np.arange(2 * deep) >= deep, control.directed, control.forward_first, comparison)


def unchanged_probability(theta: Floats, case: Ints, design: Design, effect: Effect, habits: Habits) -> Floats:
    """Probability that each picture looks unchanged or, in a comparison, that the favored target seems to have more.

    `theta` has shape (problems, 7), the result (problems, cells).
    """
    figure = design.figure[None]
    if effect == "flat":
        return np.asarray(np.where(figure, expit(_STEEP * theta[:, 1:2]), expit(_STEEP * theta[:, :1])))
    noise, criterion, offset, shift, share, noise_ratio, criterion_ratio = theta.T[:, :, None]
    # Once for controls and once for figures, then for every cell.
    cells = design.figure.astype(int)
    sigma = np.exp(noise + _FIGURES * noise_ratio)[:, cells]
    criterion = np.exp(criterion + _FIGURES * criterion_ratio)[:, cells]
    pushed = (offset + shift * np.where(effect == "shift of all", 1.0, _FIGURES)) * design.directed[case][:, None]
    seen = design.alpha[case] + pushed[:, cells]
    if habits.side:
        seen += habits.side * design.way[case]
    if design.comparison:
        same, recited = ndtr(seen / sigma), 0.5
    else:
        same, recited = ndtr((criterion - seen) / sigma) - ndtr((-criterion - seen) / sigma), 1.0
    if (habits.neglect or habits.neglect_other) and not design.comparison:
        side = design.side[case] * (design.alpha[case] != 0)
        same = same + (habits.neglect * (side > 0) + habits.neglect_other * (side < 0)) * (1 - same)
    if effect == "picture":
        same = same + figure * share * (recited - same)
    elif effect == "inverted":
        same = 1 - same
    elif effect == "inverted figures":
        same = np.where(figure, 1 - same, same)
    return np.asarray(same)


def reply_chances(
    same: Floats, theta: Floats, case: Ints, design: Design, effect: Effect, habits: Habits, *, whole: bool = False
) -> Floats:
    """Probability of each of `counts.SAYS`, shape (problems, cells, 8); each group by missing half sums to 1.

    With `whole`, only the first four: pairs without a missing half.
    """
    looked = (1 - habits.blank) * same + habits.blank * (1 - habits.blank_changed)
    kept = habits.heard
    lapsed = max(1 - habits.yes - habits.no, 0.0) * habits.lapse * (1 - habits.lapse_changed)
    floor = lapsed + np.array([habits.yes, habits.no])
    # For controls and figures, where they differ.
    share = theta[:, SHARE, None] * _FIGURES if effect == "reply" else np.zeros((1, 1))
    # Probability of the reply "same" to each question, given a state heard as same (True) or changed (False).
    rate = {True: kept + floor + 0.0 * share[..., None], False: floor + kept * share[..., None]}
    states = [_pair(rate, state, case, design, habits) for state in (True, False)]
    if effect == "reply":
        states = [state[:, design.figure.astype(int)] for state in states]
    chances, unseen = np.empty((*looked.shape, 4 if whole else 8)), 1 - looked
    # Column by column: operations along a last axis of four or eight take many times as long.
    for says in range(4):
        chances[..., says] = looked * states[0][..., says] + unseen * states[1][..., says]
    if not whole:
        for half, (one, other) in enumerate(((0, 1), (2, 3), (0, 2), (1, 3)), start=4):
            chances[..., half] = chances[..., one] + chances[..., other]
    return chances


def _pair(rate: dict[bool, Floats], state: bool, case: Ints, design: Design, habits: Habits) -> Floats:
    """Probabilities of the four outcomes given a state; the share `deaf` answers the reversed question as the other."""
    heard = _joint(rate[state], rate[state])
    if habits.deaf == 0:
        return heard
    first = design.forward_first[case][:, None, None]
    if first.all():
        deaf = _joint(rate[state], rate[not state])
    else:
        deaf = np.where(first, _joint(rate[state], rate[not state]), _joint(rate[not state], rate[state]))
    return np.asarray((1 - habits.deaf) * heard + habits.deaf * deaf)


def _joint(one: Floats, two: Floats) -> Floats:
    """Probabilities of the four outcomes of two independent replies: first question's rates `one`, second's `two`."""
    a, b = one[..., 0], two[..., 1]
    not_a, not_b = 1 - a, 1 - b
    chances = np.empty((*np.broadcast_shapes(a.shape, b.shape), 4))
    for place, (each, other) in enumerate(((a, b), (a, not_b), (not_a, b), (not_a, not_b))):
        np.multiply(each, other, out=chances[..., place])
    return chances
