"""Observers with a chosen mechanism: they see, recall the usual answer, or guess, and read the truth of each trial.

A trial with pictures is seen with probability `sees`, ordinary or not. What is not seen gets the usual answer with
probability `recalls`, if there is one, else "Not Sure" with probability `unsure`, else a guess among the other options.
The usual answer of a unit is known with probability `knows`; what is not known is neither recalled nor stated without a
picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veridical.observers.simulation import require_within
from veridical.records import Media, Trial
from veridical.suite.nuisances import entropy
from veridical.suite.observers import Simulation
from veridical.suites.viabench.asking.trials import PRIOR, letter
from veridical.suites.viabench.puzzles.puzzle import NOT_SURE, is_not_sure


@dataclass(frozen=True, kw_only=True)
class ViabenchMechanism:
    """Shares in [0, 1]: of trials that are seen, of the others recalled, of the rest left open; of units known.

    >>> SIMULATION.mechanism_of({"mechanism": "recalls", "sees": 0.2})[0]
    ViabenchMechanism(sees=0.2, recalls=1.0, unsure=0.0, knows=1.0)
    """

    sees: float = 0.0
    recalls: float = 0.0
    unsure: float = 0.0
    knows: float = 1.0

    def __post_init__(self) -> None:
        require_within(self, "share")


MECHANISMS = {
    "sees": ViabenchMechanism(sees=1.0),
    "recalls": ViabenchMechanism(recalls=1.0),
    "guesses": ViabenchMechanism(),
}


def _reply(mechanism: ViabenchMechanism, seed: int, trial: Trial, repeat: int) -> str:
    sees, recalls, unsure, guess = np.random.default_rng(entropy(seed, trial.id, repeat)).random(4)
    shown = any(isinstance(part, Media) for message in trial.messages for part in message.parts)
    usual, options = trial.factors.get("usual"), trial.expects.get("options")
    if usual is not None and np.random.default_rng(entropy(seed, trial.unit)).random() >= mechanism.knows:
        usual = None
    if shown and sees < mechanism.sees:
        option = trial.expects["label"]
    elif usual is not None and (trial.settings["sight"] == PRIOR or recalls < mechanism.recalls):
        option = usual
    elif options is None:
        option = NOT_SURE
    elif unsure < mechanism.unsure and any(map(is_not_sure, options)):
        option = next(filter(is_not_sure, options))
    else:
        others = [each for each in options if not is_not_sure(each)]
        option = others[int(guess * len(others))]
    return option if options is None else f"Answer: [{letter(options, option)}]"


SIMULATION = Simulation(MECHANISMS, "sees", _reply)
