"""Observers with a chosen mechanism: they see, recall the usual answer, or guess, and read the truth of each trial.

A trial with pictures is seen with probability `sees`, ordinary or not. What is not seen gets the usual answer with
probability `recalls`, if there is one, else "Not Sure" with probability `unsure`, else a guess among the other options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from veridical.observers import Told
from veridical.observers.simulated import RunTrials, identity_of, mechanism_of, require_within
from veridical.records import Json, Media, Trial
from veridical.suite.nuisances import entropy
from veridical.suites.viabench.asking.trials import letter
from veridical.suites.viabench.puzzles.puzzle import NOT_SURE, is_not_sure

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage


@dataclass(frozen=True, kw_only=True)
class Mechanism:
    """Shares in [0, 1]: of trials that are seen, of the others that are recalled, and of the rest left open."""

    sees: float = 0.0
    recalls: float = 0.0
    unsure: float = 0.0

    def __post_init__(self) -> None:
        require_within(self, "share")


MECHANISMS = {"sees": Mechanism(sees=1.0), "recalls": Mechanism(recalls=1.0), "guesses": Mechanism()}


class Simulated:
    """The replies of an observer with a chosen mechanism to the trials of a run, by the trial's id and the repeat."""

    def __init__(self, model_args: Mapping[str, Json], run: Path | None) -> None:
        self._trials = RunTrials(run)
        self._mechanism, self._seed = chosen(model_args)

    def reply(self, messages: Sequence[ChatMessage], request: Told | None) -> str:  # noqa: ARG002 (it sees nothing)
        """The reply to a trial; raises `InputError` for one that is not of its run."""
        trial, repeat = self._trials.of(request)
        rng = np.random.default_rng(entropy(self._seed, trial.id, repeat))
        return answered(trial, self._mechanism, rng)


def answered(trial: Trial, mechanism: Mechanism, rng: np.random.Generator) -> str:
    """The reply of an observer with this mechanism to a trial; it takes the same numbers from `rng` each time."""
    sees, recalls, unsure, guess = rng.random(4)
    shown = any(isinstance(part, Media) for message in trial.messages for part in message.parts)
    usual, options = trial.factors.get("usual"), trial.expects.get("options")
    if shown and sees < mechanism.sees:
        option = trial.expects["label"]
    elif usual is not None and recalls < mechanism.recalls:
        option = usual
    elif options is None:
        option = NOT_SURE
    elif unsure < mechanism.unsure and any(map(is_not_sure, options)):
        option = next(filter(is_not_sure, options))
    else:
        others = [each for each in options if not is_not_sure(each)]
        option = others[int(guess * len(others))]
    return option if options is None else f"Answer: [{letter(options, option)}]"


def chosen(model_args: Mapping[str, Json]) -> tuple[Mechanism, int]:
    """The mechanism and the seed in the arguments `mechanism=NAME`, shares, and `seed`; raises `InputError`.

    >>> chosen({"mechanism": "recalls", "sees": 0.2})[0]
    Mechanism(sees=0.2, recalls=1.0, unsure=0.0)
    """
    return mechanism_of(model_args, MECHANISMS, "sees")


def identity_args(model_args: Mapping[str, Json]) -> dict[str, Json]:
    """All arguments that define the observer, with defaults; raises `InputError` as `chosen` does."""
    return identity_of(*chosen(model_args))
