"""The observers that are asked about both kinds of clips, and the verdicts that are right of them.

What is right was written before any run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.records import Json
from veridical.suites.hocabench.analysis.verdict import (
    BLIND,
    LAG,
    LITTLE,
    ODD,
    ODDNESS,
    OPEN,
    POSSIBLE,
    SEES,
    WITHOUT_CONTROLS,
)

SIGHTLESS = frozenset({BLIND, ODD, POSSIBLE, OPEN})
"""The verdicts of which none says that anything is noticed."""


@dataclass(frozen=True, kw_only=True)
class AskedObserver:
    """An embedded observer, what its replies rest on, and the verdicts that are right of it.

    `explained` are those where both sets have explained controls.
    """

    name: str
    model: str
    reads: str
    right: frozenset[str]
    explained: frozenset[str] | None = None
    arguments: Mapping[str, Json] = field(default_factory=dict)

    def verdicts(self, *, explained: bool) -> frozenset[str]:
        """The verdicts that are right of it, with or without explained controls."""
        return self.explained if explained and self.explained is not None else self.right


def _simulated(name: str, right: str, arguments: Mapping[str, Json], explained: str | None = None) -> AskedObserver:
    return AskedObserver(
        name=name,
        model="veridical/simulated",
        reads="truth",
        right=frozenset({right}),
        explained=None if explained is None else frozenset({explained}),
        arguments=arguments,
    )


_COIN = dict.fromkeys(("ontological", "causal", "alarms", "alarms_explained"), 0.5)
_FEW = dict.fromkeys(("ontological", "causal"), 0.3)

OBSERVERS = (
    _simulated("perfect", WITHOUT_CONTROLS, {"mechanism": "perfect"}, SEES),
    _simulated("existence without mechanism", LAG, {"mechanism": "lag"}),
    _simulated("oddness", WITHOUT_CONTROLS, {"mechanism": "oddness"}, ODDNESS),
    _simulated("everything is odd", ODD, {"mechanism": "odd"}),
    _simulated("reciter: everything is possible", POSSIBLE, {"mechanism": "credulous"}),
    _simulated("notices three of ten", LITTLE, {"mechanism": "credulous", **_FEW}),
    _simulated("a coin", BLIND, {"mechanism": "credulous", **_COIN}),
    AskedObserver(name="words alone", model="veridical/text", reads="words", right=SIGHTLESS),
    AskedObserver(name="motion", model="veridical/motion", reads="pixels", right=SIGHTLESS),
)
"""The observers in the order of the page."""
