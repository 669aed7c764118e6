"""Still liquids in upright vessels: levels from volumes, surfaces, streams; and motions with a soft start and end.

A volume is an area in the picture: all vessels are equally deep. A body is less deep, so it displaces a share of its
area.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush
from veridical.media.figures.grain import clip_polygon, lighter, mix_colors

GRAVITY = 1600.0
"""Free fall in units per second squared."""


class UprightBody(NamedTuple):
    """An upright body in a liquid: the y of its bottom, its height, and its width times its share of the depth."""

    bottom: float
    height: float
    width: float

    def below(self, level: float, floor: float) -> float:
        """The volume of the part between the surface at y = `level` and the floor of the vessel.

        >>> UprightBody(bottom=100, height=50, width=10).below(level=80, floor=200)
        200
        """
        return self.width * max(0.0, min(self.bottom, floor) - max(level, self.bottom - self.height))


def volume(floor: float, width: float, level: float, bodies: Iterable[UprightBody] = ()) -> float:
    """The liquid in an upright vessel whose surface stands at y = `level`: the space below it less the bodies in it.

    >>> volume(floor=200, width=100, level=150, bodies=[UprightBody(bottom=200, height=20, width=10)])
    4800
    """
    return (floor - level) * width - sum(body.below(level, floor) for body in bodies)


def level_of(floor: float, width: float, amount: float, bodies: Sequence[UprightBody] = ()) -> float:
    """The y of the surface of an amount of liquid in an upright vessel with bodies in it.

    >>> level_of(floor=200, width=100, amount=4800, bodies=[UprightBody(bottom=200, height=20, width=10)])
    150.0
    """
    level = floor - amount / width
    for _ in range(60):
        raised = floor - (amount + sum(body.below(level, floor) for body in bodies)) / width
        if raised == level:
            break
        level = raised
    return level


def area(points: Sequence[Point]) -> float:
    """The area of a polygon.

    >>> area([(0, 0), (4, 0), (0, 3)])
    6.0
    """
    turns = pairwise([*points, points[0]]) if points else ()
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in turns)) / 2


def level_in(outline: Sequence[Point], amount: float) -> float:
    """The y of the surface of an amount of liquid in a vessel of any outline, such as a tilted jug.

    >>> round(level_in([(0, 0), (10, 0), (10, 20), (0, 20)], 50), 3)
    15.0
    """
    low, high = min(y for _, y in outline), max(y for _, y in outline)
    for _ in range(30):
        middle = (low + high) / 2
        if area(clip_polygon(outline, (0.0, 1.0), middle)) > amount:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def ease(time: float, start: float, end: float) -> float:
    """How far a motion from `start` to `end` is, 0 to 1, with a soft start and end.

    >>> ease(1.5, 1, 2), ease(0, 1, 2), ease(5, 1, 2)
    (0.5, 0.0, 1.0)
    """
    share = min(1.0, max(0.0, (time - start) / (end - start)))
    return share * share * (3 - 2 * share)


def path(time: float, stations: Sequence[tuple[float, float, float]]) -> Point:
    """Where a thing is that goes from station to station; each is (time, x, y).

    >>> path(0.5, [(0, 0, 0), (1, 10, 20), (2, 10, 40)])
    (5.0, 10.0)
    """
    _, x, y = stations[0]
    for (start, _, _), (end, goal_x, goal_y) in pairwise(stations):
        share = ease(time, start, end)
        x, y = x + share * (goal_x - x), y + share * (goal_y - y)
    return x, y


def sink_distance(time: float, density: float) -> float:
    """How far a body of that density (water: 1) sinks in water within a time from rest, with drag, in units."""
    pull = GRAVITY * (1 - 1 / density) / (1 + 0.5 / density)
    fastest = 140 * math.sqrt(density - 1)
    return fastest**2 / pull * math.log(math.cosh(pull * time / fastest))


def swell(age: float, height: float = 7.0, period: float = 0.55) -> float:
    """The height of a standing wave that begins at age 0 and dies away; 0 before."""
    return height * math.exp(-age / 0.5) * math.sin(2 * math.pi * age / period) if age > 0 else 0.0


def surface(left: float, right: float, at: Callable[[float], float], steps: int = 24) -> list[Point]:
    """The points of a surface from left to right; `at` has the y at each share (0 to 1) of the way."""
    return [(left + (right - left) * k / steps, at(k / steps)) for k in range(steps + 1)]


def wavy(level: float, height: float) -> Callable[[float], float]:
    """A level surface with a standing wave on it, whose crests and troughs have the same volume."""
    return lambda share: level - height * math.cos(2 * math.pi * share)


def body_of_liquid(brush: Brush, top: Sequence[Point], floor: float, color: Colour) -> None:
    """The liquid below a surface, down to the floor of its vessel."""
    points = [*top, (top[-1][0], floor), (top[0][0], floor)]
    brush.polygon(points, color)
    brush.curve(top, 3, lighter(color, 0.55))


def front_of_liquid(brush: Brush, top: Sequence[Point], floor: float, color: Colour, strength: float = 0.3) -> None:
    """The tint of the liquid over what is in it."""
    brush.veil([*top, (top[-1][0], floor), (top[0][0], floor)], color, strength)


def vessel(brush: Brush, left: float, right: float, top: float, floor: float, wall: float = 6.0) -> None:
    """An open glass vessel, seen from the side; its inside is from `left` to `right` and down to `floor`."""
    glass = (120, 146, 160)
    outline = [(left - wall / 2, top), (left - wall / 2, floor + wall / 2)]
    outline += [(right + wall / 2, floor + wall / 2), (right + wall / 2, top)]
    brush.stroke(outline, wall, glass)
    for x in (left + 12, right - 16):
        brush.veil([(x, top + 14), (x + 5, top + 14), (x + 5, floor - 16), (x, floor - 16)], (255, 255, 255), 0.45)


def stream(brush: Brush, x: float, top: float, bottom: float, width: float, color: Colour) -> None:
    """A stream that falls; it becomes a little thinner on its way."""
    if bottom - top > 1:
        half = width / 2
        brush.plain([(x - half, top), (x + half, top), (x + 0.7 * half, bottom), (x - 0.7 * half, bottom)], color)
        brush.line((x - 0.3 * half, top), (x - 0.2 * half, bottom), 2, mix_colors(color, (255, 255, 255), 0.5))
