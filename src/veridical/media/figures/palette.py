"""Colors by name, and things that many scenes share: rooms, tables, hands, lamps."""

from __future__ import annotations

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush, circle
from veridical.media.figures.grain import lighter

COLORS: dict[str, Colour] = {
    "red": (204, 52, 46),
    "blue": (44, 98, 190),
    "green": (56, 142, 72),
    "yellow": (232, 184, 40),
    "purple": (126, 74, 158),
    "orange": (226, 120, 38),
}
WALL: Colour = (226, 221, 210)
FLOOR: Colour = (176, 158, 136)
WOOD: Colour = (168, 118, 72)
STEEL: Colour = (150, 158, 168)
STONE: Colour = (128, 126, 124)
WATER: Colour = (92, 160, 212)
SKIN: Colour = (226, 178, 144)
SLEEVE: Colour = (70, 84, 120)
_BEYOND = 20.0


def room(brush: Brush, floor: float = 300.0, wall: Colour = WALL, ground: Colour = FLOOR) -> None:
    """A wall and, from y = `floor` down, a floor; both reach beyond the frame, for cameras that drift."""
    left, right = -_BEYOND, WIDTH + _BEYOND
    brush.box(left, -_BEYOND, right, floor, wall, "plaster")
    brush.box(left, floor, right, HEIGHT + _BEYOND, ground, "wood")
    brush.line((left, floor), (right, floor), 3, lighter(ground, -0.25))


def table(brush: Brush, top: float, left: float = -20.0, right: float = WIDTH + 20.0, color: Colour = WOOD) -> None:
    """A table whose top edge lies at y = `top`; it stands on legs where it ends inside the frame."""
    for leg in (left + 24, right - 24):
        if 0 < leg < WIDTH:
            brush.box(leg - 8, top + 14, leg + 8, HEIGHT + 20, lighter(color, -0.3), "wood")
    brush.box(left, top, right, top + 16, color, "wood")
    brush.line((left, top + 17), (right, top + 17), 3, lighter(color, -0.4))


def hand(brush: Brush, tip: Point, color: Colour = SKIN, sleeve: Colour = SLEEVE, flip: float = 1.0) -> None:
    """A hand that reaches in from above the frame and grips with thumb and finger at `tip`; `flip` −1 mirrors it."""
    x, y = tip
    far = max(150.0, y + 50)
    brush.stroke([(x + (20 + 0.3 * (far - 62)) * flip, y - far), (x + 20 * flip, y - 62)], 40, sleeve)
    brush.stroke([(x + 24 * flip, y - 74), (x + 12 * flip, y - 44)], 30, color)
    brush.disc((x + 8 * flip, y - 34), 20, color)
    brush.stroke([(x - 4 * flip, y - 34), (x - 13 * flip, y - 14), (x - 8 * flip, y)], 10, lighter(color, -0.08))
    brush.stroke([(x + 18 * flip, y - 28), (x + 19 * flip, y - 10), (x + 9 * flip, y)], 11, color)


def lamp(brush: Brush, top: Point, light: Colour, on: bool, reach: float = 300.0) -> None:
    """A hanging lamp at `top`; switched on, its light falls on what is below, down to y = `reach`."""
    x, y = top
    brush.line((x, -20), (x, y - 26), 3, (60, 60, 64))
    brush.plain([(x - 14, y - 28), (x + 14, y - 28), (x + 34, y), (x - 34, y)], (72, 74, 80))
    brush.plain(circle((x, y), 13, 8), light if on else (150, 150, 150))
    if on:
        brush.veil([(x - 30, y), (x + 30, y), (x + 190, reach), (x - 190, reach)], light, 0.3)
