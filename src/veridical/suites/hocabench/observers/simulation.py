"""Observers with a chosen mechanism: they notice anomalies of each layer with a probability, or call things odd.

An anomaly of a layer is noticed with probability `ontological` or `causal`; then every task about it is answered right.
One that is not noticed is called plausible, and the other tasks about it are guessed. A plausible clip is called odd
with probability `alarms`, one whose odd event is explained with probability `alarms_explained`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from veridical.observers.simulation import require_within
from veridical.records import Trial
from veridical.suite.nuisances import entropy
from veridical.suite.observers import Simulation
from veridical.suites.hocabench.asking.readers import DOMAIN, EXPLAINED, INTERVAL, PLAUSIBILITY, SEVERAL
from veridical.suites.hocabench.taxonomy import SUB_TYPES

NOTHING = "Scene: some things are shown.\nAnomaly: nothing odd.\nAttribution: none\nReasoning: all of it is plausible."


@dataclass(frozen=True, kw_only=True)
class HocabenchMechanism:
    """Probabilities in [0, 1]: of noticing an anomaly of each layer, and of calling a plausible clip odd.

    >>> SIMULATION.mechanism_of({"mechanism": "lag", "causal": 0.2})[0]
    HocabenchMechanism(ontological=1.0, causal=0.2, alarms=0.0, alarms_explained=0.0)
    """

    ontological: float = 0.0
    causal: float = 0.0
    alarms: float = 0.0
    alarms_explained: float = 0.0

    def __post_init__(self) -> None:
        require_within(self, "probability")

    def notices(self, layer: str, chance: float) -> bool:
        """Whether an anomaly of a layer is noticed, for a number drawn evenly from [0, 1)."""
        return chance < (self.ontological if layer == "ontological" else self.causal)


MECHANISMS = {
    "perfect": HocabenchMechanism(ontological=1.0, causal=1.0),
    "lag": HocabenchMechanism(ontological=1.0),
    "odd": HocabenchMechanism(ontological=1.0, causal=1.0, alarms=1.0, alarms_explained=1.0),
    "oddness": HocabenchMechanism(ontological=1.0, causal=1.0, alarms_explained=1.0),
    "credulous": HocabenchMechanism(),
}
"""All is seen; existence but not mechanism; everything is odd; what looks odd is odd, whatever explains it; nothing."""


def _reply(mechanism: HocabenchMechanism, seed: int, trial: Trial, repeat: int) -> str:
    # What is noticed is noticed in every task about the clip, in the same repeat.
    seen = np.random.default_rng(entropy(seed, trial.stimulus, repeat)).random(8).tolist()
    return reply_to(trial, mechanism, seen, np.random.default_rng(entropy(seed, trial.id, "guess")))


SIMULATION = Simulation(MECHANISMS, "perfect", _reply)


def reply_to(trial: Trial, mechanism: HocabenchMechanism, seen: Sequence[float], rng: np.random.Generator) -> str:
    """The reply of an observer to a trial; `seen` are numbers from [0, 1) that decide what it notices."""
    task, layer = trial.settings["task"], str(trial.factors.get("layer"))
    blind = trial.settings.get("sight") == "blind"
    noticed = not blind and mechanism.notices(layer, seen[0])
    if task == PLAUSIBILITY:
        alarm = mechanism.alarms_explained if trial.variant == "explained" else mechanism.alarms
        return "No" if (noticed if trial.gold == "No" else seen[1] < alarm) else "Yes"
    if task == SEVERAL:
        kept = [
            name
            for name, chance in zip((trial.gold or "").split(","), seen, strict=False)
            if not blind and mechanism.notices(SUB_TYPES[name].layer, chance)
        ]
        names: list[str] = trial.expects["names"]
        return "Answer: " + (", ".join(ascii_uppercase[names.index(name)] for name in kept) or "none")
    if task == INTERVAL:
        if noticed or (trial.variant == "sequence" and not blind and mechanism.ontological == mechanism.causal == 1):
            return "Answer: " + "; ".join(" to ".join(span.split("-")) for span in str(trial.gold).split(";"))
        start, end = sorted(rng.uniform(0, trial.expects["duration"], 2))
        return f"Answer: {start:.2f} to {end:.2f}"
    if task == EXPLAINED:
        return _explanation(trial) if noticed else NOTHING
    if not noticed:
        return f"Answer: {ascii_uppercase[int(rng.integers(len(trial.expects['options'])))]}"
    return f"Answer: {ascii_uppercase[trial.expects['names'].index(trial.gold)] if task == DOMAIN else trial.gold}"


def _explanation(trial: Trial) -> str:
    """A right explanation in the words of the scene that a clip of our own comes from."""
    from veridical.suites.hocabench.physics.scene_index import EVERY_SCENE

    scene, kind = EVERY_SCENE.get(str(trial.factors.get("scene"))), SUB_TYPES[str(trial.factors["sub_type"])]
    if scene is None:
        return NOTHING
    event = scene.event(kind.name)
    things = " and a ".join(names[0] for names in scene.entities)
    return (
        f"Scene: a {things}: {scene.actions[0]}.\nAnomaly: {event.signs[0]}.\nAttribution: {kind.layer.capitalize()}\n"
        f"Reasoning: it breaks the rule of {kind.law_names[0]}; normally one would see {event.expected[0]}."
    )
