"""The simulated observer of simple suites: right with a chosen probability, else wrong."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from veridical.observers.simulation import require_within
from veridical.records import Trial
from veridical.suite.nuisances import entropy
from veridical.suite.observers import Simulation


@dataclass(frozen=True, kw_only=True)
class AnswerMechanism:
    """The probability of a right answer to each trial, in [0, 1]; all wrong answers are equally likely.

    >>> SIMULATION.mechanism_of({"accuracy": 0.8})
    (AnswerMechanism(accuracy=0.8), 0)
    """

    accuracy: float = 1.0

    def __post_init__(self) -> None:
        require_within(self, "share")


def _reply(mechanism: AnswerMechanism, seed: int, trial: Trial, repeat: int) -> str:
    rng = np.random.default_rng(entropy(seed, trial.id, repeat))
    gold = str(trial.gold)
    answer = gold if rng.random() < mechanism.accuracy else str(rng.choice(_wrong(trial, gold)))
    return f"<answer>{answer}</answer>"


def _wrong(trial: Trial, gold: str) -> list[str]:
    """Every wrong answer; of numbers, the nearest above."""
    if "tolerance" in trial.expects:
        return [str(int(gold) + int(trial.expects["tolerance"]) + 1)]
    options = trial.expects["options"]
    wrong = list(options if gold in options else ascii_uppercase[: len(options)])
    wrong.remove(gold)
    return wrong


SIMULATION = Simulation({"sees": AnswerMechanism()}, "sees", _reply)
