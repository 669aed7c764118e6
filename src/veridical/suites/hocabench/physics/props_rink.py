"""Things of a curling rink: the hall, a stone and its mirror image in the ice, a rough mat."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import WIDTH, Brush, circle
from veridical.media.figures.grain import clip_polygon, lighter, mix_colors

STONE_HALF = 45.0
"""Half the width of a stone, in units."""
ICE: Colour = (206, 228, 242)
_GRANITE: Colour = (98, 100, 108)
_MAT: Colour = (150, 106, 62)
_EDGE = 20.0
_BOARD, _RIM = 226.0, 180.0
_SHIRTS: tuple[Colour, ...] = ((196, 84, 72), (86, 128, 176), (222, 190, 96), (112, 152, 104), (150, 110, 160))


def rink(brush: Brush, wall: Colour, stripe: Colour, house: Point) -> None:
    """Ice with a house of rings, behind it a hoarding and spectators."""
    left, right = -_EDGE, WIDTH + _EDGE
    brush.box(left, -_EDGE, right, _BOARD, wall)
    brush.box(left, 44, right, 62, lighter(wall, -0.3))
    for k in range(4):
        brush.plain([(60 + 160 * k, 16), (124 + 160 * k, 16), (116 + 160 * k, 30), (68 + 160 * k, 30)], (250, 244, 214))
    for k in range(9):
        x, y = 18 + 75.0 * k, 142.0 - 14 * (k % 2)
        brush.plain([(x - 26, 200), (x - 19, y + 22), (x + 19, y + 22), (x + 26, 200)], lighter(_SHIRTS[k % 5], -0.15))
        brush.disc((x, y), 16, ((226, 178, 144), (190, 140, 104))[k % 2])
        brush.plain(circle((x, y - 7), 16, 10, 16), ((74, 50, 36), (40, 34, 32), (190, 150, 80))[k % 3])
    brush.box(left, _RIM, right, _BOARD, (240, 242, 244))
    brush.box(left, _RIM + 16, right, _RIM + 28, stripe)
    brush.box(left, _BOARD, right, 380, ICE)
    brush.line((left, _BOARD), (right, _BOARD), 3, (128, 140, 152))
    for radius, color in ((172, (70, 118, 190)), (118, (240, 247, 252)), (64, (206, 66, 60)), (20, (240, 247, 252))):
        brush.plain(circle(house, radius, 0.25 * radius), mix_colors(color, ICE, 0.3))


def rough_mat(brush: Brush, left: float, top: float, bottom: float) -> None:
    """A thick mat of bristles that lies on the ice from x = `left` on."""
    right = WIDTH + _EDGE
    brush.plain([(left, top), (right, top), (right, bottom + 7), (left, bottom + 7)], lighter(_MAT, -0.4))
    brush.box(left, top, right, bottom, _MAT)
    for row in range(4):
        for k in range(11):
            x, y = left + 10 + 25 * k + 12 * (row % 2), top + 16 + (bottom - top - 20) * row / 3
            if x < right:
                brush.line((x, y), (x + 5 - 3 * (k % 3), y - 12), 4, lighter(_MAT, -0.32 if (k + row) % 2 else 0.3))
    for k in range(13):
        y = top + (bottom - top) * k / 12
        brush.line((left + 3, y), (left - 7, y + 2 - 4 * (k % 2)), 3, lighter(_MAT, -0.2))


def _body(foot: Point, low: float, high: float) -> list[Point]:
    """The round outline of a stone between two heights; heights below 0 mirror it."""
    x, y = foot
    points = []
    for k in range(36):
        at = 2 * math.pi * k / 36
        u, v = math.cos(at), math.sin(at)
        wide = math.copysign(abs(u) ** 0.5, u) * STONE_HALF
        points.append((x + wide, y - (low + high) / 2 + math.copysign(abs(v) ** 0.7, v) * (high - low) / 2))
    return points


def stone(brush: Brush, foot: Point, color: Colour) -> None:
    """A curling stone with a lid and a handle in its color, 74 units high."""
    x, y = foot
    brush.polygon(_body(foot, 0, 44), _GRANITE, "stone")
    brush.plain([(x - 45, y - 26), (x + 45, y - 26), (x + 45, y - 19), (x - 45, y - 19)], lighter(_GRANITE, 0.35))
    brush.plain(circle((x, y - 44), 34, 8), color)
    brush.stroke([(x - 16, y - 46), (x - 14, y - 66), (x + 26, y - 68)], 13, color)
    brush.line((x - 12, y - 69), (x + 26, y - 71), 3, lighter(color, 0.45))


def mirrored_stone(brush: Brush, foot: Point, color: Colour, until: float) -> None:
    """The mirror image of a stone in the ice, a little shortened, left of x = `until`."""
    x, y = foot
    dim, lid = mix_colors(_GRANITE, ICE, 0.68), mix_colors(color, ICE, 0.5)
    bar = [(-22, 46), (32, 48), (32, 57), (-22, 56)]
    neck = [(-22, 36), (-9, 36), (-9, 52), (-22, 52)]
    outline = [(u, 0.8 * v) for u, v in _body((0.0, 0.0), -44, 0)]
    for points, tone in ((neck, lid), (bar, lid), (circle((0, 35), 34, 6), lid), (outline, dim)):
        brush.plain(clip_polygon([(x + u, y + v) for u, v in points], (-1.0, 0.0), -until), tone)
