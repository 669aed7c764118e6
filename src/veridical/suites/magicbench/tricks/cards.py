"""Playing cards with large faces and patterned backs, and a deck of them that lies on the table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle
from veridical.media.figures.grain import lighter
from veridical.suites.magicbench.tricks.space import BodyFrame, Layer, frame

HIGH = 88.0
"""A card's height in units of the scene; in its own axes it is 1 high and `WIDE` wide, its middle is at the origin."""
WIDE = 0.7
TILT = -50.0
"""The pitch, in degrees, of what lies on the table."""
BACKS: dict[str, Colour] = {
    "red": (176, 40, 48),
    "blue": (40, 74, 158),
    "green": (28, 116, 78),
    "violet": (110, 58, 140),
}
_PAPER, _LINE, _INK, _RED = (250, 248, 242), (70, 68, 72), (30, 30, 36), (204, 28, 40)
_O = tuple((0.5 + 0.5 * math.sin(a), 0.5 + 0.5 * math.cos(a)) for a in (2 * math.pi * k / 14 for k in range(15)))
_RANKS: dict[str, tuple[tuple[Point, ...], ...]] = {
    "ace": (((0, 0), (0.5, 1), (1, 0)), ((0.18, 0.36), (0.82, 0.36))),
    "four": (((0.74, 0), (0.74, 1), (0, 0.32), (1, 0.32)),),
    "seven": (((0, 1), (1, 1), (0.34, 0)),),
    "eight": (tuple((0.5 + 0.84 * (x - 0.5), 0.54 + 0.46 * y) for x, y in _O), tuple((x, 0.54 * y) for x, y in _O)),
    "queen": (_O, ((0.6, 0.28), (1, -0.06))),
    "king": (((0, 0), (0, 1)), ((0.95, 1), (0, 0.42)), ((0.28, 0.6), (1, 0))),
}
"""The strokes of each rank's sign, in a square with its origin at the bottom left."""
RANKS = tuple(_RANKS)


def _heart(high: float = 1.0) -> list[Point]:
    turns = [2 * math.pi * k / 28 for k in range(28)]
    curves = [13 * math.cos(a) - 5 * math.cos(2 * a) - 2 * math.cos(3 * a) - math.cos(4 * a) for a in turns]
    return [(math.sin(a) ** 3 / 2, high * (0.08 + y / 29)) for a, y in zip(turns, curves, strict=True)]


_STEM = [(-0.05, 0.0), (0.05, 0.0), (0.17, -0.5), (-0.17, -0.5)]
_SUITS: dict[str, tuple[Colour, tuple[list[Point], ...]]] = {
    "hearts": (_RED, (_heart(),)),
    "diamonds": (_RED, ([(0.0, 0.55), (0.4, 0.0), (0.0, -0.55), (-0.4, 0.0)],)),
    "spades": (_INK, ([(x, 0.06 + y) for x, y in _heart(-0.85)], _STEM)),
    "clubs": (_INK, (*(circle((x, y), 0.24, corners=16) for x, y in ((0, 0.24), (-0.25, -0.1), (0.25, -0.1))), _STEM)),
}
REDS, BLACKS = ("hearts", "diamonds"), ("spades", "clubs")


class Card(NamedTuple):
    """A card by its rank and suit.

    >>> Card("seven", "hearts").name
    'seven of hearts'
    """

    rank: str
    suit: str

    @property
    def name(self) -> str:
        """What the card is called."""
        return f"{self.rank} of {self.suit}"


def card_on_table(place: Point, turn: float, depth: float) -> BodyFrame:
    """The axes of a card that lies on the table with its face down."""
    return frame((*place, depth), HIGH, turn, TILT, 180.0)


def card(entity: str, body: BodyFrame, face: Card, back: Colour, mirrored: bool, nearer: float = 0.0) -> Layer:
    """A card in the x-y plane of its body, whose z points out of the face; signs are readable in mirrored pictures."""

    def paint(brush: Brush) -> None:
        brush.plain(_plate(body, 0.5 * WIDE + 0.018, 0.518), _LINE)
        brush.plain(_plate(body, 0.5 * WIDE, 0.5), _PAPER)
        if body.z[2] > 0:
            for shape, color in _signs(face):
                brush.plain([_at(body, (-x if mirrored else x, y)) for x, y in shape], color)
        else:
            _pattern(brush, body, back)

    return Layer(body.origin[2] + nearer, entity, paint)


def deck(brush: Brush, place: Point, turn: float, back: Colour, thick: float = 17.0) -> None:
    """Paint a deck that lies face down; `place` is the middle of its top card."""
    x, y = place
    brush.shadow((x + 7, y + thick + 6), 50, 32, 0.42)
    brush.plain(_plate(card_on_table((x, y + thick), turn, 0.0), 0.5 * WIDE + 0.018, 0.52), _LINE)
    for down in range(int(thick), 0, -1):
        tone = lighter(_PAPER, -0.34 if down % 2 else -0.12)
        brush.plain(_plate(card_on_table((x, y + down), turn, 0.0), 0.5 * WIDE, 0.5), tone)
    card("", card_on_table(place, turn, 0.0), Card("ace", "spades"), back, False).paint(brush)


def _at(body: BodyFrame, point: Point) -> Point:
    x, y, _ = body.at((*point, 0.0))
    return x, y


def _plate(body: BodyFrame, half: float, tall: float) -> list[Point]:
    """A rectangle with round corners in the plane of the card."""
    arc = [(math.cos(math.pi * k / 6), math.sin(math.pi * k / 6)) for k in range(4)]
    radius = 0.06
    points = []
    for right, up, turned in ((1, 1, arc), (-1, 1, arc[::-1]), (-1, -1, arc), (1, -1, arc[::-1])):
        points += [(right * (half - radius * (1 - c)), up * (tall - radius * (1 - s))) for c, s in turned]
    return [_at(body, point) for point in points]


def _signs(face: Card) -> Iterator[tuple[list[Point], Colour]]:
    """The suit, large, in the middle, and rank and suit in two corners; each shape with its color."""
    color, shapes = _SUITS[face.suit]
    for shape in shapes:
        yield [(0.4 * x, 0.4 * y) for x, y in shape], color
    for side in (1, -1):
        for quad in _rank(face.rank):
            yield [(side * (0.15 * x - 0.3), side * (0.22 * y + 0.22)) for x, y in quad], color
        for shape in shapes:
            yield [(side * (0.13 * x - 0.225), side * (0.13 * y + 0.12)) for x, y in shape], color


def _rank(rank: str) -> Iterator[list[Point]]:
    """The strokes of a rank's sign as quads, each a little longer than the stroke, so that corners are filled."""
    wide = 0.11
    for line in _RANKS[rank]:
        for (x0, y0), (x1, y1) in pairwise(line):
            long = math.hypot(x1 - x0, y1 - y0)
            u, v = wide * (x1 - x0) / long, wide * (y1 - y0) / long
            yield [
                (x0 - 0.6 * u - v, y0 - 0.6 * v + u),
                (x1 + 0.6 * u - v, y1 + 0.6 * v + u),
                (x1 + 0.6 * u + v, y1 + 0.6 * v - u),
                (x0 - 0.6 * u + v, y0 - 0.6 * v - u),
            ]


def _pattern(brush: Brush, body: BodyFrame, color: Colour) -> None:
    """The back: a field with a lattice of diamonds and a frame."""
    half, tall = 0.5 * WIDE - 0.055, 0.445
    brush.plain(_plate(body, half, tall), color)
    pale = lighter(color, 0.5)
    step = 2 * half / 4
    for row in range(-3, 4):
        for column in range(-2, 3):
            x, y = column * step, row * step * 0.86
            if row % 2:
                x += step / 2
            if abs(x) < half - 0.04:
                rhomb = [(x, y + 0.05), (x + 0.036, y), (x, y - 0.05), (x - 0.036, y)]
                brush.plain([_at(body, point) for point in rhomb], pale)
