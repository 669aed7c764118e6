"""Hands with five fingers in space, in any pose and seen from any side, with sleeves.

A hand's own axes: y from the wrist to the fingertips, z out of the palm, x to the thumb; the unit is the hand's length.
The viewer sees both hands as their owner does: the left hand comes from the left, its thumb up when its palm is seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle
from veridical.media.figures.grain import lighter
from veridical.suites.magicbench.tricks.space import BodyFrame, Layer, Paint, Vector, capsule, frame, hull

Side = Literal["left hand", "right hand"]
LEFT: Side = "left hand"
RIGHT: Side = "right hand"
SIZE = 128.0
"""A hand's length, from the wrist to the tip of the middle finger, in units of the scene."""
_ROOTS: tuple[Vector, ...] = ((0.145, 0.485, 0.0), (0.048, 0.51, 0.0), (-0.05, 0.49, 0.0), (-0.138, 0.44, 0.0))
_LENGTHS = ((0.215, 0.135, 0.085), (0.235, 0.15, 0.09), (0.22, 0.14, 0.09), (0.175, 0.105, 0.08))
_RADII = (
    (0.056, 0.052, 0.046, 0.038),
    (0.057, 0.053, 0.047, 0.039),
    (0.055, 0.05, 0.045, 0.037),
    (0.049, 0.044, 0.039, 0.033),
)
_SPLAY = (7.0, 1.5, -5.0, -13.0)
_THUMB: Vector = (0.105, 0.1, 0.02)
_THUMB_LENGTHS, _THUMB_RADII = (0.2, 0.155, 0.105), (0.088, 0.066, 0.056, 0.045)
_PALM = (
    (0.1, 0.0, 0.075),
    (-0.085, 0.0, 0.075),
    (-0.125, 0.2, 0.075),
    (0.125, 0.3, 0.07),
    (0.14, 0.46, 0.062),
    (0.048, 0.475, 0.06),
    (-0.05, 0.46, 0.058),
    (-0.13, 0.4, 0.056),
)
"""The discs that the palm is spanned by: x, y and radius."""
_ROUND = [(math.cos(math.pi * k / 6), math.sin(math.pi * k / 6)) for k in range(12)]


@dataclass(frozen=True, slots=True)
class HandPose:
    """How fingers bend, in degrees: index, middle, ring and little finger at the knuckle (`bend`) and beyond (`curl`).

    `thumb` has the direction of each of its three bones: how far it is turned from the fingers' direction to the side
    of the thumb, and how far it is raised out of the palm's plane. `spread` 1 fans the fingers as an open hand does.
    """

    bend: tuple[float, float, float, float]
    curl: tuple[float, float, float, float]
    thumb: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
    spread: float = 1.0


OPEN = HandPose((2, 0, 2, 4), (6, 5, 6, 8), ((52, 18), (44, 14), (36, 10)))
RELAXED = HandPose((14, 18, 22, 26), (24, 28, 32, 36), ((44, 30), (28, 28), (16, 26)), 0.6)
FIST = HandPose((78, 80, 82, 84), (100, 100, 98, 96), ((34, 50), (-22, 44), (-70, 8)), 0.1)
HALF = HandPose((44, 48, 52, 56), (52, 54, 56, 58), ((42, 42), (14, 44), (-10, 36)), 0.35)
PINCH = HandPose((42, 36, 28, 22), (52, 40, 34, 30), ((30, 52), (8, 48), (-2, 34)), 0.45)
GRASP = HandPose((30, 34, 36, 40), (34, 34, 36, 40), ((56, 56), (26, 58), (8, 50)), 0.7)
"""Round something as wide as a cup."""
POINT = HandPose((4, 74, 78, 80), (4, 96, 96, 94), ((36, 44), (-10, 46), (-56, 14)), 0.2)


def blend(first: HandPose, second: HandPose, share: float) -> HandPose:
    """The pose between two; `share` 0 is the first, 1 the second.

    >>> blend(OPEN, FIST, 0.5).bend[1]
    40.0
    """
    if share <= 0 or share >= 1:
        return first if share <= 0 else second

    def mix(a: float, b: float) -> float:
        return a + share * (b - a)

    bend = tuple(mix(a, b) for a, b in zip(first.bend, second.bend, strict=True))
    curl = tuple(mix(a, b) for a, b in zip(first.curl, second.curl, strict=True))
    thumb = tuple((mix(a, c), mix(b, d)) for (a, b), (c, d) in zip(first.thumb, second.thumb, strict=True))
    return HandPose(bend, curl, thumb, mix(first.spread, second.spread))  # type: ignore[arg-type]


class HandColors(NamedTuple):
    """The colors of a performer's hands."""

    skin: Colour
    sleeve: Colour
    cuff: Colour = (240, 240, 236)

    @property
    def line(self) -> Colour:
        """The color of outlines and creases."""
        return lighter(self.skin, -0.5)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at a place on the screen: the middle of its palm is at `place`; angles in degrees as for `space.frame`.

    `turn` 0 points the fingers up the screen; `roll` 0 shows the palm, 180 the back. `elbow` is where the forearm comes
    from, outside of the frame. `depth` puts the whole hand before or behind others. `name` is the entity that it is
    painted as, its side by default: in a mirrored picture a right hand is painted where a left hand is seen.
    """

    side: Side
    place: Point
    pose: HandPose
    turn: float
    roll: float = 0.0
    pitch: float = 0.0
    elbow: Point = (0.0, 500.0)
    depth: float = 0.0
    name: str = ""

    @property
    def entity(self) -> str:
        """The name that its pixels belong to."""
        return self.name or self.side

    @property
    def body(self) -> BodyFrame:
        """The hand's own axes."""
        flip = 1.0 if self.side == RIGHT else -1.0
        axes = frame((0.0, 0.0, 0.0), SIZE, self.turn, self.pitch, self.roll * flip, flip)
        x, y, z = axes.at((0.0, 0.3, 0.0))
        return BodyFrame((self.place[0] - x, self.place[1] - y, self.depth - z), SIZE, axes.x, axes.y, axes.z)


def joints(hand: Hand) -> list[list[Vector]]:
    """The joints of index, middle, ring, little finger and thumb in the hand's own axes, four each."""
    return _joints(hand.pose)


@lru_cache(maxsize=64)
def _joints(pose: HandPose) -> list[list[Vector]]:
    chains = []
    for root, lengths, splay, bend, curl in zip(_ROOTS, _LENGTHS, _SPLAY, pose.bend, pose.curl, strict=True):
        aside = math.radians(splay * pose.spread)
        chain, angle = [root], 0.0
        for long, more in zip(lengths, (bend, curl, 0.62 * curl), strict=True):
            angle += math.radians(more)
            x, y, z = chain[-1]
            flat = long * math.cos(angle)
            chain.append((x + flat * math.sin(aside), y + flat * math.cos(aside), z + long * math.sin(angle)))
        chains.append(chain)
    chain = [_THUMB]
    for long, (aside, up) in zip(_THUMB_LENGTHS, pose.thumb, strict=True):
        x, y, z = chain[-1]
        flat, angle = long * math.cos(math.radians(up)), math.radians(aside)
        chain.append((x + flat * math.sin(angle), y + flat * math.cos(angle), z + long * math.sin(math.radians(up))))
    return [*chains, chain]


@lru_cache(maxsize=512)
def parts(hand: Hand, skin: HandColors) -> tuple[Layer, ...]:
    """The parts of a hand with its sleeve, to be painted together with what it holds."""
    body = hand.body
    made = [_palm(hand, body, skin), *_sleeve(hand, body, skin)]
    chains = joints(hand)
    for chain, radii in zip(chains, (*_RADII, _THUMB_RADII), strict=True):
        made += _finger(hand, [body.at(joint) for joint in chain], [SIZE * r for r in radii], body, skin, chain)
    return tuple(made)


def _finger(
    hand: Hand, chain: list[Vector], radii: list[float], body: BodyFrame, skin: HandColors, own: list[Vector]
) -> list[Layer]:
    made = []
    for k in range(3):
        a, b = chain[k], chain[k + 1]
        last = chain[k - 1] if k else None
        after = chain[k + 2] if k < 2 else None
        tone = lighter(skin.skin, 0.05 if (a[2] + b[2]) / 2 > hand.depth + 6 else -0.04)
        made.append(
            Layer(
                (a[2] + b[2]) / 2 + 0.001 * k,
                hand.entity,
                _segment(a, b, radii[k], radii[k + 1], tone, skin.line, _open(last, a, b), _open(after, b, a)),
            )
        )
    nail = _nail(chain, radii[3], body, own, skin)
    if nail is not None:
        made.append(Layer((chain[2][2] + chain[3][2]) / 2 + 0.01, hand.entity, nail))
    return made


def _open(other: Vector | None, joint: Vector, end: Vector) -> bool:
    """Whether a limb goes on beyond a joint without a sharp bend on the screen, so that no line is drawn there."""
    if other is None:
        return False
    ax, ay = joint[0] - other[0], joint[1] - other[1]
    bx, by = end[0] - joint[0], end[1] - joint[1]
    return ax * bx + ay * by > 0.35 * math.hypot(ax, ay) * math.hypot(bx, by)


def _segment(
    a: Vector, b: Vector, first: float, second: float, tone: Colour, line: Colour, open_a: bool, open_b: bool
) -> Paint:
    start, end = (a[0], a[1]), (b[0], b[1])
    long = math.hypot(end[0] - start[0], end[1] - start[1])
    low = min(0.45, first / long) if open_a and long > 1 else 0.0
    high = 1 - (min(0.45, second / long) if open_b and long > 1 else 0.0)
    x, y = -0.1 * first, -0.2 * first
    shapes = (
        (capsule(_between(start, end, low), _between(start, end, high), first + 1.3, second + 1.3), line),
        (capsule(start, end, first, second), lighter(tone, -0.13)),
        (capsule((start[0] + x, start[1] + y), (end[0] + x, end[1] + y), 0.76 * first, 0.74 * second), tone),
    )

    def paint(brush: Brush) -> None:
        for points, color in shapes:
            brush.plain(points, color)

    return paint


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _nail(chain: list[Vector], radius: float, body: BodyFrame, own: list[Vector], skin: HandColors) -> Paint | None:
    """The nail, where the back of the fingertip is seen."""
    (x0, y0, z0), (x1, y1, z1) = own[2], own[3]
    long = math.dist(own[2], own[3])
    along = ((x1 - x0) / long, (y1 - y0) / long, (z1 - z0) / long)
    # The back of a finger: across its own direction, in the plane in which it bends.
    back = (0.0, along[2], -along[1])
    facing = body.x[2] * back[0] + body.y[2] * back[1] + body.z[2] * back[2]
    if facing < 0.3:
        return None
    middle = tuple(own[3][k] - 0.2 * 0.1 * along[k] + 0.75 * radius / SIZE * back[k] * 0.5 for k in range(3))
    x, y, _ = body.at(middle)  # type: ignore[arg-type]
    up = (chain[3][0] - chain[2][0], chain[3][1] - chain[2][1])
    size = math.hypot(*up) or 1.0
    turn = math.atan2(up[1], up[0])

    def paint(brush: Brush) -> None:
        long, wide = max(0.35, size / (0.09 * SIZE)) * 0.72 * radius, 0.62 * radius * facing
        long = min(long, 0.9 * radius)
        points = [
            (x + u * math.cos(turn) - v * math.sin(turn), y + u * math.sin(turn) + v * math.cos(turn))
            for u, v in circle((0.0, 0.0), long, wide, 12)
        ]
        brush.plain(points, lighter(skin.skin, 0.5))

    return paint


def _palm(hand: Hand, body: BodyFrame, skin: HandColors) -> Layer:
    middle = body.at((0.0, 0.28, 0.0))[2]
    shows = body.z[2]

    spots = [(*body.at((x, y, 0.0))[:2], r * SIZE) for x, y, r in _PALM]
    cx, cy, _ = body.at((0.0, 0.28, 0.0))
    corners = {(x + r * c, y + r * s): (x, y, r, c, s) for x, y, r in spots for c, s in _ROUND}
    rim = [corners[point] for point in hull(list(corners))]

    def paint(brush: Brush) -> None:
        brush.plain([(x + (r + 1.3) * c, y + (r + 1.3) * s) for x, y, r, c, s in rim], skin.line)
        brush.plain([(x + r * c, y + r * s) for x, y, r, c, s in rim], lighter(skin.skin, -0.13))
        lit = [(x + r * c, y + r * s) for x, y, r, c, s in rim]
        brush.plain([(0.94 * x + 0.06 * cx - 1.5, 0.92 * y + 0.08 * cy - 3.0) for x, y in lit], skin.skin)
        if shows > 0.25:
            for line in _CREASES:
                brush.curve([body.at((x, y, 0.03))[:2] for x, y in _smooth(line)], 1.6, lighter(skin.skin, -0.26))
        elif shows < -0.25:
            for x, y, _ in _ROOTS:
                spot = [body.at((x + dx, y - 0.03, -0.03))[:2] for dx in (-0.022, 0.0, 0.022)]
                brush.curve(spot, 2.2, lighter(skin.skin, -0.22))

    return Layer(middle - 3.0, hand.entity, paint)


_CREASES = (
    ((0.17, 0.36), (0.1, 0.36), (0.02, 0.24), (0.0, 0.06)),
    ((0.18, 0.385), (0.08, 0.36), (-0.06, 0.27), (-0.14, 0.25)),
    ((0.09, 0.47), (0.03, 0.41), (-0.08, 0.38), (-0.16, 0.4)),
)


def _smooth(points: tuple[Point, ...]) -> list[Point]:
    """A cubic Bézier curve through its two ends."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points
    shares = [k / 8 for k in range(9)]
    return [
        (
            (1 - s) ** 3 * x0 + 3 * s * (1 - s) ** 2 * x1 + 3 * s * s * (1 - s) * x2 + s**3 * x3,
            (1 - s) ** 3 * y0 + 3 * s * (1 - s) ** 2 * y1 + 3 * s * s * (1 - s) * y2 + s**3 * y3,
        )
        for s in shares
    ]


def _sleeve(hand: Hand, body: BodyFrame, skin: HandColors) -> list[Layer]:
    x, y, depth = body.at((0.0, -0.02, 0.0))
    dx, dy = hand.elbow[0] - x, hand.elbow[1] - y
    long = math.hypot(dx, dy)
    ux, uy = dx / long, dy / long
    line = lighter(skin.sleeve, -0.5)

    def on(way: float, aside: float = 0.0) -> Point:
        return x + ux * way - uy * aside, y + uy * way + ux * aside

    def wrist(brush: Brush) -> None:
        brush.plain(capsule(on(-4), on(40), 20.3, 23.3), skin.line)
        brush.plain(capsule(on(-4), on(40), 19, 22), lighter(skin.skin, -0.1))

    def sleeve(brush: Brush) -> None:
        brush.plain([on(16, -27), on(16, 27), on(40, 30), on(40, -30)], lighter(skin.cuff, -0.45))
        brush.plain([on(17.2, -25.5), on(17.2, 25.5), on(40, 28), on(40, -28)], skin.cuff)
        for wide, tone in ((1.3, line), (0.0, skin.sleeve)):
            brush.plain(
                [on(29 - wide, -31 - wide), on(29 - wide, 31 + wide), on(long, 46 + wide), on(long, -46 - wide)], tone
            )
        side = 1.0 if ux > 0 else -1.0
        brush.plain(
            [on(29, 31 * side), on(29, 12 * side), on(long, 18 * side), on(long, 46 * side)],
            lighter(skin.sleeve, -0.25),
        )
        brush.disc(on(38, -20 * side), 2.6, lighter(skin.sleeve, 0.45))

    return [Layer(depth - 6.0, hand.entity, wrist), Layer(depth - 5.0, f"sleeve/{hand.entity}", sleeve)]
