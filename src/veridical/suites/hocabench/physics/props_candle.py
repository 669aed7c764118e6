"""Candles, flames, paper and what lights or heats them."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle
from veridical.media.figures.grain import lighter

WAX: Colour = (240, 232, 212)
PAPER = (88.0, 112.0)
"""Width and height of a sheet of paper, in units."""


def candle(brush: Brush, foot: Point, height: float, color: Colour = WAX, melted: float = 0.0) -> Point:
    """A candle, 36 wide; `melted` (0 to 1) lets it sag into a pool. Returns where its wick ends."""
    x, y = foot
    wide, high = 18 + 16 * melted, height * (1 - 0.8 * melted)
    lean = 26 * math.sin(math.pi * min(1.0, 1.4 * melted)) if melted else 0.0
    if melted:
        brush.plain(circle((x + 4, y + 2), 18 + 66 * melted, 3 + 13 * melted), lighter(color, -0.1))
    top = [(x + lean + 0.9 * wide, y - high), (x + lean - 0.9 * wide, y - high)]
    brush.polygon([(x - wide, y), *reversed(top), (x + wide, y)], color)
    brush.plain(circle((x + lean, y - high), 0.9 * wide, 5), lighter(color, 0.4))
    wick = (x + 1.2 * lean, y - high - 11 * (1 - melted) - 2)
    brush.line((x + lean, y - high), wick, 3, (60, 52, 48))
    return wick


def flame(brush: Brush, wick: Point, height: float, sway: float) -> None:
    """A flame that stands on a wick, with a core."""
    x, y = wick
    for share, color in ((1.0, (244, 142, 40)), (0.72, (252, 206, 82)), (0.4, (255, 246, 206))):
        high, wide = share * height, 0.26 * share * height
        tip = (x + sway * high, y + 6 - 1.05 * high)
        middle = 0.5 * sway * high
        left = [(x - 0.6 * wide, y + 4), (x - wide, y - 0.3 * high), (x - 0.5 * wide + middle, y - 0.65 * high)]
        right = [(x + 0.5 * wide + middle, y - 0.65 * high), (x + wide, y - 0.3 * high), (x + 0.6 * wide, y + 4)]
        brush.plain([*left, tip, *right], color)


def glow(brush: Brush, centre: Point, reach: float) -> None:
    """The light of a flame on the wall behind it."""
    for share in (1.0, 0.62):
        brush.veil(circle(centre, share * reach), (255, 206, 120), 0.16)


def smoke(brush: Brush, wick: Point, age: float) -> None:
    """Smoke that rises from a wick since `age` seconds."""
    for k in range(4):
        high = 26 * k + 34 * min(age, 1.2)
        at = (wick[0] + 7 * math.sin(2.2 * k + 3 * age), wick[1] - high)
        brush.veil(circle(at, 7 + 5 * k), (226, 226, 230), max(0.1, 0.5 - 0.1 * k))


def sheet(brush: Brush, top: Point, charred: float, sway: float) -> None:
    """A sheet of paper that hangs from `top`; its lower part is burnt away, 0.8 of it where `charred` is 1."""
    (x, y), (wide, high) = top, PAPER
    edge = y + high * (1 - 0.8 * charred)
    teeth = []
    for k in range(9):
        jag = 0.0 if not charred else 7 * math.sin(2.6 * k + 1) + 10 * (abs(k - 4) / 4)
        teeth.append((x - wide / 2 + k * wide / 8, min(edge + jag, y + high)))
    corners = [(x - wide / 2, y), (x + wide / 2, y)]
    if charred:
        brush.plain([*corners, *((px, py) for px, py in reversed(teeth))], (58, 44, 38))
    inner = [(px, py - (9 if charred else 0)) for px, py in teeth]
    brush.plain([*corners, *reversed(inner)], (250, 248, 240))
    for k in range(4):
        line = y + 22 + 17 * k
        if line < edge - 16:
            brush.line((x - 32, line), (x + 32, line), 2.5, (150, 158, 176))
    if 0 < charred < 1:
        for k in (1, 3, 5, 7):
            flame(brush, (teeth[k][0], teeth[k][1]), 34 + 6 * math.sin(5 * k + 20 * charred), sway)


def torch(brush: Brush, tip: Point, burning: bool) -> None:
    """A gas torch that comes from the right and blows its flame at `tip`."""
    x, y = tip
    if burning:
        brush.plain([(x + 34, y - 9), (x - 4, y - 3), (x - 10, y + 6), (x + 34, y + 7)], (246, 150, 52))
        brush.plain([(x + 34, y - 5), (x + 18, y), (x + 34, y + 4)], (110, 170, 240))
    brush.box(x + 34, y - 8, x + 70, y + 6, (150, 156, 164), "metal")
    brush.box(x + 62, y - 26, x + 200, y + 26, (52, 116, 176))


def lighter_flame(brush: Brush, tip: Point) -> None:
    """A lighter in a hand that comes from the right, with its flame at `tip`."""
    x, y = tip
    flame(brush, (x, y + 10), 26, 0.0)
    brush.box(x - 9, y + 12, x + 9, y + 52, (196, 52, 48))
    brush.stroke([(x + 10, y + 34), (x + 60, y + 52), (x + 180, y + 70)], 26, (226, 178, 144))
    brush.disc((x + 8, y + 36), 15, (226, 178, 144))


def cup(brush: Brush, foot: Point, height: float, color: Colour) -> None:
    """A cup with a handle at the side of +x."""
    x, y = foot
    brush.ring((x + 36, y - 0.52 * height), 19, 9, lighter(color, -0.2))
    brush.polygon([(x - 38, y - height), (x + 38, y - height), (x + 29, y), (x - 29, y)], color)
    brush.plain(circle((x, y - height), 38, 8), lighter(color, -0.35))
    brush.line((x - 35, y - 0.62 * height), (x + 35, y - 0.62 * height), 8, lighter(color, 0.5))
