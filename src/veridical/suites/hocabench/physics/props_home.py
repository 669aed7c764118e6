"""Things of a home: walls with a window, plants, ropes; flames, thermometers, clocks, taps, bubbles."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush, circle, rotate_points
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import FLOOR, STEEL

WALLS: dict[str, Colour] = {"cream": (232, 224, 204), "sky": (206, 220, 230), "sage": (208, 220, 204)}
"""Colors of walls by name."""
_BEYOND = 20.0
RED: Colour = (206, 40, 40)
_PALE: Colour = (206, 208, 212)
_INK: Colour = (40, 40, 44)


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


def bar(brush: Brush, start: Point, end: Point, width: float, color: Colour) -> None:
    """A straight stroke as a polygon, which is painted faster than a line where many move."""
    across = math.atan2(end[1] - start[1], end[0] - start[0]) + math.pi / 2
    dx, dy = width / 2 * math.cos(across), width / 2 * math.sin(across)
    ends = [(start[0] + dx, start[1] + dy), (end[0] + dx, end[1] + dy)]
    brush.plain([*ends, (end[0] - dx, end[1] - dy), (start[0] - dx, start[1] - dy)], color)


def flame(brush: Brush, foot: Point, width: float, height: float, phase: float, gas: bool = False) -> None:
    """A tongue of flame that stands on `foot` and flickers with `phase`; a gas flame is blue at its foot."""
    x, y = foot
    sway = 0.16 * width * math.sin(phase)
    for share, color in ((1.0, (242, 128, 30)), (0.62, (255, 206, 70))):
        half, high = share * width / 2, share * height * (1 + 0.08 * math.sin(1.7 * phase))
        left = [(x - half, y - 0.28 * high), (x - 0.6 * half + 0.5 * sway, y - 0.62 * high), (x + sway, y - high)]
        right = [(x + 0.6 * half + 0.5 * sway, y - 0.62 * high), (x + half, y - 0.28 * high)]
        brush.plain([(x - 0.5 * half, y), *left, *right, (x + 0.5 * half, y)], color)
    if gas:
        brush.plain(circle((x, y - 3), 0.3 * width, min(6.0, 0.12 * height), 12), (70, 130, 235))


def smoke(brush: Brush, foot: Point, age: float, color: Colour = (110, 110, 112)) -> None:
    """Puffs of smoke that rise from `foot`; they thin out with their age in seconds."""
    for k in range(4):
        rise = 26 * k + 60 * age
        at = (foot[0] + 9 * math.sin(2.1 * k + 2 * age), foot[1] - rise)
        brush.veil(circle(at, 9 + 3 * k + 6 * age, None, 16), color, max(0.0, 0.5 - 0.08 * k - 0.22 * age))


def wall_thermometer(brush: Brush, x: float, top: float, celsius: float) -> None:
    """A thermometer for rooms, from 0 to 45 °C, with its reading in figures."""
    brush.box(x - 24, top, x + 24, top + 162, (250, 248, 240))
    brush.stroke([(x - 6, top + 20), (x - 6, top + 112)], 10, _PALE)
    brush.line((x - 6, top + 118), (x - 6, top + 110 - 2.2 * celsius), 6, RED)
    brush.disc((x - 6, top + 122), 9, RED)
    for mark in range(4):
        brush.line((x + 4, top + 110 - 22 * mark), (x + 16, top + 110 - 22 * mark), 2, (80, 80, 84))
    brush.text((x, top + 148), f"{celsius:.0f} °C", 17, _INK)


def probe(brush: Brush, x: float, top: float, bottom: float, celsius: float) -> None:
    """A thermometer that stands in a liquid, from 0 to 100 °C, with its reading in figures on top."""
    brush.stroke([(x, top), (x, bottom)], 14, (248, 248, 246))
    bar(brush, (x, bottom), (x, bottom - 10 - (bottom - top - 16) * celsius / 100), 6, RED)
    brush.disc((x, bottom), 9, RED)
    brush.box(x - 41, top - 34, x + 41, top - 4, _INK)
    brush.text((x, top - 19), f"{celsius:.0f} °C", 22, (255, 236, 160))


def clock_face(brush: Brush, centre: Point, radius: float) -> None:
    """A wall clock without its hands."""
    brush.disc(centre, radius, _INK)
    brush.plain(circle(centre, radius - 5), (250, 249, 244))
    for k in range(12):
        at = 2 * math.pi * k / 12
        one, two = ((centre[0] + r * math.sin(at), centre[1] - r * math.cos(at)) for r in (radius - 13, radius - 7))
        brush.line(one, two, 2.5, _INK)


def clock_hands(brush: Brush, centre: Point, radius: float, minutes: float) -> None:
    """The hands of a wall clock, so many minutes past ten."""
    for share, turn, width in ((0.46, (10 + minutes / 60) / 12, 5.0), (0.74, minutes / 60, 3.5)):
        at = 2 * math.pi * turn
        end = (centre[0] + share * radius * math.sin(at), centre[1] - share * radius * math.cos(at))
        bar(brush, centre, end, width, _INK)


def tap(brush: Brush, mouth: Point, left: bool = False) -> None:
    """A water tap on a pipe that comes from the right (or the left); the water leaves it at `mouth`."""
    x, y = mouth
    side = -90 if left else 90
    brush.stroke([(x + side, y - 34), (x, y - 34), (x, y - 8)], 16, STEEL)
    brush.box(x - 11, y - 14, x + 11, y, lighter(STEEL, -0.25))


def bubbles(brush: Brush, left: float, right: float, top: float, floor: float, phase: float) -> None:
    """Bubbles that rise in a boiling liquid."""
    for k in range(10):
        share = (0.2718 * k * k + 0.31 * phase) % 1.0
        x = left + (right - left) * ((0.618 * k + 0.1) % 1.0)
        brush.ring((x + 3 * math.sin(phase + k), floor - share * (floor - top)), 4 + 5 * share, 2.5, (246, 250, 255))


def ice_cube(brush: Brush, middle: Point, side: float, tilt: float) -> None:
    """A cube of ice about its middle."""
    x, y = middle
    for share, color in ((1.0, (250, 253, 255)), (0.84, (212, 234, 248))):
        half = share * side / 2
        box = rotate_points(
            [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)], tilt
        )
        if share < 1:
            brush.polygon(box, color)
        else:
            brush.plain(box, color)
    bar(brush, (x - 0.24 * side, y + 0.2 * side), (x + 0.18 * side, y - 0.25 * side), 3, (255, 255, 255))
    if brush.style == "textured":
        bar(brush, (x - 0.02 * side, y + 0.3 * side), (x + 0.3 * side, y - 0.06 * side), 2, (255, 255, 255))


def frost(
    brush: Brush, left: float, right: float, level: float, floor: float, color: Colour, share: float = 1.0
) -> None:
    """What shows that a share of the liquid in a vessel is frozen, from the floor up: cracks, crystals, rime."""
    width, deep, white = right - left, floor - level, (255, 255, 255)
    for k in range(max(4, round(width / 36))):
        x, y, angle = left + width * ((0.618 * k + 0.3) % 1.0), floor - deep * ((0.37 * k + 0.25) % 1.0), 2.4 * k
        bend = (x + 22 * math.cos(angle), y + 22 * math.sin(angle))
        end = (bend[0] + 18 * math.cos(angle + 0.8), bend[1] + 18 * math.sin(angle + 0.8))
        points = [(min(right, max(left, px)), min(floor, max(level, py))) for px, py in ((x, y), bend, end)]
        if y > floor - share * deep:
            bar(brush, points[0], points[1], 2.5, white)
            bar(brush, points[1], points[2], 2, white)
    for k in range(10):
        at = (left - 4 if k % 2 else right + 4, floor - (k // 2 + 0.5) / 5 * deep)
        if at[1] > floor - share * deep:
            brush.plain(circle(at, 6 + 2.0 * (k % 3), None, 12), white)
    if share >= 1:
        steps = 2 * round(width / 26)
        tips = [(left + width * k / steps, level - (14 + 7 * (k % 3) if k % 2 else 0)) for k in range(steps + 1)]
        brush.plain([*tips, (right, level + 2), (left, level + 2)], color)
