"""What can be said of each case alone: seen, lost, or answered in another way, and how many more questions it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.sequential.blocks import QUESTIONS
from veridical.suites.viprobe.sequential.posterior import Posterior, log_sum
from veridical.suites.viprobe.sequential.prior import LOST_NODES, VERDICTS
from veridical.suites.viprobe.verdicts import names

Floats = NDArray[np.float64]

SURE = 0.95
SEEN, LOST = "seen on figures as on controls", "lost on figures"
_ELSEWISE = 0.02
"""How likely a case is answered in another way, beside 1 for seen and for lost, where the run says nothing of it."""

_OTHERS = (names.BLIND, names.LANGUAGE, names.INVERTED)
STATES = (SEEN, LOST, *_OTHERS)


class CaseStanding(NamedTuple):
    """The likeliest state of a case, its probability, and its lead over the next (log odds)."""

    state: str
    chance: float
    lead: float

    @property
    def decided(self) -> bool:
        return self.chance >= SURE


def case_standings(posterior: Posterior) -> list[CaseStanding]:
    """The standing of each case: sight and habits are those that controls of all cases show, its own replies decide.

    A case is as likely seen as lost beforehand; answered in another way, only as far as the whole run speaks for that.
    Seen and lost cases are those of the candidates of mixed observers, so that they differ in figures alone.
    """
    field, every = posterior.field, np.ones_like(LOST_NODES)
    states = [(names.MIXED, ~LOST_NODES), (names.MIXED, LOST_NODES), *((name, every) for name in _OTHERS)]
    of_run = dict(zip(VERDICTS, np.maximum(posterior.by_verdict, _ELSEWISE), strict=True)) | {names.MIXED: 1.0}
    heights = []
    for name, nodes in states:
        chosen = field.verdict == VERDICTS.index(name)
        of_controls = posterior.of_controls[chosen]
        height = log_sum(posterior.by_state(chosen, nodes) + of_controls - log_sum(of_controls), 1)
        heights.append(height + np.log(of_run[name]))
    return [_standing(each) for each in np.stack(heights, 1)]


def _standing(heights: Floats) -> CaseStanding:
    chances = np.exp(heights - log_sum(heights))
    best, (second, first) = int(np.argmax(chances)), np.sort(heights)[-2:]
    return CaseStanding(STATES[best], float(chances[best]), float(first - second))


def more_questions(standing: CaseStanding, standings: Sequence[CaseStanding], asked_per_case: float) -> int | None:
    """How many more questions a case that is open would need, if they tell as much as those asked so far of all cases.

    `None` where these told nothing.
    """
    rate = float(np.mean([each.lead for each in standings])) / max(asked_per_case, 1.0)
    lacking = np.log(SURE / (1 - SURE)) - standing.lead
    if rate <= 0.01:
        return None
    return int(QUESTIONS * max(np.ceil(lacking / rate / QUESTIONS), 1))
