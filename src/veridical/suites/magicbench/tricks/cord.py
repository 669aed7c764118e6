"""A rope, whole or in pieces, and the scissors that cut it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle
from veridical.media.figures.grain import lighter
from veridical.suites.magicbench.tricks.space import Layer

ROPES: dict[str, Colour] = {
    "white": (236, 232, 222),
    "yellow": (236, 200, 88),
    "sky": (140, 190, 226),
    "pink": (232, 160, 176),
}
WIDTH = 8.0
"""How thick a rope is, in units of the scene."""
_LAY = 9.5
"""How far apart the turns of its strands are."""


def length(points: Sequence[Point]) -> float:
    """The length of a polyline.

    >>> length([(0, 0), (3, 4), (3, 10)])
    11.0
    """
    return sum(math.dist(a, b) for a, b in pairwise(points))


def piece(points: Sequence[Point], start: float, end: float, step: float = 6.0) -> list[Point]:
    """The part of a polyline from one distance along it to another, as points `step` apart or nearer.

    >>> piece([(0, 0), (10, 0), (10, 10)], 5, 15, 5)
    [(5.0, 0.0), (10.0, 0.0), (10.0, 5.0)]
    """
    ways = np.cumsum([0.0, *(math.dist(a, b) for a, b in pairwise(points))])
    start, end = max(0.0, start), min(float(ways[-1]), end)
    spots = np.linspace(start, end, max(2, 1 + math.ceil((end - start) / step)))
    xs, ys = (np.interp(spots, ways, [point[k] for point in points]) for k in (0, 1))
    return [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]


def bezier(*corners: Point, steps: int = 10) -> list[Point]:
    """A smooth curve that goes from the first to the last of three points, and to the second on the way (Bézier)."""
    (x0, y0), (x1, y1), (x2, y2) = corners
    shares = [k / steps for k in range(steps + 1)]
    return [
        ((1 - s) ** 2 * x0 + 2 * s * (1 - s) * x1 + s * s * x2, (1 - s) ** 2 * y0 + 2 * s * (1 - s) * y1 + s * s * y2)
        for s in shares
    ]


def cord(entity: str, points: Sequence[Point], depth: float, color: Colour) -> Layer:
    """A piece of rope along a smooth polyline, without its ends."""

    def paint(brush: Brush) -> None:
        brush.curve(points, WIDTH + 2.4, lighter(color, -0.62))
        brush.curve(points, WIDTH, color)
        way, turns = 0.5 * _LAY, []
        for a, b in pairwise(points):
            long = math.dist(a, b)
            while way < long:
                ux, uy = (b[0] - a[0]) / long, (b[1] - a[1]) / long
                x, y = a[0] + way * ux, a[1] + way * uy
                turns.append(
                    ((x - 3 * ux - 3.4 * uy, y - 3 * uy + 3.4 * ux), (x + 3 * ux + 3.4 * uy, y + 3 * uy - 3.4 * ux))
                )
                way += _LAY
            way -= long
        for start, end in turns:
            brush.line(start, end, 1.3, lighter(color, -0.38))

    return Layer(depth, entity, paint)


def tip(entity: str, end: Point, inward: Point, depth: float, color: Colour, tape: Colour | None = None) -> Layer:
    """The end of a rope, where it comes from `inward`: bound with tape, or cut off."""
    long = math.dist(end, inward) or 1.0
    ux, uy = (end[0] - inward[0]) / long, (end[1] - inward[1]) / long

    def paint(brush: Brush) -> None:
        dark = lighter(color if tape is None else tape, -0.6)
        near, far = (-1.0, 2.0) if tape is None else (-9.0, 1.5)
        a, b = (end[0] + near * ux, end[1] + near * uy), (end[0] + far * ux, end[1] + far * uy)
        brush.line((a[0] - ux, a[1] - uy), (b[0] + 1.3 * ux, b[1] + 1.3 * uy), WIDTH + 3.0, dark)
        brush.line(a, b, WIDTH + 0.6, lighter(color, 0.5) if tape is None else tape)

    return Layer(depth + 0.01, entity, paint)


def scissors(pivot: Point, turn: float, opening: float, depth: float, lying: bool = False) -> list[Layer]:
    """Scissors whose blades point along `turn` (radians, 0 to the right), each blade `opening` away from it."""
    steel, grip = (196, 202, 210), (186, 44, 44)

    def at(angle: float, way: float, aside: float = 0.0) -> Point:
        c, s = math.cos(angle), math.sin(angle)
        return pivot[0] + way * c - aside * s, pivot[1] + way * s + aside * c

    def paint(brush: Brush) -> None:
        if lying:
            brush.veil(
                [(x + 3, y + 5) for x, y in (at(turn, -34, -14), at(turn, 44), at(turn, -34, 14))], (0, 0, 0), 0.3
            )
        rings = [circle(at(turn + side * opening, -27, -9.0 * side), 8.6, corners=16) for side in (1, -1)]
        bars = [[at(turn + side * opening, -2), at(turn + side * opening, -18, -4.0 * side)] for side in (1, -1)]
        for wide, tone in ((2.0, lighter(grip, -0.5)), (0.0, grip)):
            for ring, bar in zip(rings, bars, strict=True):
                brush.line(bar[0], bar[1], 4.5 + wide, tone)
                brush.curve([*ring, ring[0]], 3.6 + wide, tone)
        for side in (1, -1):
            blade = [(-4, -4.5 * side), (-4, 4.0 * side), (14, 4.0 * side), (46, 0.0), (14, -1.5 * side)]
            for wide, tone in ((1.3, lighter(steel, -0.6)), (0.0, lighter(steel, 0.1 * side))):
                edge = [(w + math.copysign(wide, w), v + math.copysign(wide, v)) for w, v in blade]
                brush.plain([at(turn + side * opening, w, v) for w, v in edge], tone)
        brush.plain(circle(pivot, 2.6, corners=12), lighter(steel, -0.5))

    return [Layer(depth, "scissors", paint)]
