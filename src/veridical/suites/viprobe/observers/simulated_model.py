"""The simulated observer as a model: its mechanism turns the truth of each trial into a reply."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from veridical.ask.outcomes import outcome_table
from veridical.errors import InputError
from veridical.observers import Told
from veridical.observers.simulated import NAME, identity_of, mechanism_of, opened_run
from veridical.records import Json, Trial
from veridical.suites.viprobe.asking.trials import READERS
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.observers.simulated import MECHANISMS, Mechanism, simulate

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage

_UNNAMED = "veridical"
_WORDS = {"inf": math.inf}


class Simulated:
    """The replies of an observer with a chosen mechanism to the trials of a run, by the trial's id.

    `run` is the run's folder. Raises `InputError` for an invalid model argument and, at the first reply, for a run that
    cannot be read.
    """

    def __init__(self, model_args: Mapping[str, Json], run: Path | None) -> None:
        self._run = run
        self._mechanism, self._seed = chosen(model_args)

    def reply(self, messages: Sequence[ChatMessage], request: Told | None) -> str:  # noqa: ARG002 (it sees nothing)
        """The reply to a trial."""
        trial_id = request.trial if request else None
        if trial_id not in self._replies:
            raise InputError(f"{NAME} got trial {trial_id!r}, which its run does not contain")
        return self._replies[trial_id]

    @cached_property
    def _replies(self) -> dict[str, str]:
        trials = opened_run(self._run).trials()
        planned = outcome_table(NAME, trials, {}, READERS, factors=DESIGN.factors)
        answered = simulate(planned, self._mechanism, np.random.default_rng(self._seed))
        return dict(answered.select("trial", "text").iter_rows())


def require_able(trials: Sequence[Trial], repeats: int) -> None:  # noqa: ARG001 (it has a reply to any trial)
    """Raises `InputError` for more than one repeat: the observer has one reply per trial."""
    if repeats > 1:
        raise InputError(f"{NAME} has one reply per trial: leave out the {repeats} repeats")


def chosen(model_args: Mapping[str, Json]) -> tuple[Mechanism, int]:
    """The mechanism and the seed in the arguments `mechanism=NAME`, fields of `Mechanism`, and `seed`.

    Fields replace those of the named mechanism (default: the veridical one); "inf" is a valid number. Raises
    `InputError` for an unknown name or an invalid value.

    >>> mechanism, seed = chosen({"mechanism": "competition", "jnd": 0.1})
    >>> mechanism.memory, mechanism.jnd, seed
    (0.8, 0.1, 0)
    """
    return mechanism_of(model_args, MECHANISMS, _UNNAMED, _number)


def identity_args(model_args: Mapping[str, Json]) -> dict[str, Json]:
    """All arguments that define the observer, with defaults; raises `InputError` as `chosen` does."""
    mechanism, seed = chosen(model_args)
    numbers = {key: "inf" if value == math.inf else value for key, value in identity_of(mechanism, seed).items()}
    return {"mechanism": str(model_args.get("mechanism", _UNNAMED)), **numbers}


def _number(name: str, value: Json) -> float:
    try:
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else _WORDS[value]
    except (KeyError, OverflowError, TypeError):
        raise InputError(f"{name} {str(value)[:40]!r}: a number is allowed") from None
