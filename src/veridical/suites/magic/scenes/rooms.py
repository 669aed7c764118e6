"""Rooms: furniture side by side, what stands on it, and what stands on the floor or hangs on the wall."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from veridical.records import Box
from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.kinds import KINDS
from veridical.suites.magic.scenes.layout import (
    GAP,
    HELD,
    LARGE,
    MOST,
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
_FURNITURE = 4
"""How many pieces of furniture fit a room."""
_SPARE, _SECOND = 0.2, 0.4
"""How often there is a piece of furniture, and a second thing on one, that no question needs."""
_ELSEWHERE = 2
"""The least number of things on the floor and on the wall."""
_STRETCH = 1.75
"""How much wider than usual furniture may be."""
_HUNG = 0.5
"""The lowest place of the foot of what hangs on the wall, as a share of the picture's height."""
_HIGH = 0.08
"""How far above anything else a thing hangs, as a share of the picture's height: it does not seem to stand on it."""


def room(nuisances: Nuisances, width: int, height: int, count: int, wanted: LayoutNeeds) -> Layout:
    """A room of `count` things, or of as many as the questions need: on each piece of furniture one thing or two.

    The first piece holds a single thing; where two are wanted beside each other, the second and the third hold two.
    Raises `CrowdedError` where they do not fit.
    """
    layout = Layout("room", width, height, beside=wanted.beside)
    holders = wanted.holders + (wanted.holders < _FURNITURE and not wanted.beside and nuisances.between(0, 1) < _SPARE)
    held = [1, *(2 if wanted.beside and k < 3 else 1 for k in range(1, holders))]
    least = holders + sum(held) + _ELSEWHERE
    count = count if count >= least else least + int(nuisances.between(0, MOST - least + 1))
    _furniture(layout, nuisances, held)
    for holder in range(1, holders):
        room_left = sum(held) + holders + _ELSEWHERE < count and _capacity(layout, holder) > 1
        if held[holder] == 1 and room_left and nuisances.between(0, 1) < _SECOND:
            held[holder] = 2
    reserved = {noun for noun in (wanted.alone, wanted.beside) if noun}
    nouns = [noun for noun in shuffle(nuisances, HELD) if noun not in reserved]
    for holder, (number, named) in enumerate(zip_longest(held, (wanted.alone, wanted.beside))):
        kinds = [named or nouns.pop(), *(nouns.pop() for _ in range(1, number))]
        _put(layout, nuisances, holder, shuffle(nuisances, kinds))
    if wanted.twins:
        _stand_twins(layout, nuisances)
    _strew(layout, nuisances, count)
    return mirror(layout) if nuisances.between(0, 1) < 0.5 else layout


def _furniture(layout: Layout, nuisances: Nuisances, held: Sequence[int]) -> None:
    """Furniture side by side on the floor, each wide enough for any so many small things."""
    gap = round(GAP * layout.height)
    # Three pieces are as wide as each other at least, so that their widths do not tell what a question is about.
    most = max(held) if len(held) < _FURNITURE else 0
    least = [max(most, number) * (_widest(layout.height) + gap) + gap for number in held]
    for _ in range(TRIES):
        pieces = _pieces(layout, nuisances, least)
        spare = layout.width - gap * (len(held) + 1) - sum(piece.width for piece in pieces)
        if len(pieces) == len(held) and spare >= 0:
            break
    else:
        raise CrowdedError
    cuts = sorted(nuisances.between(0, 1) for _ in held)
    x, spots = gap, {}
    for cut, place in zip(cuts, shuffle(nuisances, range(len(held))), strict=True):
        kind, size, width, height = pieces[place]
        start, base = x + round(spare * cut), round(layout.height * nuisances.between(0.78, 0.83))
        spots[place] = Spot(kind, size, Box(start, base - height, start + width, base))
        x += width + gap
    layout.spots += [spots[place] for place in range(len(held))]


class _Piece(NamedTuple):
    """A piece of furniture: its noun, its size, and its width and height in px."""

    kind: str
    size: str
    width: int
    height: int


def _pieces(layout: Layout, nuisances: Nuisances, least: Sequence[int]) -> list[_Piece]:
    """Furniture at random, no two of a noun, stretched to the least widths; fewer where not all can be."""
    pieces: list[_Piece] = []
    for kind in shuffle(nuisances, [name for name, kind in KINDS.items() if kind.holds]):
        size = nuisances.one_of((SMALL, LARGE))
        width, height = sides(kind, size, layout.height)
        if len(pieces) < len(least) and width * _STRETCH >= least[len(pieces)]:
            pieces.append(_Piece(kind, size, max(width, least[len(pieces)]), height))
    return pieces


def _capacity(layout: Layout, holder: int) -> int:
    box, gap = layout.spots[holder].box, round(GAP * layout.height)
    return (box.x1 - box.x0 - gap) // (_widest(layout.height) + gap)


def _put(layout: Layout, nuisances: Nuisances, holder: int, kinds: Sequence[str]) -> None:
    """Things side by side on a piece of furniture; each may be large where there is room."""
    box, gap = layout.spots[holder].box, round(GAP * layout.height)
    room = box.x1 - box.x0 - gap * (len(kinds) + 1)
    boxes, sizes = [sides(kind, SMALL, layout.height) for kind in kinds], [SMALL] * len(kinds)
    for place in shuffle(nuisances, range(len(kinds))):
        large = sides(kinds[place], LARGE, layout.height)
        others = sum(width for k, (width, _) in enumerate(boxes) if k != place)
        if nuisances.between(0, 1) < 0.5 and large[0] + others <= room:
            boxes[place], sizes[place] = large, LARGE
    spare = room - sum(width for width, _ in boxes)
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
