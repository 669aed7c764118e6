"""A rubber band round fingers: a loop in space, in the axes of the hand that wears it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush
from veridical.media.figures.grain import lighter
from veridical.suites.magicbench.tricks.hands import Hand, joints
from veridical.suites.magicbench.tricks.space import Layer, Vector

RUBBERS: dict[str, Colour] = {
    "red": (206, 36, 48),
    "blue": (36, 92, 206),
    "green": (24, 146, 84),
    "violet": (132, 62, 176),
}
INDEX, MIDDLE, RING, LITTLE = range(4)
THICK = 6.4
"""How wide the band is, in units of the scene."""
_GIRTH = (0.064, 0.058, 0.05, 0.046)
"""The radius of a loop round a finger at its knuckles and its tip, in the hand's own unit."""
_STEPS = 6


def loop(hand: Hand, fingers: Sequence[int], up: float, sag: float = 0.012) -> tuple[list[Vector], list[Vector]]:
    """The near and the far half of a loop round some fingers: on the side of the palm, and on that of the back.

    `up` 0 is at the knuckles, 1 to 3 at the joints and the tips, more is beyond them. `sag` is by how much the halves
    are apart along the fingers. Both halves begin at the side of the first finger.
    """
    body, chains = hand.body, joints(hand)
    rings = [_ring(chains[finger], up) for finger in fingers]
    quarter = [math.pi * k / (2 * _STEPS) for k in range(_STEPS + 1)]
    turns = [(rings[0], a) for a in quarter] + [(ring, math.pi / 2) for ring in rings[1:-1]]
    turns += [(rings[-1], math.pi / 2 + a) for a in quarter]
    near, far = (
        [body.at(_on(ring, math.cos(angle), side * math.sin(angle), sag)) for ring, angle in turns]
        for side in (1.0, -1.0)
    )
    return near, far


_Ring = tuple[Vector, Vector, Vector, float]


def _ring(chain: list[Vector], up: float) -> _Ring:
    """A finger's middle, the direction of its palm's side, its own direction, and its girth, at a height."""
    bone = min(2, int(up))
    a, b = chain[bone], chain[bone + 1]
    long = math.dist(a, b)
    share = up - bone
    along = ((b[0] - a[0]) / long, (b[1] - a[1]) / long, (b[2] - a[2]) / long)
    middle = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))
    low, high = _GIRTH[bone : bone + 2]
    return middle, (0.0, -along[2], along[1]), along, low + min(1.0, share) * (high - low)


def _on(ring: _Ring, aside: float, out: float, sag: float) -> Vector:
    middle, normal, along, radius = ring
    x, y, z = (m + radius * out * n - sag * out * a for m, n, a in zip(middle, normal, along, strict=True))
    return x + radius * aside, y, z


def strand(entity: str, points: Sequence[Vector], color: Colour, wide: float, depth: float, shift: Point) -> Layer:
    """A piece of a band through points on the screen, moved by `shift`."""
    path = [(x + shift[0], y + shift[1]) for x, y, _ in _dense(points)]

    def paint(brush: Brush) -> None:
        brush.curve(path, wide + 1.8, lighter(color, -0.6))
        brush.curve(path, wide, color)
        brush.curve([(x, y - 0.2 * wide) for x, y in path], 0.28 * wide, lighter(color, 0.4))

    return Layer(depth, entity, paint)


def _dense(points: Sequence[Vector]) -> list[Vector]:
    """The points with more between those that are far apart."""
    made = [points[0]]
    for a, b in pairwise(points):
        steps = max(1, int(math.dist(a[:2], b[:2]) / 3))
        for k in range(1, steps + 1):
            x, y, z = (a[j] + (b[j] - a[j]) * k / steps for j in range(3))
            made.append((x, y, z))
    return made


def band_around(
    entity: str, hand: Hand, fingers: Sequence[int], up: float, color: Colour, shift: Point, sag: float
) -> list[Layer]:
    """A band round fingers: its near half before them and its far half behind."""
    near, far = loop(hand, fingers, up, sag)
    made = []
    for half, off, tone in ((far, -3.0, lighter(color, -0.3)), (near, 1.0, color)):
        depth = sum(point[2] for point in half) / len(half) + off
        made.append(strand(entity, half, tone, THICK, depth, shift))
    return made
