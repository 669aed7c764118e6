"""Small things of tricks: coins, balls, cups, and the shadows that hands cast on the table."""

from __future__ import annotations

import math
from functools import lru_cache

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle
from veridical.media.figures.grain import lighter
from veridical.suites.magicbench.tricks.hands import Hand, parts
from veridical.suites.magicbench.tricks.space import BodyFrame, Layer, Vector, hull, round_plate
from veridical.suites.magicbench.tricks.staging import EDGE, Staging

METALS: dict[str, Colour] = {"gold": (228, 178, 46), "silver": (190, 196, 204), "copper": (196, 116, 66)}
BRIGHT: dict[str, Colour] = {
    "red": (212, 44, 40),
    "blue": (56, 104, 214),
    "yellow": (246, 206, 40),
    "green": (40, 150, 66),
}


def coin(entity: str, body: BodyFrame, middle: Vector, radius: float, metal: Colour, nearer: float = 0.0) -> Layer:
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

    return Layer(depth + nearer, entity, paint)


def ball(entity: str, middle: Point, radius: float, color: Colour, depth: float) -> Layer:
    """A ball with a highlight."""
    x, y = middle

    def paint(brush: Brush) -> None:
        brush.plain(circle(middle, radius + 1.2), lighter(color, -0.6))
        brush.plain(circle(middle, radius), lighter(color, -0.25))
        brush.plain(circle((x - 0.1 * radius, y - 0.14 * radius), 0.84 * radius), color)
        brush.plain(circle((x - 0.3 * radius, y - 0.38 * radius), 0.28 * radius), lighter(color, 0.5))

    return Layer(depth, entity, paint)


def cube(entity: str, middle: Point, half: float, color: Colour, depth: float) -> Layer:
    """A cube that is seen from above, its edges `2 * half` long."""
    x, y = middle
    low, high = y - 0.45 * half, y - 1.25 * half
    front = [(x - half, low), (x + half, low), (x + half, y + half), (x - half, y + half)]
    top = [(x - half, low), (x + half, low), (x + 0.78 * half, high), (x - 0.78 * half, high)]

    def paint(brush: Brush) -> None:
        brush.plain(
            [(x + 1.08 * (px - x), y + 1.08 * (py - y)) for px, py in hull([*front, *top])], lighter(color, -0.6)
        )
        brush.plain(front, lighter(color, -0.18))
        brush.plain(top, lighter(color, 0.22))

    return Layer(depth, entity, paint)


def shade(brush: Brush, hand: Hand, high: float) -> None:
    """The shadow of a hand on the table, `high` units below it; fainter the higher the hand is."""
    x, y = hand.place
    under = min(EDGE - 4, y + high)
    brush.shadow((x + 0.12 * high, under), 58 + 0.1 * high, 15, max(0.1, 0.38 - 0.0018 * high))


def both_hands(brush: Brush, staging: Staging, left: Hand, right: Hand, low: float, high: float) -> list[Layer]:
    """Paint the shadows of two hands that are `low` and `high` units above the table; returns the parts of both."""
    shade(brush, left, low)
    shade(brush, right, high)
    return [*parts(left, staging.colors), *parts(right, staging.colors)]


CUP_TALL, CUP_RIM, CUP_TOP = 86.0, 37.0, 26.0
"""How tall an upturned cup is, and the radii of its rim, which is below, and of its bottom, which is above."""
_FORESHORTENED = 0.27
_ARC = [(math.cos(math.pi * k / 12), math.sin(math.pi * k / 12)) for k in range(13)]


def cup_point(rim: Point, tilt: float, aside: float, above: float) -> Point:
    """A point of an upturned cup on the screen: `aside` to the right of the middle of its rim and `above` it."""
    cos, sin = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
    return rim[0] + aside * cos + above * sin, rim[1] + aside * sin - above * cos


@lru_cache(maxsize=64)
def cup(entity: str, rim: Point, tilt: float, color: Colour, letter: str, depth: float) -> Layer:
    """An upturned cup whose rim has its middle at `rim`, tilted clockwise by `tilt` degrees, with its letter on it."""

    def on(aside: float, above: float) -> Point:
        return cup_point(rim, tilt, aside, above)

    def ring(above: float, wider: float = 0.0) -> list[Point]:
        """The half of a level circle around the cup that is seen, from the right to the left."""
        radius = CUP_RIM + (CUP_TOP - CUP_RIM) * above / CUP_TALL + wider
        return [on(radius * cos, above - _FORESHORTENED * radius * sin) for cos, sin in _ARC]

    def band(low: float, high: float, wider: float = 0.0) -> list[Point]:
        return [*ring(low, wider), *ring(high, wider)[::-1]]

    def strip(left: float, right: float) -> list[Point]:
        """An upright strip between two shares of the radius."""
        corners = ((left, CUP_RIM, 0.0), (right, CUP_RIM, 0.0), (right, CUP_TOP, CUP_TALL), (left, CUP_TOP, CUP_TALL))
        return [on(share * r, above - _FORESHORTENED * r * math.sqrt(1 - share**2)) for share, r, above in corners]

    back = [on(CUP_TOP * cos, CUP_TALL + _FORESHORTENED * CUP_TOP * sin) for cos, sin in _ARC]
    lid = [*back, *ring(CUP_TALL)[::-1]]
    middle = on(0.0, 0.42 * CUP_TALL - 4)
    shapes = (
        (hull([*ring(0, 3.6), *ring(5, 3.6), *ring(CUP_TALL, 1.3), *lid]), -0.62),
        (band(0, CUP_TALL), 0.0),
        (strip(0.35, 0.999), -0.2),
        (strip(0.72, 0.999), -0.36),
        (strip(-0.72, -0.45), 0.42),
        (band(0, 6, 2.4), -0.12),
        (band(18, 21), -0.34),
        (lid, 0.3),
    )

    def paint(brush: Brush) -> None:
        for points, tone in shapes:
            brush.plain(points, lighter(color, tone))
        brush.plain(circle(middle, 13.5), (246, 244, 236))
        brush.text(middle, letter, 19, (34, 34, 38))

    return Layer(depth, entity, paint)
