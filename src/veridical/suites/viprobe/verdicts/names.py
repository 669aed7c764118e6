"""The names of verdicts, what each needs, and what the paper calls the like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.records import Json

VERIDICAL = "veridical"
WEAK = "weak vision"
ILLUSION = "illusory percept"
LOSS = "loss on figures"
EVERYWHERE = "loss on figures and clutter"
MEMORY = "memory override"
BLIND = "blind"
LANGUAGE = "language-limited or guessing"
INVERTED = "inverted"
MIXED = "mixed"
NO_MODEL = "no model fits"
MISSING = "undetermined: answers missing"
OPEN = "undetermined"

NAMES = (VERIDICAL, WEAK, ILLUSION, LOSS, EVERYWHERE, MEMORY, BLIND, LANGUAGE, INVERTED, MIXED, NO_MODEL, MISSING, OPEN)

IN_THE_PAPER: Mapping[str, str] = {
    VERIDICAL: "perception",
    WEAK: "visual-processing limit",
    ILLUSION: "human-like illusion",
    LOSS: "memory override or competition",
    MEMORY: "memory override",
    LANGUAGE: "language-processing limit",
}
"""What VI-Probe (sections 4.3 to 4.6) would speak of; the other verdicts have no name there."""

SEES = frozenset({VERIDICAL, WEAK})
LOSES = frozenset({LOSS, EVERYWHERE, MEMORY})
DECIDED = frozenset(NAMES) - {MIXED, NO_MODEL, MISSING, OPEN}


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a run says of its observer, in the slice that it is about.

    `evidence` is what decided, in words; `weights` of the kinds of explanation add up to 1; `parameters` are those of
    the explanation that the verdict names, in words. `needs` says what would decide what is open. `at_random` is the
    verdict that the answered replies alone would have where too many are missing, evenly.
    """

    where: Mapping[str, Json]
    name: str
    evidence: tuple[str, ...]
    weights: Mapping[str, float] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    at_random: str | None = None

    @property
    def in_the_paper(self) -> str:
        """What the paper calls the like; empty where it has no name for it."""
        return IN_THE_PAPER.get(self.name, "")


def kind(name: str) -> str:
    """Verdicts of one kind do not contradict each other: they see figures as controls, or they lose them.

    >>> kind("memory override") == kind("loss on figures"), kind("veridical") == kind("loss on figures")
    (True, False)
    """
    return "sees" if name in SEES else "loses" if name in LOSES else name
