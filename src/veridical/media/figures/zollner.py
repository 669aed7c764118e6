"""The parts of the Zöllner figure: long lines, and the short hatches that make them look tilted."""

from __future__ import annotations

import math
from collections.abc import Iterable

from veridical.media.draw import Line
from veridical.media.draw.scene import Colour, Point


def tilted(middle: Point, half: float, degrees: float, stroke: float, color: Colour) -> Line:
    """A line through a middle with length `half` on either side; positive `degrees` raise its right end.

    >>> tilted((10.0, 10.0), 5.0, 0.0, 1.0, (0, 0, 0)).end
    (15.0, 10.0)
    """
    x, y = middle
    dx, dy = half * math.cos(math.radians(degrees)), -half * math.sin(math.radians(degrees))
    return Line((x - dx, y - dy), (x + dx, y + dy), stroke, color)


def hatched(middles: Iterable[Point], length: float, degrees: float, stroke: float, color: Colour) -> list[Line]:
    """Short parallel strokes through the middles, with one length and tilt."""
    return [tilted(middle, length / 2, degrees, stroke, color) for middle in middles]
