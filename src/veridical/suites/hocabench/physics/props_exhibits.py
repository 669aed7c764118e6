"""Things that are shown on a stand: a triangle of three beams, a board before a ball, a vase."""

from __future__ import annotations

import math
from collections.abc import Sequence

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle
from veridical.media.figures.grain import clip_polygon, lighter
from veridical.media.figures.palette import WOOD

_HOLE = 2.3
"""The side of the hole of a triangle of beams, in units of a beam's width."""


def impossible_triangle(brush: Brush, centre: Point, size: float, color: Colour) -> None:
    """Three beams, each of which seems to pass behind the next (Penrose's triangle), `size` units high."""
    a = _HOLE
    face = [(0, 0), (a + 1, 0), (-2, a + 3), (-1, a + 3), (a + 3, -1), (0, -1)]
    for turn, tone in ((0, 0.35), (1, 0.0), (2, -0.42)):
        brush.plain(_placed(face, centre, size, turn), lighter(color, tone))


def solid_triangle(brush: Brush, centre: Point, size: float, color: Colour) -> None:
    """A frame of three beams with depth, `size` units high."""
    a, ahead, up = _HOLE, 0.085 * size, -0.0425 * size
    outer = _placed([(-2, -2), (a + 4, -2), (-2, a + 4)], centre, size, 0)
    hole = _placed([(0, 0), (a, 0), (0, a)], centre, size, 0)
    for k in range(3):
        sides = [(each[k], each[(k + 1) % 3]) for each in (outer, hole)]
        quads = [[*side, *((x + ahead, y + up) for x, y in reversed(side))] for side in sides]
        brush.plain(quads[0], lighter(color, -0.42))
        brush.plain(_within(quads[1], hole), lighter(color, 0.35))
    for k in range(3):
        one, two = k, (k + 1) % 3
        brush.plain([outer[one], outer[two], hole[two], hole[one]], color)


def _within(points: list[Point], convex: list[Point]) -> list[Point]:
    """The part of a polygon inside a convex one."""
    cx, cy = (sum(each) / len(convex) for each in zip(*convex, strict=True))
    for (x0, y0), (x1, y1) in zip(convex, [*convex[1:], convex[0]], strict=True):
        normal = (y0 - y1, x1 - x0)
        if (cx - x0) * normal[0] + (cy - y0) * normal[1] < 0:
            normal = (-normal[0], -normal[1])
        points = clip_polygon(points, normal, x0 * normal[0] + y0 * normal[1])
    return points


def _placed(corners: Sequence[Point], centre: Point, size: float, turn: int) -> list[Point]:
    """Corners on a grid of triangles, turned by thirds of a circle about the middle of the hole, as points."""
    unit = size / ((_HOLE + 5) * math.sqrt(0.75))
    angle = 2 * math.pi / 3 * turn
    points = []
    for u, v in corners:
        x, y = u + 0.5 * v - 0.5 * _HOLE, math.sqrt(0.75) * v - _HOLE / math.sqrt(12)
        points.append(
            (
                centre[0] + unit * (math.cos(angle) * x - math.sin(angle) * y),
                centre[1] - unit * (math.sin(angle) * x + math.cos(angle) * y),
            )
        )
    return points


def crate(brush: Brush, corner: Point, side: float, color: Colour, impossible: bool) -> None:
    """The twelve beams of an open crate whose front's upper left corner is `corner`.

    In an `impossible` one, beams of the back pass in front of beams of the front.
    """
    (x, y), (ahead, up), wide = corner, (0.4 * side, -0.34 * side), 0.12 * side
    front = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    back = [(px + ahead, py + up) for px, py in front]
    beams = [(back[k], back[(k + 1) % 4], -0.5) for k in range(4)]
    beams += [(one, two, -0.25) for one, two in zip(front, back, strict=True)]
    beams += [(front[k], front[(k + 1) % 4], 0.3) for k in range(4)]
    if impossible:
        beams += [(back[0], (back[0][0], y + 0.42 * side), -0.5), ((x + 0.72 * side, back[2][1]), back[2], -0.5)]
    for start, end, tone in beams:
        brush.line(start, end, wide + 3, lighter(color, -0.7))
        brush.line(start, end, wide, lighter(color, tone))
    for point in (*back, *front):
        brush.plain(circle(point, 0.62 * wide, corners=12), lighter(color, 0.3 if point in front else -0.5))


def canvas(brush: Brush, x0: float, y0: float, x1: float, y1: float) -> None:
    """A framed canvas on an easel that stands 30 units below it."""
    middle = (x0 + x1) / 2
    for x in (x0 + 14, middle, x1 - 14):
        brush.line((middle + 0.5 * (x - middle), y0), (x, y1 + 30), 7, lighter(WOOD, -0.35))
    brush.box(x0 - 9, y0 - 9, x1 + 9, y1 + 9, lighter(WOOD, -0.2), "wood")
    brush.plain([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], (250, 247, 238))


def planks(brush: Brush, x0: float, y0: float, x1: float, y1: float, marks: bool = True) -> None:
    """Boards of wood side by side, with knots and nails."""
    brush.box(x0, y0, x1, y1, WOOD, "wood")
    if marks:
        plank_marks(brush, x0, y0, x1, y1)


def plank_marks(brush: Brush, x0: float, y0: float, x1: float, y1: float) -> None:
    """The joints, knots and nails of boards."""
    dark = lighter(WOOD, -0.4)
    for k in range(5):
        x = x0 + k * (x1 - x0) / 4
        brush.line((x, y0), (x, y1), 2.5, dark)
        if k:
            brush.plain(circle((x - (x1 - x0) / 8, y0 + (0.25 + 0.37 * k % 0.6) * (y1 - y0)), 4, 9, 16), dark)
    brush.line((x0, y0 + 14), (x1, y0 + 14), 2, dark)
    brush.line((x0, y1 - 14), (x1, y1 - 14), 2, dark)


def vase(brush: Brush, foot: Point, color: Colour, cube: float) -> None:
    """A vase, 92 units high, or what lies between it and a cube (1)."""
    high = 92 + cube * (74 - 92)
    side: list[Point] = []
    for k in range(19):
        share = k / 18
        round_ = (
            15 + 25 * math.sin(math.pi * min(1.0, share / 0.72)) ** 0.9 if share < 0.72 else 15 + 30 * (share - 0.72)
        )
        side.append((round_ + cube * (37 - round_), share * high))
    x, y = foot
    brush.polygon(
        [*((x - wide, y - up) for wide, up in side), *((x + wide, y - up) for wide, up in reversed(side))], color
    )
    depth = 16 * max(0.0, (cube - 0.6) / 0.4)
    if depth > 1:
        top = y - high
        brush.plain(
            [(x - 37, top), (x + 37, top), (x + 37 + depth, top - depth), (x - 37 + depth, top - depth)],
            lighter(color, 0.3),
        )
        brush.plain(
            [(x + 37, top), (x + 37 + depth, top - depth), (x + 37 + depth, y - depth), (x + 37, y)],
            lighter(color, -0.35),
        )
    elif cube == 0:
        brush.plain(circle((x, y - high), side[-1][0], 4), lighter(color, -0.4))
        brush.line((x - 36, y - 42), (x + 36, y - 42), 5, lighter(color, 0.45))


def board(brush: Brush, ball_color: Colour, share: float, clear: bool, glass: bool) -> None:
    """A board of wood, and a ball that has rolled a share (0 to 1) of its way behind it, from x = 220 to 420.

    Where the board is `clear` the ball shows through the wood, or through a pane of `glass`.
    """
    x0, y0, x1, y1 = 254.0, 100.0, 386.0, 298.0
    ball = 220 + 200 * share, 258.0
    with brush.of("ball"):
        brush.shadow((ball[0], 296), 30, 5)
        brush.disc(ball, 36, ball_color)
    with brush.of("exhibit"):
        if glass:
            _window(brush, x0, y0, x1, y1)
            return
        planks(brush, x0, y0, x1, y1)
    if clear:
        with brush.of("ball"):
            brush.disc(ball, 36, ball_color)
        with brush.of("exhibit"):
            brush.veil([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], WOOD, 0.3)
            plank_marks(brush, x0, y0, x1, y1)


def _window(brush: Brush, x0: float, y0: float, x1: float, y1: float) -> None:
    """A board with a pane of glass in its lower half."""
    left, right, top, bottom = x0 + 12, x1 - 12, y0 + 90, y1 - 12
    for piece in ((x0, y0, x1, top), (x0, bottom, x1, y1), (x0, top, left, bottom), (right, top, x1, bottom)):
        planks(brush, *piece, marks=False)
    brush.veil([(left, top), (right, top), (right, bottom), (left, bottom)], (196, 228, 240), 0.4)
    for x in (left + 16, left + 34):
        brush.line((x, top + 34), (x + 26, top + 6), 4, (250, 252, 255))
    for y in (top, bottom):
        brush.line((left, y), (right, y), 5, lighter(WOOD, -0.45))
    for x in (left, right):
        brush.line((x, top), (x, bottom), 5, lighter(WOOD, -0.45))
    plank_marks(brush, x0, y0, x1, top - 4)
