"""Which scene hosts a sub-type's next unit, and which other events of it stand beside the true one as options.

The four options of a unit are events of one scene. If each set of four is used equally often for each of its four
events, the options alone do not tell which of them happens. Sub-types are to occur equally often, too, and each in
several scenes. Least squares weigh these three aims; the solution is unique.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations
from typing import NamedTuple

import numpy as np

from veridical.errors import InputError
from veridical.suite.nuisances import entropy
from veridical.suites.hocabench.physics.scenes import SCENES

OPTIONS = 4
_GOLDEN = 0.6180339887498949
_SPREAD, _EVENNESS = 0.02, 1e-4
"""The weights of many scenes per sub-type, and of many sets of options, beside that of equally frequent sub-types."""


class Turn(NamedTuple):
    """A scene, and the sub-types of the four events of it that stand as options."""

    scene: str
    sub_types: tuple[str, ...]


@lru_cache(maxsize=32)
def turns(sub_types: tuple[str, ...], scenes: tuple[str, ...] | None) -> tuple[tuple[Turn, float], ...]:
    """Every turn with how often it is used; for each sub-type, the sum over its turns is about 1.

    Where sub-types are left out, events of these stand beside the others as options and are never true.
    """
    from scipy.optimize import nnls

    kept = [scene for scene in SCENES.values() if not scenes or scene.name in scenes]
    possible = [
        Turn(scene.name, tuple(event.sub_type for event in four))
        for scene in kept
        for four in combinations(scene.events, OPTIONS)
        if any(event.sub_type in sub_types for event in four)
    ]
    places = [(scene.name, event.sub_type) for scene in kept for event in scene.events]
    holds = np.array([[float(name in turn.sub_types) for turn in possible] for name in sub_types])
    hosts = np.array(
        [[float(place == turn.scene and name in turn.sub_types) for turn in possible] for place, name in places]
    )
    rows = np.vstack([holds, np.sqrt(_SPREAD) * hosts, np.sqrt(_EVENNESS) * np.eye(len(possible))])
    weights, _ = nnls(rows, np.concatenate([np.ones(len(holds)), np.zeros(len(rows) - len(holds))]))
    return tuple((turn, float(weight)) for turn, weight in zip(possible, weights, strict=True))


def turn_of(sub_type: str, seed: int, index: int, sub_types: Sequence[str], scenes: Sequence[str] | None) -> Turn:
    """The turn of unit number `index` of a sub-type; units that follow each other take the turns evenly.

    Raises `InputError` where no scene hosts the sub-type.
    """
    own = [(turn, weight) for turn, weight in turns(tuple(sub_types), tuple(scenes) if scenes else None)]
    own = [(turn, weight) for turn, weight in own if sub_type in turn.sub_types and weight > 0]
    if not own:
        raise InputError(f"none of these scenes hosts {sub_type}")
    steps = list(accumulate(weight for _, weight in own))
    start = np.random.default_rng(entropy(seed, sub_type, "turns")).random()
    at = (start + index * _GOLDEN) % 1.0 * steps[-1]
    return own[min(bisect_right(steps, at), len(own) - 1)][0]
