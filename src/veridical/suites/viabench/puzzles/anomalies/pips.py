"""Patterns of pips on dice and dominoes, and the same with one pip too few or too many."""

from __future__ import annotations

from veridical.media.draw.scene import Point

_CORNERS: tuple[Point, ...] = ((-1, -1), (1, -1), (-1, 1), (1, 1))
_SIDES: tuple[Point, ...] = ((0, -1), (-1, 0), (1, 0), (0, 1))
_PATTERNS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: _CORNERS,
    5: (*_CORNERS, (0, 0)),
    6: (*_CORNERS, (-1, 0), (1, 0)),
}


def pattern(value: int, more: int = 0, which: int = 0) -> tuple[Point, ...]:
    """The places of pips in a square from -1 to 1: the pattern of a value from 1 to 6, less or plus one pip.

    `which`, from 0 to 3, chooses the corner that stays empty, or the side on which a pip is added. The middle is added
    to a six.

    >>> len(pattern(5)), len(pattern(5, -1)), len(pattern(6, 1))
    (5, 4, 7)
    """
    classic = _PATTERNS[value]
    if more < 0:
        return tuple(place for place in classic if place != _CORNERS[which])
    if more > 0:
        return (*classic, (0, 0) if value == 6 else _SIDES[which])
    return classic
