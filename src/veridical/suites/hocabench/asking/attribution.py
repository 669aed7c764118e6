"""Attribution of an anomaly to a layer: one text of the rule, for models, judges and people."""

from __future__ import annotations

from typing import Literal

from veridical.records import Stimulus

Label = Literal["Ontological", "Causal"]
LABELS: dict[str, Label] = {"ontological": "Ontological", "causal": "Causal"}
"""The label of each layer, as replies and the truth have it."""

INTERACTION, DEFINITION = "interaction-first", "definition-first"
_LABELS = (
    "Ontological: a thing breaks with what it is: its own properties, its persistence, or what a living body can do. "
    "Causal: things interact, with each other or with a force such as gravity, heat or light, and the outcome breaks a "
    "law of nature."
)
RULES: dict[str, str] = {
    INTERACTION: (
        f"{_LABELS} First ask whether there is an interaction in which the odd thing happens. If there is one, the "
        "anomaly is Causal, even where a thing also breaks with what it is. If there is none, it is Ontological."
    ),
    DEFINITION: (
        f"{_LABELS} First ask whether a thing breaks with its own definition. If it does, the anomaly is Ontological, "
        "even in an interaction: a person who lifts a truck. If every thing is as it should be, it is Causal."
    ),
}
"""The rule at each level of the setting `attribution_rule`: one from B.7.3 of the paper, one from its 3.2."""


def differs(stimulus: Stimulus) -> bool:
    """Whether the two rules give an item different labels: a thing breaks with what it is, in an interaction."""
    return stimulus.factors.get("layer") == "ontological" and stimulus.truth.get("interaction") is True


def attribution_of(stimulus: Stimulus, rule: str) -> Label:
    """The true label of a violating clip by a rule, a level of the setting `attribution_rule`.

    It is that of the stimulus's reference answer, but Causal by `interaction-first` where the rules differ.
    """
    if rule == INTERACTION and differs(stimulus):
        return "Causal"
    return LABELS[stimulus.truth["reference"]["attribution"].lower()]
