"""Where things are: rooms with furniture that holds things, and table tops; nouns and places, before any color.

Nouns do not depend on places, nor left on right: a scene is mirrored by the toss of a coin, and whatever stands on a
piece of furniture would fit on any other. So the words of a question do not give away where a thing is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from veridical.records import Box
from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.graph import ASIDE, DEPTH
from veridical.suites.magic.scenes.kinds import KINDS
from veridical.suites.magic.scenes.turns import mixed

FEWEST, MOST = 5, 14
"""How many things a scene may have."""
SMALL, LARGE = "small", "large"
Direction = Literal["left", "right", "front", "back"]

_GAP = 0.016
WIDE = 0.17
"""The width of a small thing, as a share of the picture's height, from which it is too wide to stand on furniture."""
HELD = tuple(name for name, kind in KINDS.items() if "surface" in kind.stands and kind.small * kind.aspect <= WIDE)
FLAT = tuple(name for name, kind in KINDS.items() if "table" in kind.stands)
"""What stands on furniture, and what lies on tables."""
_STANDING = tuple(name for name, kind in KINDS.items() if "floor" in kind.stands and not kind.holds)
_HANGING = tuple(name for name, kind in KINDS.items() if "wall" in kind.stands)
_TRIES = 24
_STRETCH = 1.75
"""How much wider than usual furniture may be."""
_HUNG = 0.5
"""The lowest place of the foot of what hangs on the wall, as a share of the picture's height."""
_HIGH = 0.08
"""How far above anything else a thing hangs, as a share of the picture's height: it does not seem to stand on it."""
_ACROSS: dict[Direction, Direction] = {"left": "right", "right": "left"}


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
class Wanted:
    """What questions want of a layout: `alone` and `beside` are nouns of things on furniture, by themselves and in a
    pair; `extreme` a noun and where on the table it is farthest out; `twins` two things of one noun, of either size.
    """

    alone: str | None = None
    beside: str | None = None
    extreme: tuple[str, Direction] | None = None
    twins: bool = False


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

    def on(self, holder: int) -> list[int]:
        """The places of the things on a piece of furniture, from left to right."""
        held = [place for place, spot in enumerate(self.spots) if spot.on == holder]
        return sorted(held, key=lambda place: self.spots[place].box.x0)

    def free(self, box: Box) -> bool:
        """Whether a box is inside the picture and keeps its distance from all others.

        On a table the taller of two things sets the distance in depth, whichever is in front: so tall things are
        behind others no more often than in front of them.
        """
        gap = round(_GAP * self.height)
        if box.x0 < gap or box.y0 < gap or box.x1 > self.width - gap or box.y1 > self.height - gap // 2:
            return False
        tall = box.y1 - box.y0
        for other in (spot.box for spot in self.spots):
            if box.x0 < other.x1 + gap and other.x0 < box.x1 + gap:
                deep = self.kind == "table" and abs(box.y1 - other.y1) < max(tall, other.y1 - other.y0) + gap
                if deep or (box.y0 < other.y1 + gap and other.y0 < box.y1 + gap):
                    return False
        return True


def room(nuisances: Nuisances, width: int, height: int, count: int, wanted: Wanted) -> Layout:
    """A room of `count` things: on one piece of furniture one thing, on another two, on a third what fits.

    Raises `CrowdedError` where they do not fit.
    """
    layout = Layout("room", width, height, beside=wanted.beside)
    holders = 3 if count >= 9 and nuisances.between(0, 1) < 0.4 else 2
    _furniture(layout, nuisances, holders)
    reserved = {noun for noun in (wanted.alone, wanted.beside) if noun}
    nouns = [noun for noun in mixed(nuisances, HELD) if noun not in reserved]
    _put(layout, nuisances, 0, [wanted.alone or nouns.pop()])
    _put(layout, nuisances, 1, mixed(nuisances, [wanted.beside or nouns.pop(), nouns.pop()]))
    left = count - len(layout.spots) - 2 * wanted.twins
    if holders == 3 and left > 0:
        most = min(left, _capacity(layout, 2), 3)
        _put(layout, nuisances, 2, [nouns.pop() for _ in range(1 + int(nuisances.between(0, most)))][:most])
    if wanted.twins:
        _stand_twins(layout, nuisances)
    _strew(layout, nuisances, count)
    return _mirrored(layout) if nuisances.between(0, 1) < 0.5 else layout


def table(nuisances: Nuisances, width: int, height: int, count: int, wanted: Wanted) -> Layout:
    """A table top with `count` things, those farther away first. Raises `CrowdedError` where they do not fit."""
    layout = Layout("table", width, height)
    nouns = mixed(nuisances, FLAT)
    if wanted.extreme:
        layout.outermost, layout.extreme = wanted.extreme
        nouns.remove(layout.outermost)
        _outermost(layout, nuisances, layout.outermost)
    sizes = [nuisances.one_of((SMALL, SMALL, LARGE)) for _ in range(count)]
    kinds = [nouns.pop() for _ in range(min(count - len(layout.spots), len(nouns)))]
    if wanted.twins:
        kinds[1], sizes[:2] = kinds[0], mixed(nuisances, (SMALL, LARGE))
    for k, kind in enumerate(kinds):
        strict = wanted.twins and k < 2
        _lay(layout, nuisances, kind, sizes[k], strict=strict)
    if len(layout.spots) != count:
        raise CrowdedError
    layout.spots.sort(key=lambda spot: spot.box.y1)
    if nuisances.between(0, 1) < 0.5:
        layout.extreme = _ACROSS.get(layout.extreme, layout.extreme) if layout.extreme else None
        return _mirrored(layout)
    return layout


@lru_cache(maxsize=1024)
def sides(kind: str, size: str, height: int) -> tuple[int, int]:
    """Width and height in px of a thing of this noun and size in a picture of this height."""
    tall = (KINDS[kind].small if size == SMALL else KINDS[kind].large) * height
    return round(tall * KINDS[kind].aspect), round(tall)


@lru_cache(maxsize=16)
def _widest(height: int) -> int:
    return max(sides(kind, SMALL, height)[0] for kind in HELD)


def _furniture(layout: Layout, nuisances: Nuisances, holders: int) -> None:
    """Furniture side by side on the floor, each wide enough for any two small things."""
    least = 2 * _widest(layout.height) + 3 * round(_GAP * layout.height)
    gap = round(_GAP * layout.height)
    wide = [
        (kind, size)
        for kind in mixed(nuisances, [name for name, kind in KINDS.items() if kind.holds])
        for size in mixed(nuisances, (SMALL, LARGE))[:1]
        if sides(kind, size, layout.height)[0] * _STRETCH >= least
    ][:holders]
    boxes = [sides(kind, size, layout.height) for kind, size in wide]
    widths = [max(least, box[0]) for box in boxes]
    room = layout.width - 2 * gap - sum(widths)
    cuts = sorted(nuisances.between(0, 1) for _ in range(holders))
    spare = room - gap * (holders - 1)
    if len(wide) < holders or spare < 0:
        raise CrowdedError
    x = gap
    for k, (kind, size) in enumerate(wide):
        start = x + round(spare * cuts[k])
        base = round(layout.height * nuisances.between(0.78, 0.83))
        layout.spots.append(Spot(kind, size, Box(start, base - boxes[k][1], start + widths[k], base)))
        x += widths[k] + gap
    layout.spots = mixed(nuisances, layout.spots)


def _capacity(layout: Layout, holder: int) -> int:
    box, gap = layout.spots[holder].box, round(_GAP * layout.height)
    return (box.x1 - box.x0 - gap) // (_widest(layout.height) + gap)


def _put(layout: Layout, nuisances: Nuisances, holder: int, kinds: Sequence[str]) -> None:
    """Things side by side on a piece of furniture; a thing by itself may be large where there is room."""
    box, gap = layout.spots[holder].box, round(_GAP * layout.height)
    sizes = [SMALL] * len(kinds)
    large = sides(kinds[0], LARGE, layout.height)
    if len(kinds) == 1 and nuisances.between(0, 1) < 0.5 and large[0] + 2 * gap < box.x1 - box.x0:
        sizes = [LARGE]
    boxes = [sides(kind, size, layout.height) for kind, size in zip(kinds, sizes, strict=True)]
    spare = box.x1 - box.x0 - gap * (len(kinds) + 1) - sum(width for width, _ in boxes)
    cuts = sorted(nuisances.between(0, 1) for _ in kinds)
    x = box.x0 + gap
    for kind, size, (width, height), cut in zip(kinds, sizes, boxes, cuts, strict=True):
        start = x + int(spare * cut)
        layout.spots.append(Spot(kind, size, Box(start, box.y0 - height, start + width, box.y0), holder))
        x += width + gap


def _stand_twins(layout: Layout, nuisances: Nuisances) -> None:
    """Two things of one noun, of either size, on the floor or on the wall."""
    used = {spot.kind for spot in layout.spots}
    kind = nuisances.one_of([kind for kind in (*_STANDING, *_HANGING) if kind not in used])
    for size in mixed(nuisances, (SMALL, LARGE)):
        if not _place_in_room(layout, nuisances, kind, size):
            raise CrowdedError


def _strew(layout: Layout, nuisances: Nuisances, count: int) -> None:
    """Fills up with things on the floor and on the wall."""
    used = {spot.kind for spot in layout.spots}
    for kind in mixed(nuisances, [kind for kind in (*_STANDING, *_HANGING) if kind not in used]):
        if len(layout.spots) >= count:
            break
        sizes = mixed(nuisances, (SMALL, LARGE))
        any(_place_in_room(layout, nuisances, kind, size) for size in sizes)
    if len(layout.spots) != count:
        raise CrowdedError


def _place_in_room(layout: Layout, nuisances: Nuisances, kind: str, size: str) -> bool:
    """Tries to place a thing on the floor or on the wall, whichever is its own; whether it fitted."""
    width, height = sides(kind, size, layout.height)
    low, high = (0.78, 0.985) if kind in _STANDING else (0.05 + height / layout.height, _HUNG)
    for _ in range(_TRIES):
        x = round(nuisances.between(0, layout.width - width))
        base = round(layout.height * nuisances.between(low, max(low, high)))
        box = Box(x, base - height, x + width, base)
        if layout.free(box) and layout.free(_reach(layout, box, kind)):
            layout.spots.append(Spot(kind, size, box))
            return True
    return False


def _reach(layout: Layout, box: Box, kind: str) -> Box:
    """The box with the room that it keeps: below what hangs, and above what stands and is as tall as that."""
    high = round(_HIGH * layout.height)
    if kind not in _STANDING:
        return box._replace(y1=box.y1 + high)
    return box._replace(y0=box.y0 - high) if box.y0 < _HUNG * layout.height + high else box


def _outermost(layout: Layout, nuisances: Nuisances, kind: str) -> None:
    """The thing that is to be farthest out on the table, near the edge of the picture."""
    size = nuisances.one_of((SMALL, SMALL, LARGE))
    width, height = sides(kind, size, layout.height)
    across, along = nuisances.between(0.02, 0.98), nuisances.between(0.4, 0.97)
    x = {"left": 0.02, "right": 0.98}.get(layout.extreme or "", across) * (layout.width - width)
    base = {"front": 0.97, "back": 0.37}.get(layout.extreme or "", along) * layout.height
    box = Box(round(x), round(base) - height, round(x) + width, round(base))
    layout.spots.append(Spot(kind, size, box))


def _lay(layout: Layout, nuisances: Nuisances, kind: str, size: str, *, strict: bool) -> None:
    """Lays a thing on the table, small where there is no room for a large one, unless that is `strict`."""
    for tried in (size,) if strict or size == SMALL else (size, SMALL):
        width, height = sides(kind, tried, layout.height)
        for _ in range(_TRIES):
            x = round(nuisances.between(0, layout.width - width))
            base = round(layout.height * nuisances.between(0.37, 0.97))
            box = Box(x, base - height, x + width, base)
            if layout.free(box) and _within(layout, box):
                layout.spots.append(Spot(kind, tried, box))
                return
    raise CrowdedError


def _within(layout: Layout, box: Box) -> bool:
    """Whether the outermost thing stays the outermost beside this box."""
    if layout.extreme is None:
        return True
    far, aside, depth = layout.spots[0].box, ASIDE * layout.width, DEPTH * layout.height
    return {
        "left": box.x0 >= far.x1 + aside,
        "right": box.x1 <= far.x0 - aside,
        "front": box.y1 <= far.y1 - depth,
        "back": box.y1 >= far.y1 + depth,
    }[layout.extreme]


def _mirrored(layout: Layout) -> Layout:
    for spot in layout.spots:
        x0, y0, x1, y1 = spot.box
        spot.box = Box(layout.width - x1, y0, layout.width - x0, y1)
    return layout
