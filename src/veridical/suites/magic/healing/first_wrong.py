"""The rule that finds the first wrong steps of a rationale about our scenes, and says what is so instead."""

from __future__ import annotations

import json
from collections.abc import Mapping

from veridical.judges.rubric import Shown
from veridical.records import Json
from veridical.suites.magic.claims import DISMISSED
from veridical.suites.magic.healing.heard import NO_GRAPH
from veridical.suites.magic.steps import checked
from veridical.suites.magic.stimuli import Claim

MOST_STEPS = 99
"""The highest number of a step that a verdict may name."""


def first_wrong(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict by the rubric "steps": the first stretch of steps that claim something false, and what is so."""
    facts: Mapping[str, Json] = json.loads(shown["facts"])
    if facts.get("graph") is None:
        return NO_GRAPH
    every = checked(facts["steps"], facts["graph"], facts["relevant"])
    if all(each.right is None for each in every):
        return "no step claims anything that a rule can check"
    first = next((number for number, each in enumerate(every, start=1) if each.right is False), 0)
    if first == 0 or first > MOST_STEPS:
        return {"justification": "no step that can be checked is wrong", "first": 0, "last": 0, "correction": ""}
    last = first
    while last < min(len(every), MOST_STEPS) and every[last].right is False:
        last += 1
    so = " ".join(truth_of(claim) for each in every[first - 1 : last] for claim in each.wrong)
    return {"justification": f"step {first} claims what is not so", "first": first, "last": last, "correction": so}


def truth_of(claim: Claim) -> str:
    """A sentence that says what is so where a claim is wrong.

    >>> truth_of({"kind": "color", "thing": "mug", "box": 3, "value": "green", "true": "red", "other": None})
    'The mug in R3 is red.'
    """
    thing = claim["thing"] + (f" in R{claim['box']}" if claim["box"] and claim["kind"] != "place" else "")
    if claim["kind"] == "place":
        return f"No box shows a {thing}." if claim["true"] == "none" else f"The {thing} is in {claim['true']}."
    if claim["kind"] == "relation":
        preposition = f"to the {claim['true']}" if claim["true"] in ("left of", "right of") else claim["true"]
        return f"The {thing} is {preposition} the {claim['other']}."
    return f"R{claim['box']} matters." if claim["kind"] == DISMISSED else f"The {thing} is {claim['true']}."
