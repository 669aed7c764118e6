"""Observers with a chosen mechanism: they explain and answer probes from the truth of the trial.

What happens is seen with probability `sees`; `anchor` is added where the words name things of the scene, `vacuum` where
words or silence take the place of that, and image-of-thought takes the share `thought` of a `vacuum` away. What is
claimed is believed with probability `believes`, whatever is seen. In a clip that hides nothing a trick is suspected
with probability `alarms`.

The same thing is seen under all words: the numbers that decide what is seen and believed depend on the clip, the probe
and the repeat alone. What is not seen is answered wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from veridical.errors import InputError
from veridical.observers.simulation import require_within
from veridical.records import Json, Trial
from veridical.suite.nuisances import entropy
from veridical.suite.observers import Simulation
from veridical.suites.magicbench.asking.cells import EXPLAIN, TEXT_ONLY, THOUGHT
from veridical.suites.magicbench.stimuli import HONEST, OWN

_BEFORE = "before"
"""The moment of probes that no claim is about: the words come with the secret."""
NAMING = ("lie", "misdirection", "nouns", "truth")
"""The words that name things of the scene."""
_NAMING_TYPES = ("A", "B")
_SIGNED = ("anchor", "vacuum")


@dataclass(frozen=True, kw_only=True)
class MagicbenchMechanism:
    """Probabilities in [0, 1], and changes of `sees` in [-1, 1], as the module says.

    >>> SIMULATION.mechanism_of({"mechanism": "language-led", "anchor": 0.1})[0]
    MagicbenchMechanism(sees=0.6, anchor=0.1, vacuum=-0.3, thought=0.0, believes=0.0, alarms=0.0)
    """

    sees: float = 1.0
    anchor: float = 0.0
    vacuum: float = 0.0
    thought: float = 0.0
    believes: float = 0.0
    alarms: float = 0.0

    def __post_init__(self) -> None:
        require_within(self, "number", signed=_SIGNED)
        for name in _SIGNED:
            if not 0 <= self.sees + getattr(self, name) <= 1:
                raise InputError(f"sees {self.sees:g} and {name} {getattr(self, name):g}: their sum is no probability")

    def seeing(self, trial: Trial) -> float:
        """The probability that the observer sees what happens; 0 where nothing is shown."""
        stance = trial.settings["stance"]
        if stance == TEXT_ONLY:
            return 0.0
        words = trial.settings.get("patter")
        if words is None:
            return self.sees
        if words in NAMING or (words == OWN and trial.factors.get("linguistic_type") in _NAMING_TYPES):
            return self.sees + self.anchor
        return self.sees + self.vacuum * (1 - self.thought if stance == THOUGHT else 1)


MECHANISMS = {
    "perfect": MagicbenchMechanism(),
    "autonomous": MagicbenchMechanism(sees=0.7),
    "language-led": MagicbenchMechanism(sees=0.6, anchor=0.2, vacuum=-0.3),
    "believer": MagicbenchMechanism(sees=0.8, believes=1.0),
}
"""All is seen; words change nothing; nouns help and their absence harms; whatever is claimed is believed."""


def _reply(mechanism: MagicbenchMechanism, seed: int, trial: Trial, repeat: int) -> str:
    parts = (seed, trial.stimulus, repeat, trial.expects.get("probe", EXPLAIN))
    see, believe, suspect = np.random.default_rng(entropy(*parts)).random(3).tolist()
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


def _explanation(trial: Trial, mechanism: MagicbenchMechanism, *, sees: bool, believes: bool, suspects: bool) -> str:
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


SIMULATION = Simulation(MECHANISMS, "perfect", _reply)
