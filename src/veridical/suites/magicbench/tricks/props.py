"""Small things of tricks: coins, balls, cups, and the shadows that hands cast on the table."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle
from veridical.media.figures.grain import lighter
from veridical.suites.magicbench.tricks.hands import Hand
from veridical.suites.magicbench.tricks.space import Frame, Part, Vector, hull, round_plate
from veridical.suites.magicbench.tricks.staging import EDGE

METALS: dict[str, Colour] = {"gold": (228, 178, 46), "silver": (190, 196, 204), "copper": (196, 116, 66)}


def coin(entity: str, body: Frame, middle: Vector, radius: float, metal: Colour, nearer: float = 0.0) -> Part:
    """A coin in the x-y plane of a body, such as a hand; its middle and radius are in the body's own units."""
    outer, inner = round_plate(body, middle, radius), round_plate(body, middle, 0.74 * radius)
    x, y, depth = body.at(middle)
    thick = 0.16 * radius * body.size
    off = (thick * body.z[0], thick * body.z[1])
    side = hull([*outer, *((px - off[0], py - off[1]) for px, py in outer)])

    def paint(brush: Brush) -> None:
        dark = lighter(metal, -0.6)
        brush.plain([(x + 1.09 * (px - x), y + 1.09 * (py - y)) for px, py in side], dark)
        brush.plain(side, lighter(metal, -0.35))
        brush.plain(outer, metal)
        brush.plain(inner, lighter(metal, -0.2))
        brush.plain([(px - 0.8, py - 1.0) for px, py in round_plate(body, middle, 0.64 * radius)], lighter(metal, 0.18))
        if abs(body.z[2]) > 0.3:
            star = [
                body.at((middle[0] + r * radius * math.sin(a), middle[1] + r * radius * math.cos(a), middle[2]))[:2]
                for k in range(10)
                for r, a in [((0.46, 0.2)[k % 2], math.pi * k / 5)]
            ]
            brush.plain(star, lighter(metal, -0.32))

    return Part(depth + nearer, entity, paint)


def ball(entity: str, middle: Point, radius: float, color: Colour, depth: float) -> Part:
    """A ball with a highlight."""
    x, y = middle

    def paint(brush: Brush) -> None:
        brush.plain(circle(middle, radius + 1.2), lighter(color, -0.6))
        brush.plain(circle(middle, radius), lighter(color, -0.25))
        brush.plain(circle((x - 0.1 * radius, y - 0.14 * radius), 0.84 * radius), color)
        brush.plain(circle((x - 0.3 * radius, y - 0.38 * radius), 0.28 * radius), lighter(color, 0.5))

    return Part(depth, entity, paint)


def shade(brush: Brush, hand: Hand, high: float) -> None:
    """The shadow of a hand on the table, `high` units below it; fainter the higher the hand is."""
    x, y = hand.place
    under = min(EDGE - 4, y + high)
    brush.shadow((x + 0.12 * high, under), 58 + 0.1 * high, 15, max(0.1, 0.38 - 0.0018 * high))
