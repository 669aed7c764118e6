"""The graph of a scene: what its things are, and which relations between them are beyond doubt.

A relation follows from the boxes, with a margin; where the margin is not met, neither the relation nor its opposite is
stated. Of two things that do not stand clear of each other, nothing is stated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from veridical.records import Box, Json
from veridical.suites.magic.scenes.layout import SceneLayout

OPPOSITE = {
    "left of": "right of",
    "right of": "left of",
    "above": "below",
    "below": "above",
    "in front of": "behind",
    "behind": "in front of",
}
"""The relations with the one that holds the other way round; "on" has none."""
ON = "on"
ASIDE = 0.02
"""The least gap between two things that are left and right of each other, as a share of the picture's width."""
CLEAR = 0.02
"""The least gap between two things that are above and below each other, as a share of the picture's height."""
DEPTH = 0.07
"""The least distance between the feet of things in front of and behind each other, as a share of the height."""
IN_LINE = 0.5
"""The least share of the narrower thing's width that things above, or in front of, each other have in common."""


class Relation(NamedTuple):
    """The place of the first thing, what it is to the second, and the place of the second."""

    first: int
    name: str
    second: int


class Graph:
    """The things of a scene in their order, and their relations."""

    def __init__(self, setting: SceneLayout) -> None:
        self.setting = setting
        self.things = setting.things

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """All relations that are beyond doubt, both ways, in the order of the things."""
        boxes = [thing.box for thing in self.things]
        by_pair = relations_between(boxes, self.setting.width, self.setting.height, self.setting.kind)
        by_pair |= {(k, thing.on): ON for k, thing in enumerate(self.things) if thing.on is not None}
        return tuple(Relation(first, name, second) for (first, second), name in sorted(by_pair.items()))

    @cached_property
    def by_pair(self) -> dict[tuple[int, int], str]:
        """The relation of each pair that has one."""
        return {(each.first, each.second): each.name for each in self.relations}

    def unique(self, place: int) -> bool:
        """Whether no other thing has this thing's noun."""
        return self._counts[self.things[place].kind] == 1

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(thing.kind for thing in self.things)

    def facts(self, numbers: dict[int, int]) -> dict[str, Json]:
        """The graph as it is stored with a question; `numbers` are those of the marked boxes, by the thing's place."""
        things = [
            {
                "name": thing.kind,
                "color": thing.color,
                "material": thing.material,
                "size": thing.size,
                "box": list(thing.box),
                "number": numbers.get(place),
            }
            for place, thing in enumerate(self.things)
        ]
        return {"things": things, "relations": [list(each) for each in self.relations]}


def relations_between(boxes: Sequence[Box], width: int, height: int, kind: str) -> dict[tuple[int, int], str]:
    """The relations of all pairs of boxes, by the places of the two."""
    if len(boxes) < 2:
        return {}
    x0, y0, x1, y1 = np.array(boxes, float).T
    left = x1[:, None] + ASIDE * width <= x0
    shared = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    in_line = shared >= IN_LINE * np.minimum(x1 - x0, (x1 - x0)[:, None])
    far = y1[:, None] + (CLEAR * height) <= y0 if kind == "room" else y1[:, None] + DEPTH * height <= y1
    over = "above" if kind == "room" else "behind"
    by_pair = {}
    for name, holds in (("left of", left), (over, far & in_line & ~left & ~left.T)):
        for first, second in zip(*(axis.tolist() for axis in np.nonzero(holds)), strict=True):
            by_pair[first, second] = name
            by_pair[second, first] = OPPOSITE[name]
    return by_pair
