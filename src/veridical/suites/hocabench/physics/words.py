"""What is true of a clip in words: the answer to each task, and what a rule judge looks for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veridical.records import Json
from veridical.suite.nuisances import entropy
from veridical.suites.hocabench.physics.film import Film, Part
from veridical.suites.hocabench.physics.turns import Turn
from veridical.suites.hocabench.taxonomy import SUB_TYPES

QUESTION = "Could what this clip shows happen in the real world?"
YES, NO = "Yes", "No"
SEVERAL = "several"


@dataclass(frozen=True, slots=True)
class Described:
    """A clip's label, category, sub-type and layer (`None` where they do not apply), and its truth in words."""

    label: str | None
    category: str
    sub_type: str | None
    layer: str | None
    truth: dict[str, Json]


def described(film: Film, seed: int, unit: str, turn: Turn | None = None) -> Described:
    """What is true of a film; `turn` has the options of a single scene.

    The plausible courses of an event carry its sub-type too: they are its controls.
    """
    if film.layout != "single":
        odd = sorted(part.event.sub_type for part in film.parts if part.course == "violating")
        truth: dict[str, Json] = {"plausible": False, "sub_types": odd, "reference": None}
        return Described(",".join(odd) if film.layout == "panels" else None, SEVERAL, None, None, truth)
    (part,) = film.parts
    sub_type = SUB_TYPES[part.event.sub_type]
    violating = part.course == "violating"
    truth = {
        "plausible": not violating,
        "sub_types": [sub_type.name] if violating else [],
        "shows": part.text(part.scene.setup),
        "interaction": part.event.interaction,
    }
    if violating:
        truth |= {"reference": reference(part), "rule": _rule(part)}
    if violating and turn is not None:
        truth |= options(part, turn, seed, unit)
    else:
        truth["control"] = part.text(part.event.control)
    if part.course == "explained":
        truth["explained_by"] = part.text(part.event.explained)
    return Described(NO if violating else YES, sub_type.domain, sub_type.name, sub_type.layer, truth)


def reference(part: Part) -> dict[str, str]:
    """The reference answer in four parts: scene, anomaly, attribution, and the law with the normal course."""
    sub_type = SUB_TYPES[part.event.sub_type]
    return {
        "scene": part.text(part.scene.setup),
        "anomaly": part.text(part.event.claim),
        "attribution": sub_type.layer.capitalize(),
        "reasoning": f"It breaks the rule that {sub_type.law}. Normally, {part.text(part.event.normal)}.",
    }


def options(part: Part, turn: Turn, seed: int, unit: str) -> dict[str, Json]:
    """Four descriptions in random order: the true one, and events of other sub-types that the same scene hosts."""
    order = np.random.default_rng(entropy(seed, unit, "options")).permutation(len(turn.sub_types))
    names = [turn.sub_types[int(k)] for k in order]
    return {
        "options": [part.text(part.scene.event(name).claim) for name in names],
        "option": part.text(part.event.claim),
        "option_sub_types": names,
    }


def _rule(part: Part) -> dict[str, Json]:
    return {
        "entities": [list(names) for names in part.scene.entities],
        "actions": list(part.scene.actions),
        "signs": list(part.event.signs),
        "law": list(SUB_TYPES[part.event.sub_type].law_names),
        "expected": list(part.event.expected),
    }
