"""Where things are in a scene: nouns, sizes and places, before any color.

Nouns do not depend on places, nor left on right: a scene is mirrored by the toss of a coin, and whatever stands on a
piece of furniture would fit on any other. So the words of a question do not give away where a thing is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from veridical.records import Box
from veridical.suites.magic.scenes.kinds import KINDS

FEWEST, MOST = 5, 14
"""How many things a scene may have."""
SMALL, LARGE = "small", "large"
Direction = Literal["left", "right", "front", "back"]

GAP = 0.016
"""The least gap between things, as a share of the picture's height."""
WIDE = 0.17
"""The width of a small thing, as a share of the picture's height, from which it is too wide to stand on furniture."""
HELD = tuple(name for name, kind in KINDS.items() if "surface" in kind.stands and kind.small * kind.aspect <= WIDE)
FLAT = tuple(name for name, kind in KINDS.items() if "table" in kind.stands)
"""What stands on furniture, and what lies on tables."""
TRIES = 24
"""How many places are tried for a thing."""


class CrowdedError(Exception):
    """The things do not fit; another try may do."""


@dataclass
class Spot:
    """A thing in the making; color and material are set by the questions, or at last at random."""

    kind: str
    size: str
    box: Box
    on: int | None = None
    color: str | None = None
    material: str | None = None


@dataclass
class LayoutNeeds:
    """What questions want of a layout: `alone` and `beside` are nouns of things on furniture, by themselves and in a
    pair; `extreme` a noun and where on the table it is farthest out; `twins` two things of one noun, of either size;
    `holders` is the least number of pieces of furniture with something on them.
    """

    alone: str | None = None
    beside: str | None = None
    extreme: tuple[str, Direction] | None = None
    twins: bool = False
    holders: int = 3


@dataclass
class Layout:
    """The things of a scene in its making, in a picture of `width` by `height` px."""

    kind: Literal["room", "table"]
    width: int
    height: int
    spots: list[Spot] = field(default_factory=list)
    extreme: Direction | None = None
    outermost: str | None = None
    beside: str | None = None

    def things_on(self, holder: int) -> list[int]:
        """The places of the things on a piece of furniture, from left to right."""
        held = [place for place, spot in enumerate(self.spots) if spot.on == holder]
        return sorted(held, key=lambda place: self.spots[place].box.x0)

    def free(self, box: Box) -> bool:
        """Whether a box is inside the picture and keeps its distance from all others.

        On a table the taller of two things sets the distance in depth, whichever is in front: so tall things are
        behind others no more often than in front of them.
        """
        gap = round(GAP * self.height)
        if box.x0 < gap or box.y0 < gap or box.x1 > self.width - gap or box.y1 > self.height - gap // 2:
            return False
        tall = box.y1 - box.y0
        for other in (spot.box for spot in self.spots):
            if box.x0 < other.x1 + gap and other.x0 < box.x1 + gap:
                deep = self.kind == "table" and abs(box.y1 - other.y1) < max(tall, other.y1 - other.y0) + gap
                if deep or (box.y0 < other.y1 + gap and other.y0 < box.y1 + gap):
                    return False
        return True


@lru_cache(maxsize=1024)
def sides(kind: str, size: str, height: int) -> tuple[int, int]:
    """Width and height in px of a thing of this noun and size in a picture of this height."""
    tall = (KINDS[kind].small if size == SMALL else KINDS[kind].large) * height
    return round(tall * KINDS[kind].aspect), round(tall)


def mirror(layout: Layout) -> Layout:
    """The layout with left and right exchanged."""
    for spot in layout.spots:
        x0, y0, x1, y1 = spot.box
        spot.box = Box(layout.width - x1, y0, layout.width - x0, y1)
    return layout


class PlacedThing(NamedTuple):
    """A thing in a scene: its noun, how it looks, its box in pixels, and the place of the thing that it stands on.

    `on` is `None` for what stands on the floor, hangs on the wall, or lies on the table top of a table scene.
    """

    kind: str
    color: str
    material: str
    size: str
    box: Box
    on: int | None = None


class SceneLayout(NamedTuple):
    """A whole scene of `width` by `height` px: its things from back to front, and the number of its backdrop."""

    kind: Literal["room", "table"]
    width: int
    height: int
    things: tuple[PlacedThing, ...]
    backdrop: int
