"""Rooms: furniture side by side, what stands on it, and what stands on the floor or hangs on the wall."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from veridical.records import Box
from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.kinds import KINDS
from veridical.suites.magic.scenes.layout import (
    GAP,
    HELD,
    LARGE,
    SMALL,
    TRIES,
    CrowdedError,
    Layout,
    LayoutNeeds,
    Spot,
    mirror,
    sides,
)
from veridical.suites.magic.scenes.turns import shuffle

_STANDING = tuple(name for name, kind in KINDS.items() if "floor" in kind.stands and not kind.holds)
_HANGING = tuple(name for name, kind in KINDS.items() if "wall" in kind.stands)
_STRETCH = 1.75
"""How much wider than usual furniture may be."""
_HUNG = 0.5
"""The lowest place of the foot of what hangs on the wall, as a share of the picture's height."""
_HIGH = 0.08
"""How far above anything else a thing hangs, as a share of the picture's height: it does not seem to stand on it."""


def room(nuisances: Nuisances, width: int, height: int, count: int, wanted: LayoutNeeds) -> Layout:
    """A room of `count` things: on one piece of furniture one thing, on another two, on a third what fits.

    Raises `CrowdedError` where they do not fit.
    """
    layout = Layout("room", width, height, beside=wanted.beside)
    holders = 3 if count >= 9 and nuisances.between(0, 1) < 0.4 else 2
    _furniture(layout, nuisances, holders)
    reserved = {noun for noun in (wanted.alone, wanted.beside) if noun}
    nouns = [noun for noun in shuffle(nuisances, HELD) if noun not in reserved]
    _put(layout, nuisances, 0, [wanted.alone or nouns.pop()])
    _put(layout, nuisances, 1, shuffle(nuisances, [wanted.beside or nouns.pop(), nouns.pop()]))
    left = count - len(layout.spots) - 2 * wanted.twins
    if holders == 3 and left > 0:
        most = min(left, _capacity(layout, 2), 3)
        _put(layout, nuisances, 2, [nouns.pop() for _ in range(1 + int(nuisances.between(0, most)))][:most])
    if wanted.twins:
        _stand_twins(layout, nuisances)
    _strew(layout, nuisances, count)
    return mirror(layout) if nuisances.between(0, 1) < 0.5 else layout


def _furniture(layout: Layout, nuisances: Nuisances, holders: int) -> None:
    """Furniture side by side on the floor, each wide enough for any two small things."""
    least = 2 * _widest(layout.height) + 3 * round(GAP * layout.height)
    gap = round(GAP * layout.height)
    wide = [
        (kind, size)
        for kind in shuffle(nuisances, [name for name, kind in KINDS.items() if kind.holds])
        for size in shuffle(nuisances, (SMALL, LARGE))[:1]
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
    layout.spots = shuffle(nuisances, layout.spots)


def _capacity(layout: Layout, holder: int) -> int:
    box, gap = layout.spots[holder].box, round(GAP * layout.height)
    return (box.x1 - box.x0 - gap) // (_widest(layout.height) + gap)


def _put(layout: Layout, nuisances: Nuisances, holder: int, kinds: Sequence[str]) -> None:
    """Things side by side on a piece of furniture; a thing by itself may be large where there is room."""
    box, gap = layout.spots[holder].box, round(GAP * layout.height)
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
    for size in shuffle(nuisances, (SMALL, LARGE)):
        if not _place_in_room(layout, nuisances, kind, size):
            raise CrowdedError


def _strew(layout: Layout, nuisances: Nuisances, count: int) -> None:
    """Fills up with things on the floor and on the wall."""
    used = {spot.kind for spot in layout.spots}
    for kind in shuffle(nuisances, [kind for kind in (*_STANDING, *_HANGING) if kind not in used]):
        if len(layout.spots) >= count:
            break
        sizes = shuffle(nuisances, (SMALL, LARGE))
        any(_place_in_room(layout, nuisances, kind, size) for size in sizes)
    if len(layout.spots) != count:
        raise CrowdedError


def _place_in_room(layout: Layout, nuisances: Nuisances, kind: str, size: str) -> bool:
    """Tries to place a thing on the floor or on the wall, whichever is its own; whether it fitted."""
    width, height = sides(kind, size, layout.height)
    low, high = (0.78, 0.985) if kind in _STANDING else (0.05 + height / layout.height, _HUNG)
    for _ in range(TRIES):
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


@lru_cache(maxsize=16)
def _widest(height: int) -> int:
    return max(sides(kind, SMALL, height)[0] for kind in HELD)
