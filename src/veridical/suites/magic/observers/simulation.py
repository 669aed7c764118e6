"""Observers with a chosen mechanism: which boxes they look at, whether they answer right, and whether they heal.

Every relevant box is looked at with probability `relevant`, every other one with probability `adversarial`; a look is a
step that names the box and, on our scenes, says what is in it, falsely with probability `false_steps`. The answer is
right with probability `right`, and guessed among the answers that the question offers where the content of the relevant
boxes is not shown. A wrong beginning is healed with probability `heals`, times `unprompted` where nobody asks it to
correct mistakes; otherwise what is right is stated without a word about the mistake with probability `states`. A true
beginning is taken back with probability `takes_back`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from veridical.observers.simulation import require_within
from veridical.records import Trial
from veridical.suite.nuisances import entropy
from veridical.suite.observers import Simulation
from veridical.suites.magic.asking.healing import PROMPTED
from veridical.suites.magic.asking.step_checks import truth_of
from veridical.suites.magic.healing.prefixes import TRUE
from veridical.suites.magic.stimuli import StepClaim

_UNSEEN = ("blind", "relevant-masked")
"""Views in which what is in the relevant boxes is not shown."""
_COLORS = ("red", "blue", "green", "yellow")


@dataclass(frozen=True, kw_only=True)
class MagicMechanism:
    """Probabilities in [0, 1], as the module says.

    >>> SIMULATION.mechanism_of({"mechanism": "stubborn", "states": 0.5})[0].states
    0.5
    """

    relevant: float = 1.0
    adversarial: float = 0.0
    false_steps: float = 0.0
    right: float = 1.0
    heals: float = 1.0
    unprompted: float = 1.0
    states: float = 0.0
    takes_back: float = 0.0

    def __post_init__(self) -> None:
        require_within(self, "probability")


MECHANISMS = {
    "perfect": MagicMechanism(),
    "exhaustive": MagicMechanism(adversarial=1.0),
    "distracted": MagicMechanism(relevant=0.0, adversarial=1.0, right=0.0),
    "stubborn": MagicMechanism(heals=0.0),
    "overcorrecting": MagicMechanism(takes_back=1.0),
}
"""All is as it should be; every box is looked at; only those that do not matter are; no mistake is put right; what is
right is called a mistake, too."""


def _reply(mechanism: MagicMechanism, seed: int, trial: Trial, repeat: int) -> str:
    """The reply of an observer to a trial: a rationale with an answer, or how given reasoning goes on."""
    rng = np.random.default_rng(entropy(seed, trial.id, repeat))
    return _continuation(trial, mechanism, rng) if "prefix" in trial.expects else _rationale(trial, mechanism, rng)


def _rationale(trial: Trial, mechanism: MagicMechanism, rng: np.random.Generator) -> str:
    relevant = trial.expects.get("relevant", [])
    steps = ["I first take in the whole scene."]
    for number in range(1, trial.expects.get("boxes", 0) + 1):
        chance = mechanism.relevant if number in relevant else mechanism.adversarial
        if rng.random() < chance:
            steps.append(_look(trial, number, false=bool(rng.random() < mechanism.false_steps)))
    return f"{' '.join(steps)}\n\nAnswer: {_answer(trial, mechanism, rng)}"


def _look(trial: Trial, number: int, *, false: bool) -> str:
    """A step about a box; nothing is said of what is in it where the view may hide that."""
    graph = trial.expects.get("graph")
    thing = next((each for each in graph["things"] if each["number"] == number), None) if graph else None
    if thing is None or trial.settings.get("view", "").endswith("masked"):
        return f"I look at R{number}."
    color = next(each for each in _COLORS if each != thing["color"]) if false else thing["color"]
    return f"I look at R{number}, which shows the {thing['name']}, and it is {color}."


def _answer(trial: Trial, mechanism: MagicMechanism, rng: np.random.Generator) -> str:
    rule = trial.expects.get("rule") or {}
    right, others = str(trial.gold), [str(each) for each in rule.get("rivals", [])]
    if trial.settings.get("view") in _UNSEEN and others:
        return [right, *others][int(rng.integers(1 + len(others)))]
    if rng.random() < mechanism.right:
        return right
    return others[0] if others else "something else"


def _continuation(trial: Trial, mechanism: MagicMechanism, rng: np.random.Generator) -> str:
    expects, chance = trial.expects, rng.random()
    if expects["kind"] == TRUE:
        return _taken_back(expects["claims"]) if chance < mechanism.takes_back else "All of this helps me to answer."
    wrong: list[StepClaim] = [claim for claim in expects["claims"] if claim["value"] != claim["true"]]
    truths = [truth_of(claim) for claim in wrong]
    corrections = [str(each) for each in expects["corrections"]] or truths
    asked = trial.settings.get("correcting") == PROMPTED
    if not corrections or chance < 1 - mechanism.heals * (1.0 if asked else mechanism.unprompted):
        # Corrections say what is not so: stated silently is the truth alone, where the mistake is a claim that has one.
        silent = truths or corrections
        stated = bool(silent) and rng.random() < mechanism.states
        return " ".join(silent) if stated else "With this in mind, I can answer."
    return f"Wait, I made a mistake. {' '.join(corrections)}"


def _taken_back(claims: Sequence[StepClaim]) -> str:
    """The denial of something right."""
    looks = [claim for claim in claims if claim["kind"] in ("color", "material", "size") and claim["box"]]
    if looks:
        return f"Wait, I made a mistake. The {looks[0]['thing']} in R{looks[0]['box']} is not {looks[0]['true']}."
    return "Wait, I made a mistake in what I said before."


SIMULATION = Simulation(MECHANISMS, "perfect", _reply)
