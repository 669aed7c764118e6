"""Mechanisms of observers: how often they see what happens, and what words do to that.

What happens is seen with probability `sees`; `anchor` is added where the words name things of the scene, `vacuum` where
words or silence take the place of that, and image-of-thought takes the share `thought` of a `vacuum` away. What is
claimed is believed with probability `believes`, whatever is seen. In a clip that hides nothing a trick is suspected
with probability `alarms`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from veridical.errors import InputError
from veridical.observers.simulated import identity_of, mechanism_of, require_within
from veridical.records import Json, Trial
from veridical.suites.magicbench.asking.cells import TEXT_ONLY, THOUGHT
from veridical.suites.magicbench.stimuli import OWN

NAMING = ("lie", "misdirection", "nouns", "truth")
"""The words that name things of the scene."""
_NAMING_TYPES = ("A", "B")
_SIGNED = ("anchor", "vacuum")


@dataclass(frozen=True, kw_only=True)
class Mechanism:
    """Probabilities in [0, 1], and changes of `sees` in [-1, 1], as the module says."""

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
    "perfect": Mechanism(),
    "autonomous": Mechanism(sees=0.7),
    "language-led": Mechanism(sees=0.6, anchor=0.2, vacuum=-0.3),
    "believer": Mechanism(sees=0.8, believes=1.0),
}
"""All is seen; words change nothing; nouns help and their absence harms; whatever is claimed is believed."""


def chosen(model_args: Mapping[str, Json]) -> tuple[Mechanism, int]:
    """The mechanism and the seed in the arguments `mechanism=NAME`, numbers, and `seed`; raises `InputError`.

    >>> chosen({"mechanism": "language-led", "anchor": 0.1})[0]
    Mechanism(sees=0.6, anchor=0.1, vacuum=-0.3, thought=0.0, believes=0.0, alarms=0.0)
    """
    return mechanism_of(model_args, MECHANISMS, "perfect")


def identity_args(model_args: Mapping[str, Json]) -> dict[str, Json]:
    """All arguments that define the observer, with defaults; raises `InputError` as `chosen` does."""
    return identity_of(*chosen(model_args))
