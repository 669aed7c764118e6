"""What can be said of each case alone: seen, lost, or answered in another way, and how many more questions it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from veridical.suites.viprobe.sequential.blocks import QUESTIONS
from veridical.suites.viprobe.sequential.posterior import Posterior
from veridical.suites.viprobe.sequential.prior import LOST_NODES
from veridical.suites.viprobe.verdicts import names

Floats = NDArray[np.float64]

SURE = 0.95
SEEN, LOST = "seen on figures as on controls", "lost on figures"
_OTHERS = (names.BLIND, names.LANGUAGE, names.INVERTED)
STATES = (SEEN, LOST, *_OTHERS)


class CaseStanding(NamedTuple):
    """The likeliest state of a case, its probability if all states were equally likely before, and its odds (log)."""

    state: str
    chance: float
    lead: float

    @property
    def decided(self) -> bool:
        return self.chance >= SURE


def case_standings(posterior: Posterior, cases: int) -> list[CaseStanding]:
    """The standing of each case: sight and habits are those that controls of all cases show, its own replies decide.

    Seen and lost cases are those of the candidates of mixed observers, so that they differ in figures alone.
    """
    table, from_controls = posterior.table, posterior.from_controls()
    groups = [table.verdict == table.verdicts.index(name) for name in (names.MIXED, *_OTHERS)]
    weights = [scipy.special.log_softmax(np.log(from_controls[group] + 1e-300)) for group in groups]
    return [_standing(posterior.nodes_of(case), table.log_shares, groups, weights) for case in range(cases)]


def _standing(
    nodes: Floats, shares: Floats, groups: Sequence[NDArray[np.bool_]], weights: list[Floats]
) -> CaseStanding:
    mixed = nodes[groups[0]]
    heights = [
        scipy.special.logsumexp(weights[0] + scipy.special.logsumexp(mixed[:, places], 1) - np.log(places.sum()))
        for places in (~LOST_NODES, LOST_NODES)
    ]
    heights += [
        scipy.special.logsumexp(weight + scipy.special.logsumexp(nodes[group] + shares[group], 1))
        for group, weight in zip(groups[1:], weights[1:], strict=True)
    ]
    chances = scipy.special.softmax(heights)
    best = int(np.argmax(chances))
    lead = float(np.partition(heights, -2)[-1] - np.partition(heights, -2)[-2])
    return CaseStanding(STATES[best], float(chances[best]), lead)


def more_questions(standing: CaseStanding, standings: Sequence[CaseStanding], asked_per_case: float) -> int | None:
    """How many more questions a case that is open would need, if they tell as much as those asked so far of all cases.

    `None` where these told nothing.
    """
    rate = float(np.mean([each.lead for each in standings])) / max(asked_per_case, 1.0)
    lacking = np.log(SURE / (1 - SURE)) - standing.lead
    if rate <= 0.01:
        return None
    return int(QUESTIONS * max(np.ceil(lacking / rate / QUESTIONS), 1))
