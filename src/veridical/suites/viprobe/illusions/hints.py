"""What hints are made of: thin neutral rulers."""

from __future__ import annotations

import math
from functools import lru_cache

from veridical.media.draw import Line
from veridical.media.draw.scene import Colour, Point
from veridical.suites.viprobe.illusions.case import HINT

_DASH, _GAP = 5.0, 3.0


@lru_cache(maxsize=1024)
def dashes(start: Point, end: Point, width: float, colour: Colour = HINT) -> tuple[Line, ...]:
    """A dashed line between two points, dashes of five widths and gaps of three.

    All pictures of a base item have the same, which are made once.

    >>> len(dashes((0, 0), (80, 0), 2))
    5
    """
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def at(distance: float) -> Point:
        return start[0] + along[0] * distance, start[1] + along[1] * distance

    step = (_DASH + _GAP) * width
    count = math.ceil(length / step)
    return tuple(Line(at(k * step), at(min(k * step + _DASH * width, length)), width, colour) for k in range(count))
