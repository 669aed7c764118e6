"""What is true of a clip in words: its answers, the events beside the true one as options, a rule judge's words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations
from typing import NamedTuple

import numpy as np

from veridical.errors import InputError
from veridical.records import Json
from veridical.suite.nuisances import entropy
from veridical.suites.hocabench.physics.film import Film, Shot
from veridical.suites.hocabench.physics.rendering.view import RENDERED
from veridical.suites.hocabench.physics.scene_index import hosts, scenes_in
from veridical.suites.hocabench.stimuli import SEVERAL
from veridical.suites.hocabench.taxonomy import SUB_TYPES

OPTIONS = 4
_GOLDEN = 0.6180339887498949
_SPREADS, _EVENNESS = {"flat": 0.02, RENDERED: 1.0}, 1e-4
"""The weights of many scenes per sub-type, and of many sets of options, beside that of equally frequent sub-types.

Scenes in three dimensions are few and host few rare sub-types together: without a larger weight, some would never be
used.
"""


_EVEN = 0.97
"""From what share of the most frequent sub-type's turns on those of another count as equally frequent."""


class SceneTurn(NamedTuple):
    """A scene, and the sub-types of the four events of it that stand as options; none where it is shown without."""

    scene: str
    sub_types: tuple[str, ...]


@lru_cache(maxsize=32)
def turns(
    sub_types: tuple[str, ...], scenes: tuple[str, ...] | None, style: str
) -> tuple[tuple[SceneTurn, float], ...]:
    """Every turn with how often it is used; for each sub-type, the sum over its turns is about 1.

    Where sub-types are left out, events of these stand beside the others as options and are never true.
    """
    from scipy.optimize import nnls

    kept = [scene for scene in scenes_in(style).values() if not scenes or scene.name in scenes]
    possible = [
        SceneTurn(scene.name, tuple(event.sub_type for event in four))
        for scene in kept
        for four in combinations(scene.events, OPTIONS)
        if any(event.sub_type in sub_types for event in four)
    ]
    places = [(scene.name, event.sub_type) for scene in kept for event in scene.events]
    holds = np.array([[float(name in turn.sub_types) for turn in possible] for name in sub_types])
    hosting = np.array(
        [[float(place == turn.scene and name in turn.sub_types) for turn in possible] for place, name in places]
    )
    rows = np.vstack([holds, np.sqrt(_SPREADS[style]) * hosting, np.sqrt(_EVENNESS) * np.eye(len(possible))])
    weights, _ = nnls(rows, np.concatenate([np.ones(len(holds)), np.zeros(len(rows) - len(holds))]))
    return tuple((turn, float(weight)) for turn, weight in zip(possible, weights, strict=True))


def turn_of(
    sub_type: str,
    seed: int,
    index: int,
    sub_types: Sequence[str],
    scenes: Sequence[str] | None,
    style: str = "flat",
) -> SceneTurn:
    """The turn of unit number `index` of a sub-type in a style; units that follow each other take the turns evenly.

    In each turn, its four sub-types are true equally often. Where scenes host them too unevenly for that, units of the
    rarer ones are shown without options in part, in all their scenes. Raises `InputError` where no scene hosts the
    sub-type.
    """
    whole = RENDERED if style == RENDERED else "flat"
    every = turns(tuple(sub_types), tuple(scenes) if scenes else None, whole)
    places = hosts(sub_type, scenes, whole)
    if not places:
        raise InputError(f"none of these scenes hosts {sub_type}")
    own = [(turn, weight) for turn, weight in every if sub_type in turn.sub_types and weight > 0]
    steps = [0.0, *accumulate(weight for _, weight in own)]
    most = max(sum(weight for turn, weight in every if name in turn.sub_types) for name in sub_types)
    share = steps[-1] / most if steps[-1] < _EVEN * most else 1.0
    start = np.random.default_rng(entropy(seed, sub_type, "turns")).random()
    at = (start + index * _GOLDEN) % 1.0
    if at >= share:
        return SceneTurn(places[min(int((at - share) / (1 - share) * len(places)), len(places) - 1)], ())
    return own[min(bisect_right(steps, at / share * steps[-1]) - 1, len(own) - 1)][0]


@dataclass(frozen=True, slots=True)
class ClipTruth:
    """A clip's label, category, sub-type and layer (`None` where they do not apply), and its truth in words."""

    label: str | None
    category: str
    sub_type: str | None
    layer: str | None
    truth: dict[str, Json]


def clip_truth(film: Film, seed: int, unit: str, turn: SceneTurn | None = None) -> ClipTruth:
    """What is true of a film; `turn` has the options of a single scene.

    The plausible courses of an event carry its sub-type too: they are its controls.
    """
    if film.layout != "single":
        odd = sorted(part.event.sub_type for part in film.parts if part.course == "violating")
        truth: dict[str, Json] = {"plausible": False, "sub_types": odd, "reference": None}
        return ClipTruth(",".join(odd) if film.layout == "panels" else None, SEVERAL, None, None, truth)
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
    if violating and turn is not None and turn.sub_types:
        truth |= options(part, turn, seed, unit)
    else:
        truth["control"] = part.text(part.event.control)
    if part.course == "explained":
        truth["explained_by"] = part.text(part.event.explained)
    return ClipTruth("No" if violating else "Yes", sub_type.domain, sub_type.name, sub_type.layer, truth)


def reference(part: Shot) -> dict[str, str]:
    """The reference answer in four parts: scene, anomaly, attribution, and the law with the normal course."""
    sub_type = SUB_TYPES[part.event.sub_type]
    return {
        "scene": part.text(part.scene.setup),
        "anomaly": part.text(part.event.claim),
        "attribution": sub_type.layer.capitalize(),
        "reasoning": f"It breaks the rule that {sub_type.law}. Normally, {part.text(part.event.normal)}.",
    }


def options(part: Shot, turn: SceneTurn, seed: int, unit: str) -> dict[str, Json]:
    """Four descriptions in random order: the true one, and events of other sub-types that the same scene hosts."""
    order = np.random.default_rng(entropy(seed, unit, "options")).permutation(len(turn.sub_types))
    names = [turn.sub_types[int(k)] for k in order]
    return {
        "options": [part.text(part.scene.event(name).claim) for name in names],
        "option": part.text(part.event.claim),
        "option_sub_types": names,
    }


def _rule(part: Shot) -> dict[str, Json]:
    return {
        "entities": [list(names) for names in part.scene.entities],
        "actions": list(part.scene.actions),
        "signs": list(part.event.signs),
        "law": list(SUB_TYPES[part.event.sub_type].law_names),
        "expected": list(part.event.expected),
    }
