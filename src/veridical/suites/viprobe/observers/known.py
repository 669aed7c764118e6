"""The simulated observer as a model that can be asked: it answers what its mechanism makes of each trial's truth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from veridical.ask import Run
from veridical.ask.outcomes import outcome_table
from veridical.errors import InputError, unknown
from veridical.observers import Told
from veridical.records import Json, Trial
from veridical.suites.viprobe.asking.trials import READERS
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.observers.simulated import MECHANISMS, Mechanism, simulate

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage

NAME = "veridical/simulated"
_FIELDS = tuple(field.name for field in fields(Mechanism))
_UNNAMED = "veridical"
_WORDS = {"inf": math.inf}
_ARGUMENTS = ("mechanism", *_FIELDS, "seed")


class Simulated:
    """The replies of an observer of known mechanism to the trials of a run, by the trial's id.

    `run` is the run's folder. Raises `InputError` for a model argument that is not one, and, when first asked, for a
    run that cannot be read.
    """

    def __init__(self, model_args: Mapping[str, Json], run: Path | None) -> None:
        self._run = run
        self._mechanism, self._seed = chosen(model_args)

    def reply(self, messages: Sequence[ChatMessage], told: Told | None) -> str:  # noqa: ARG002 (it sees nothing)
        """The reply to a trial."""
        trial = told.trial if told else None
        if trial not in self._replies:
            raise InputError(f"{NAME} is asked {trial!r}, which is no trial of its run")
        return self._replies[trial]

    @cached_property
    def _replies(self) -> dict[str, str]:
        if self._run is None:
            raise InputError(f"{NAME} reads the truth in the folder of a run: it is asked by `veridical run` alone")
        trials = Run.open(self._run).trials()
        planned = outcome_table(NAME, trials, {}, READERS, factors=DESIGN.factors)
        answered = simulate(planned, self._mechanism, np.random.default_rng(self._seed))
        return dict(answered.select("trial", "text").iter_rows())


def require_able(trials: Sequence[Trial], repeats: int) -> None:  # noqa: ARG001 (it has a reply to any trial)
    """Raises `InputError` where the observer has no reply: to a trial that is asked again."""
    if repeats > 1:
        raise InputError(f"{NAME} has one reply to each trial, and {repeats} repeats are asked for: leave them out")


def chosen(model_args: Mapping[str, Json]) -> tuple[Mechanism, int]:
    """The mechanism and the seed that arguments name: `mechanism=NAME`, fields of `Mechanism`, `seed`.

    A field that is given stands in place of the named mechanism's (without a name: the veridical one's); "inf" is a
    number here. Raises `InputError` for what is not known or not allowed.

    >>> found, seed = chosen({"mechanism": "competition", "jnd": 0.1})
    >>> found.memory, found.jnd, seed
    (0.8, 0.1, 0)
    """
    for name in model_args:
        if name not in _ARGUMENTS:
            raise unknown("model argument", name, _ARGUMENTS)
    name = str(model_args.get("mechanism", _UNNAMED))
    if name not in MECHANISMS:
        raise unknown("mechanism", name, MECHANISMS)
    seed = model_args.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise InputError(f"seed {seed!r}: a whole number from 0 up is allowed")
    given = {key: _number(key, model_args[key]) for key in _FIELDS if key in model_args}
    return replace(MECHANISMS[name], **given), seed


def identity_args(model_args: Mapping[str, Json]) -> dict[str, Json]:
    """All that defines the observer, whether it was named or given; raises `InputError` as `chosen` does."""
    mechanism, seed = chosen(model_args)
    numbers = {key: "inf" if value == math.inf else value for key, value in asdict(mechanism).items()}
    return {"mechanism": str(model_args.get("mechanism", _UNNAMED)), **numbers, "seed": seed}


def _number(name: str, value: Json) -> float:
    try:
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else _WORDS[value]
    except (KeyError, OverflowError, TypeError):
        raise InputError(f"{name} {str(value)[:40]!r}: a number is allowed") from None
