"""Things of a home that scenes share: a wall with a window, a plant, a ceiling, a rope."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import FLOOR

WALLS: dict[str, Colour] = {"cream": (232, 224, 204), "sky": (206, 220, 230), "sage": (208, 220, 204)}
"""Colors of walls by name."""
_BEYOND = 20.0


def walls(brush: Brush, floor: float, wall: Colour, ground: Colour = FLOOR, material: str = "wood") -> None:
    """A wall with a skirting and, from y = `floor` down, a floor; both reach beyond the frame."""
    left, right = -_BEYOND, WIDTH + _BEYOND
    brush.plain([(left, -_BEYOND), (right, -_BEYOND), (right, floor), (left, floor)], wall)
    brush.box(left, floor, right, HEIGHT + _BEYOND, ground, material)
    brush.plain([(left, floor - 9), (right, floor - 9), (right, floor), (left, floor)], lighter(wall, 0.5))
    brush.line((left, floor), (right, floor), 2, lighter(ground, -0.3))


def ceiling(brush: Brush, bottom: float, color: Colour = (250, 248, 244)) -> None:
    """The underside of a ceiling, down to y = `bottom`."""
    left, right = -_BEYOND, WIDTH + _BEYOND
    brush.plain([(left, -_BEYOND), (right, -_BEYOND), (right, bottom), (left, bottom)], color)
    brush.line((left, bottom), (right, bottom), 3, (164, 160, 152))


def window(brush: Brush, x: float, y: float, width: float = 84.0, height: float = 96.0) -> None:
    """A window whose upper left corner is at (x, y)."""
    brush.plain([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], (104, 116, 130))
    for column in (0, 1):
        for row in (0, 1):
            x0, y0 = x + 5 + column * (width / 2 - 1.5), y + 5 + row * (height / 2 - 1.5)
            x1, y1 = x0 + width / 2 - 8.5, y0 + height / 2 - 8.5
            brush.plain([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], (238, 246, 252))


def plant(brush: Brush, x: float, floor: float, tall: float = 96.0) -> None:
    """A pot plant that stands at (x, floor)."""
    brush.shadow((x, floor + 2), 30, 5)
    for lean in (-0.45, 0.0, 0.45):
        tip = (x + tall * math.sin(lean), floor - 40 - tall * math.cos(lean) * 0.7)
        middle = ((x + tip[0]) / 2 + 6, (floor - 40 + tip[1]) / 2)
        brush.plain(_leaf((x, floor - 38), middle, tip), (62, 128, 74) if lean else (50, 110, 62))
    pot = [(x - 22, floor - 44), (x + 22, floor - 44), (x + 15, floor), (x - 15, floor)]
    brush.polygon(pot, (182, 92, 58), "stone")


def rope(brush: Brush, start: Point, end: Point, color: Colour = (120, 88, 52), width: float = 3.0) -> None:
    """A taut rope or string between two points, with a knot at its end."""
    brush.line(start, end, width, color)
    brush.plain([(end[0] + 4 * math.cos(a), end[1] + 4 * math.sin(a)) for a in _SIXTHS], lighter(color, -0.2))


_SIXTHS = [k * math.pi / 3 for k in range(6)]


def _leaf(root: Point, middle: Point, tip: Point) -> list[Point]:
    dx, dy = tip[0] - root[0], tip[1] - root[1]
    size = math.hypot(dx, dy)
    nx, ny = -dy / size * 11, dx / size * 11
    return [root, (middle[0] + nx, middle[1] + ny), tip, (middle[0] - nx, middle[1] - ny)]
