"""Things of a hall where goods are moved: crates, a belt, a tunnel, apples."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import WIDTH, Brush, circle, rotate_points
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import STEEL, WOOD

RIB = 32.0
"""The distance of the ribs of a belt, in units."""
_RUBBER: Colour = (58, 60, 66)
_EDGE = 20.0


def crate_box(brush: Brush, centre: Point, half: float, turn: float, color: Colour) -> None:
    """A wooden crate with a rim and a slanting board, `half` units from its center to its sides."""
    x, y = centre
    brush.box(x - half, y - half, x + half, y + half, color, "wood", turn)
    rim, dark = half - 5, lighter(color, -0.32)
    corners = rotate_points([(x - rim, y - rim), (x + rim, y - rim), (x + rim, y + rim), (x - rim, y + rim)], turn)
    brush.line(corners[0], corners[2], 8, lighter(color, -0.18))
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        reach = 5 / math.hypot(end[0] - start[0], end[1] - start[1])
        dx, dy = reach * (end[0] - start[0]), reach * (end[1] - start[1])
        brush.line((start[0] - dx, start[1] - dy), (end[0] + dx, end[1] + dy), 10, dark)


def barrel(brush: Brush, foot: Point, half: float, color: Colour, share: float) -> None:
    """A barrel with two hoops, twice `half` high, or what lies between it (1) and a box (0)."""
    x, y = foot

    def wide(up: float) -> float:
        return half * (1 - share * (0.34 - 0.3 * math.sin(math.pi * up)))

    ups = [k / 12 for k in range(13)]
    left = [(x - wide(up), y - 2 * half * up) for up in ups]
    brush.polygon([*left, *((x + wide(up), y - 2 * half * up) for up in reversed(ups))], color)
    for stave in (-0.5, 0.0, 0.5):
        brush.curve([(x + stave * wide(up), y - 2 * half * up) for up in ups], 2.5, lighter(color, -0.25))
    for up in (0.16, 0.84):
        middle = y - 2 * half * up
        brush.line((x - wide(up), middle), (x + wide(up), middle), 3 + 6 * share, lighter(STEEL, -0.4))
    brush.plain(circle((x, y - 2 * half), wide(1.0), 1 + 7 * share), lighter(color, -0.35))


def belt_frame(brush: Brush, top: float) -> None:
    """The rollers and legs of a belt whose upper side lies at y = `top`."""
    left, right = -_EDGE, WIDTH + _EDGE
    for x in (60.0, 250.0, 440.0, 620.0):
        brush.box(x - 9, top + 30, x + 9, 380, lighter(STEEL, -0.3))
    brush.box(left, top + 10, right, top + 42, lighter(STEEL, 0.1))
    for k in range(12):
        x = 10 + 56.0 * k
        brush.plain(circle((x, top + 26), 8, None, 16), lighter(STEEL, -0.45))


def belt(brush: Brush, top: float, way: float) -> None:
    """The upper side of a ribbed rubber belt that has moved `way` units to the right; every fourth rib is yellow."""
    left, right = -_EDGE, WIDTH + _EDGE
    brush.plain([(left, top), (right, top), (right, top + 13), (left, top + 13)], _RUBBER)
    first = math.floor((left - way) / RIB) + 1
    for k in range(first, math.floor((right - way) / RIB) + 1):
        x = k * RIB + way
        color = (236, 190, 40) if k % 4 == 0 else (108, 110, 118)
        brush.line((x, top - 1), (x, top + 13), 9 if k % 4 == 0 else 5, color)


def tunnel(brush: Brush, mouth: float, top: float, belt_top: float, push: float, runs: bool) -> None:
    """A steel housing over the left end of a belt; its rubber strips hang at x = `mouth`, pushed out by 0 to 1.

    Its lamp is green while the belt runs, and red while it stands.
    """
    brush.box(-_EDGE, top, mouth, belt_top + 30, lighter(STEEL, 0.25))
    brush.box(-_EDGE, top, mouth + 6, top + 22, lighter(STEEL, -0.35))
    brush.box(mouth - 12, top + 22, mouth, belt_top + 30, lighter(STEEL, -0.1))
    for k in range(3):
        x = 8.0 + 44 * k
        brush.plain(
            [(x, belt_top - 26), (x + 18, belt_top - 26), (x + 36, belt_top), (x + 18, belt_top)], (236, 190, 40)
        )
    out = 24 * push
    for share, tone in ((1.0, 0.12), (0.45, -0.1)):
        swing, foot = share * out, belt_top - 3 - 0.35 * share * out
        strip = [(mouth, top + 22), (mouth + 8, top + 22), (mouth + 8 + swing, foot), (mouth + swing, foot)]
        brush.plain(strip, lighter(_RUBBER, tone))
    brush.box(mouth - 52, top - 26, mouth - 28, top, (70, 72, 78))
    brush.disc((mouth - 40, top - 26), 17, (64, 190, 84) if runs else (222, 52, 44))


def apple(brush: Brush, foot: Point, radius: float, color: Colour) -> None:
    """An apple with its stalk and a leaf, which stands at `foot`; it is two radii high without the stalk."""
    x, y = foot
    middle = y - radius
    brush.plain(
        [
            (x + 1.08 * radius * math.sin(at) * (1 - 0.12 * math.cos(at)), middle - radius * _waist(at))
            for at in (math.pi * k / 20 for k in range(40))
        ],
        color,
    )
    if radius < 16:
        brush.line((x, middle - 0.7 * radius), (x + 2, middle - 1.25 * radius), 2, (92, 62, 36))
        brush.disc((x - 0.35 * radius, middle - 0.35 * radius), 2.5, lighter(color, 0.5))
        return
    if brush.style != "flat":
        brush.disc((x - 0.42 * radius, middle - 0.3 * radius), 0.3 * radius, lighter(color, 0.28))
    brush.plain(circle((x, middle - 0.78 * radius), 0.3 * radius, 0.09 * radius), lighter(color, -0.4))
    stalk = [
        (x, middle - 0.78 * radius),
        (x + 0.03 * radius, middle - radius),
        (x + 0.12 * radius, middle - 1.24 * radius),
    ]
    brush.stroke(stalk, 0.09 * radius, (92, 62, 36))
    leaf = [(0.08, -1.06), (0.26, -1.26), (0.52, -1.3), (0.7, -1.2), (0.5, -1.08), (0.28, -1.02)]
    brush.plain([(x + u * radius, middle + v * radius) for u, v in leaf], (76, 148, 62))


def _waist(at: float) -> float:
    """The outline of an apple above its middle, at an angle from its top: dented above and below."""
    return math.cos(at) * (1 - 0.2 * math.cos(at) ** 8)


def apple_crate(brush: Brush, foot: Point, radius: float, color: Colour) -> None:
    """An open crate that is full of apples."""
    x, y = foot
    for k in (1, 3, 0, 2, 4):
        apple(brush, (x - 44 + 22 * k, y - 34 - (9 if k % 2 else 0)), radius, lighter(color, -0.1 if k % 2 else 0.06))
    for rise in (0, 24):
        brush.box(x - 60, y - 20 - rise, x + 60, y - rise, WOOD, "wood")
    for side in (-56, 56):
        brush.box(x + side - 6, y - 48, x + side + 6, y, lighter(WOOD, -0.3))
