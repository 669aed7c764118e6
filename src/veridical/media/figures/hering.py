"""The parts of the Hering figure, a fan of lines and lines that bow, and of the Zöllner figure."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from veridical.media.draw import Curve, Line
from veridical.media.draw.scene import Colour, Point

_POINTS = 49


def fan(center: Point, radius: float, rays: int, phase: float, stroke: float, color: Colour) -> tuple[Line, ...]:
    """Lines through a center at even angles, with a hole in the middle where they would merge.

    >>> len(fan((50.0, 50.0), 40.0, 10, 0.0, 1.0, (0, 0, 0)))
    20
    """
    hole = 2.3 * stroke * rays / math.pi
    lines = []
    for k in range(2 * rays):
        angle = math.pi * (k + phase) / rays
        dx, dy = math.cos(angle), math.sin(angle)
        start, end = ((center[0] + r * dx, center[1] + r * dy) for r in (hole, radius))
        lines.append(Line(start, end, stroke, color))
    return tuple(lines)


def bowed_line(middle: Point, half: float, sagitta: float, stroke: float, color: Colour) -> Curve:
    """A horizontal line that bows by `sagitta` px in its middle; positive values bow downward.

    >>> bowed_line((10.0, 5.0), 4.0, 2.0, 1.0, (0, 0, 0)).points[24]
    (10.0, 7.0)
    """
    along = np.linspace(-1, 1, _POINTS)
    xs, ys = middle[0] + half * along, middle[1] + sagitta * (1 - along**2)
    return Curve(tuple(zip(xs.tolist(), ys.tolist(), strict=True)), stroke, color)


def tilted_line(middle: Point, half: float, degrees: float, stroke: float, color: Colour) -> Line:
    """A line through a middle with length `half` on either side; positive `degrees` raise its right end.

    >>> tilted_line((10.0, 10.0), 5.0, 0.0, 1.0, (0, 0, 0)).end
    (15.0, 10.0)
    """
    x, y = middle
    dx, dy = half * math.cos(math.radians(degrees)), -half * math.sin(math.radians(degrees))
    return Line((x - dx, y - dy), (x + dx, y + dy), stroke, color)


def hatch_lines(middles: Iterable[Point], length: float, degrees: float, stroke: float, color: Colour) -> list[Line]:
    """Short parallel strokes through the middles, with one length and tilt."""
    return [tilted_line(middle, length / 2, degrees, stroke, color) for middle in middles]
