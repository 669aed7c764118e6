"""Observers with a chosen mechanism (see `mechanism`): they explain and answer probes from the truth of the trial.

The same thing is seen under all words: the numbers that decide what is seen and believed depend on the clip, the probe
and the repeat alone. What is not seen is answered wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING

import numpy as np

from veridical.observers import Told
from veridical.observers.simulated import RunTrials
from veridical.records import Json, Trial
from veridical.suite.nuisances import entropy
from veridical.suites.magicbench.asking.cells import EXPLAIN, THOUGHT
from veridical.suites.magicbench.observers.mechanism import Mechanism, chosen
from veridical.suites.magicbench.stimuli import HONEST

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage

_BEFORE = "before"
"""The moment of probes that no claim is about: the words come with the secret."""


class Simulated:
    """The replies of an observer with a chosen mechanism to the trials of a run, by the trial's id and the repeat."""

    def __init__(self, model_args: Mapping[str, Json], run: Path | None) -> None:
        self._trials = RunTrials(run)
        self._mechanism, self._seed = chosen(model_args)

    def reply(self, messages: Sequence[ChatMessage], request: Told | None) -> str:  # noqa: ARG002 (it sees nothing)
        """The reply to a trial; raises `InputError` for one that is not of its run."""
        trial, repeat = self._trials.of(request)
        parts = (self._seed, trial.stimulus, repeat, trial.expects.get("probe", EXPLAIN))
        see, believe, suspect = np.random.default_rng(entropy(*parts)).random(3).tolist()
        return replied(trial, self._mechanism, see, believe, suspect)


def replied(trial: Trial, mechanism: Mechanism, see: float, believe: float, suspect: float) -> str:
    """The reply of an observer to a trial; the numbers from [0, 1) decide what it sees, believes and suspects."""
    sees, believes = see < mechanism.seeing(trial), believe < mechanism.believes
    if trial.settings["task"] == EXPLAIN:
        return _explanation(trial, mechanism, sees=sees, believes=believes, suspects=suspect < mechanism.alarms)
    claimed: list[str] = trial.expects["claimed"]
    if believes and claimed and trial.expects["moment"] != _BEFORE:
        return f"Answer: {claimed[0]}"
    if sees:
        return f"Answer: {trial.gold}"
    wrong = [each for each in ascii_uppercase[: len(trial.expects["options"])] if each != trial.gold]
    return f"Answer: {wrong[int(see * 1e6) % len(wrong)]}"


def _explanation(trial: Trial, mechanism: Mechanism, *, sees: bool, believes: bool, suspects: bool) -> str:
    """An explanation: of what is so, of what is said, of a trick that is not there, or of what seems to happen."""
    key: Mapping[str, Json] = trial.expects["key"]
    accepted = believes and bool(key["claims"])
    false = [claim["text"] for claim in key["claims"] if not claim["true"]]
    if accepted:
        own = _parts(key["claims"][0]["text"], [claim["text"] for claim in key["claims"]], trick=False)
    elif trial.variant == HONEST and suspects:
        own = _parts("Something is kept back in secret.", [_effect(key)], trick=True)
    elif sees:
        own = _parts(key["principle"], key["atoms"], trick=trial.variant != HONEST)
        own["misdirection"] = " ".join(f"It is said that: {text} The frames show otherwise." for text in false)
    else:
        own = _parts("It happens as it seems.", [_effect(key)], trick=False)
    own["effect"], own["confidence"] = _effect(key), round(100 * mechanism.seeing(trial))
    if trial.expects["form"] == THOUGHT:
        own |= _thought(trial, sees=sees, accepted=accepted)
    return json.dumps(own, ensure_ascii=False)


def _effect(key: Mapping[str, Json]) -> str:
    """What the audience is to believe; most released clips do not say it."""
    return key["effect"] or "The effect that the clip shows."


def _parts(principle: str, steps: Sequence[str], *, trick: bool) -> dict[str, Json]:
    return {
        "anomalies": [],
        "misdirection": "",
        "steps": list(steps),
        "principle": principle,
        "trick": "yes" if trick else "no",
    }


def _thought(trial: Trial, *, sees: bool, accepted: bool) -> dict[str, Json]:
    """The parts of image-of-thought: an inventory of every frame, the claims compared with it, and the facts."""
    key = trial.expects["key"]
    facts = key["atoms"] if sees else [_effect(key)]
    compared = [
        {
            "claim": claim["text"],
            "seen": facts[0],
            "holds": "yes" if accepted or (sees and claim["true"]) else "no" if sees else "unclear",
        }
        for claim in key["claims"]
    ]
    times = trial.expects.get("times") or [0.0]
    return {"inventory": [{"time": time, "what": facts[0]} for time in times], "claims": compared, "facts": facts}
