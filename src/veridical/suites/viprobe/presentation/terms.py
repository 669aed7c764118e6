"""What VI-Probe calls its cases, factors and settings, the terms that its pages explain, and the facts of a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical.records import Json, Stimulus
from veridical.suite.unseen_regions import UNSEEN, UNSEEN_TERM
from veridical.suites.viprobe.illusions import CASES

CASE_TITLES: Mapping[str, str] = {name: case.title for name, case in CASES.items()}

NAMES: Mapping[str, str] = {
    **CASE_TITLES,
    "alpha": "α",
    "congruent": "congruent",
    "side": "side",
    "polarity": "question",
    "placement": "instruction stands in",
}
"""What families, factors and settings are called; what is not here is called by its own name."""

CONTEXT_NAMES: Mapping[str, str] = {
    "figure": "figures",
    "control": "controls",
    "clutter": "clutter",
    "hint": "figures with a hint",
}

ANSWERS: Mapping[str, str] = {"1": "yes", "0": "no"}

TERMS: Mapping[str, str] = {
    "O": "The original: an illusion figure as it is known, with nothing changed.",
    "P": "A perturbed figure: the original after a physical change of strength α.",
    "OC": "The control of an original: the same picture without what makes the illusion.",
    "PC": "The control of a perturbed figure: the same change, without what makes the illusion.",
    "OS": "An original amid clutter: the same targets and elements, strewn so that they make no illusion.",
    "PS": "A perturbed picture amid clutter.",
    "OH": "An original with a hint: a ruler that shows the unchanged measure.",
    "PH": "A perturbed figure with a hint.",
    "α": "The signed strength of a change; 1 is the strongest. Positive: the way of the illusory impression "
    "(congruent). Negative: against it (opposing).",
    "σ": "The noise with which changes are seen, as a standard deviation in units of α. Above 0.2, vision is weak.",
    "base item": "A figure with all pictures made from it. These are alike, so that intervals resample base items.",
    "weight": "How much of the evidence is on an explanation, among its rivals, in percent: by BIC, with the number of "
    "base items as n. A verdict that rests on a weight needs 95 %.",
    "2 Δ ln L": "Twice the difference of the log-likelihoods of two explanations: 6 and more is decisive.",
    "verdict": "What the replies say of the model. A rule applies only if the whole 95 % interval satisfies it.",
    "veridical": "Figures are seen as controls are: at most 10 points are lost, and no other explanation is better.",
    "weak vision": "Figures are seen as controls are, but with much noise, on controls as well.",
    "illusory percept": "Figures shift the change that looks like none, as an illusion does.",
    "loss on figures": "Changes that are seen on controls are missed on figures. Recall is one cause; pictures amid "
    "clutter, inducers alone and comparisons tell which.",
    "loss on figures and clutter": "Changes that are seen on controls are missed on figures and amid clutter: the loss "
    "is not bound to the known figure.",
    "memory override": "Nearly all changes are missed on figures, not amid clutter, and the inducers alone are called "
    "the figure.",
    "blind": "Blind or nearly so: strong changes move the answers by less than 30 points.",
    "language-limited or guessing": "The answers to opposite questions contradict each other in most pairs.",
    "inverted": "Answers are the opposite of what is there.",
    "mixed": "Cases decidedly have verdicts of different kinds.",
    "no model fits": "The replies lie further from every explanation than chance allows.",
    "undetermined": "More than one explanation fits.",
    "undetermined: answers missing": "Too many answers are missing for a verdict.",
    UNSEEN: UNSEEN_TERM,
}
"""What a page explains besides the measures: picture types, quantities, verdicts."""


def facts(stimulus: Stimulus) -> Sequence[tuple[str, Json, Json]]:
    """Name, intended and measured value: of what varies, in its unit; and what is true of the unchanged figure."""
    factor = stimulus.truth.get("factor")
    rows = [(str(factor), _value(stimulus.truth), _value(stimulus.measured))] if factor else []
    state = stimulus.truth.get("state")
    return [*rows, ("unchanged", state, None)] if state else rows


def _value(values: Json) -> Json:
    value, unit = values.get("value"), values.get("unit")
    return None if value is None else f"{round(value, 3) + 0.0:.6g} {unit or ''}".strip().replace("-", "−")
