"""The names of verdicts and their counterparts in the paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.records import Json
from veridical.suite.unseen_regions import UNSEEN, UnseenRegions

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

NAMES = (
    *(VERIDICAL, WEAK, ILLUSION, LOSS, EVERYWHERE, MEMORY, BLIND, LANGUAGE, INVERTED, MIXED, NO_MODEL),
    *(MISSING, UNSEEN, OPEN),
)

STANDS = "the same whatever the missing answers were"
"""Evidence of a verdict that no filling of the missing answers changes."""

IN_THE_PAPER: Mapping[str, str] = {
    VERIDICAL: "perception",
    WEAK: "visual-processing limit",
    ILLUSION: "human-like illusion",
    LOSS: "memory override or competition",
    MEMORY: "memory override",
    LANGUAGE: "language-processing limit",
}
"""The terms of VI-Probe (sections 4.3 to 4.6); it has none for the other verdicts."""

SEES = frozenset({VERIDICAL, WEAK})
LOSES = frozenset({LOSS, EVERYWHERE, MEMORY})
ACCUSING = LOSES | {ILLUSION, INVERTED}
"""Verdicts that figures are not answered as controls are."""
BLAMING = ACCUSING | {WEAK, BLIND, MIXED}
"""Verdicts that an observer comes to, in some cases at least, also by not seeing where the change is."""
DECIDED = frozenset(NAMES) - {MIXED, NO_MODEL, MISSING, UNSEEN, OPEN}

NAMED_FROM: Mapping[str, int] = {VERIDICAL: 27, LOSS: 27, BLIND: 27}
"""The units in all, over all cases, from which at least 80 % of runs of a clear observer are given its verdict.

Measured on simulated runs with the strengths, picture types and 27 cases of the quick recipe, one unit each. Over fewer
cases it takes more: with 12 units in 3 cases, one run in ten that sees is called veridical. "memory override" also
takes pictures of inducers alone, which that recipe has not.
"""


@dataclass(frozen=True, kw_only=True)
class ObserverVerdict:
    """What a run shows about its observer, in the slice `where`.

    `evidence` is the decisive evidence, in words; `weights` of the hypotheses sum to 1; `parameters` are those of the
    hypothesis that the verdict names, in words. `needs` lists what would decide an open verdict. `at_random` is the
    verdict from the answered trials alone, if many answers are missing but evenly. `controls_seen` says whether strong
    changes of controls move answers, without which no explanation that supposes sight has evidence. `unseen` counts
    pictures that change outside what the observer sees, if there are any.
    """

    where: Mapping[str, Json]
    name: str
    evidence: tuple[str, ...]
    weights: Mapping[str, float] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    at_random: str | None = None
    controls_seen: bool = True
    unseen: UnseenRegions | None = None

    @property
    def in_the_paper(self) -> str:
        """The paper's term for the verdict; empty if it has none."""
        return IN_THE_PAPER.get(self.name, "")


def kind(name: str) -> str:
    """The kind of a verdict: `sees`, `loses`, or its own name. Verdicts of one kind do not contradict each other.

    >>> kind("memory override") == kind("loss on figures"), kind("veridical") == kind("loss on figures")
    (True, False)
    """
    return "sees" if name in SEES else "loses" if name in LOSES else name
