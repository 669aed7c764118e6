"""Cut and restored rope: when what happens, where hands and scissors are, and the rope as it is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.clock import interpolate
from veridical.suite.nuisance_fields import one_of, point, uniform
from veridical.suites.magicbench.tricks.cord import ROPES, bezier, cord, length, piece, tip
from veridical.suites.magicbench.tricks.hands import FIST, HALF, LEFT, PINCH, RELAXED, RIGHT, Hand, blend
from veridical.suites.magicbench.tricks.motion import move_fingertips
from veridical.suites.magicbench.tricks.space import Layer
from veridical.suites.magicbench.tricks.staging import TrickUnit

TAPES: dict[str, Colour] = {"red": (190, 40, 44), "black": (44, 44, 50), "blue": (40, 70, 170)}


@dataclass(frozen=True, slots=True)
class Rope(TrickUnit):
    """The nuisances of a unit; lengths in units of the scene."""

    color: str = one_of(sorted(ROPES))
    tape: str = one_of(sorted(TAPES))
    left: Point = point((206, 222), (160, 172))
    right: Point = point((372, 396), (112, 128))
    table: Point = point((452, 474), (250, 262))
    hang: float = uniform(84.0, 94.0)
    loop: float = uniform(38.0, 46.0)
    stretch: float = uniform(1.75, 1.9)


MEET, KEPT, TAKEN, CUT, LAID, GRIP, SHOW = 0.65, 1.3, 1.65, 2.25, 2.65, 3.0, 3.75
"""The plan in seconds: the hands meet and the secret begins, a loop stands above the fist and it is over, the scissors
are taken up, they cut, they are laid down, the hand is at the fist again, and both hands show the rope."""
DIP, OUT = 0.85, 1.05
"""The plan in seconds: a loop goes into the fist, one comes out of it."""


def openings(hand: Hand) -> tuple[Point, Point]:
    """Where the rope comes out of the fist, above and below."""
    body = hand.body
    (x0, y0, _), (x1, y1, _) = body.at((0.2, 0.5, 0.0)), body.at((-0.17, 0.46, 0.0))
    return (x0, y0), (x1, y1)


def grasp(base: Rope, honest: bool, time: float, top: Point, low: Point) -> Point:
    """Where index and thumb of the acting hand are."""
    at = base.time
    table = base.table
    crown = (top[0], top[1] - base.loop)
    above, blades = (crown[0] + 20, crown[1] + 8), (crown[0] + 61, crown[1] + 22)
    arc = min(46.0, 0.25 * base.staging.decoy)
    stops = [
        (at(0.05), base.right),
        (at(MEET), (top[0], top[1] - 12)),
        (at(DIP), (top[0], top[1] + 2)),
        (at(KEPT), above),
        (at(KEPT) + 0.05, above),
        (at(TAKEN), table),
        (at(TAKEN) + 0.08, table),
        ((at(TAKEN) + at(CUT)) / 2, ((table[0] + blades[0]) / 2 + 20, (table[1] + blades[1]) / 2 - arc)),
        (at(CUT) - 0.14, blades),
        (at(CUT) + 0.1, blades),
        (at(LAID), table),
        (at(LAID) + 0.06, table),
    ]
    if honest:
        far = (low[0] + 1.75 * base.hang, low[1] - 92)
        stops += [(at(GRIP), above), (at(GRIP) + 0.06, above)]
        stops += [(at(GRIP + 0.35), (above[0] + 60, above[1] - 24)), (at(SHOW), far)]
    else:
        stops += [(at(GRIP), (crown[0] + 3, crown[1] + 36)), (at(SHOW - 0.42), end_held(base, low, 0.0))]
        if time > at(SHOW - 0.42):
            return end_held(base, low, interpolate([(at(SHOW - 0.42), 0.0), (at(SHOW), 1.0)], time))
    x, y = (interpolate([(t, point[k]) for t, point in stops], time) for k in (0, 1))
    return x, y


def end_held(base: Rope, low: Point, pulled: float) -> Point:
    """Where the acting hand has the end of the rope: below the fist at first, far to the right in the end."""
    reach = (base.hang - 8) * (1 + pulled * (base.stretch - 1))
    angle = math.radians(88 - 84 * pulled)
    return low[0] + 5 + reach * math.cos(angle), low[1] + reach * math.sin(angle)


def acting_hand(base: Rope, honest: bool, time: float, hold: Point, name: str) -> Hand:
    """The acting hand, its back to the viewer, with index and thumb where it holds something."""
    at = base.time
    away = interpolate([(at(KEPT), 0.0), (at(TAKEN), 1.0), (at(LAID), 1.0), (at(GRIP), 0.0)], time)
    closed = 0.0 if honest else interpolate([(at(GRIP), 0.0), (at(GRIP + 0.2), 1.0)], time)
    pose = blend(PINCH, blend(PINCH, HALF, 0.7), closed)
    hand = Hand(RIGHT, (0.0, 0.0), pose, -100 + 8 * away, 202.0, 0.0, (base.table[0] + 190, 430.0), 40.0, name)
    return move_fingertips(hand, hold)


def fist(base: Rope, time: float, name: str) -> Hand:
    """The other hand: it closes around the rope and keeps it."""
    at = base.time
    close = interpolate([(at(MEET) - 0.3, 0.0), (at(MEET), 1.0)], time)
    x, y = base.left
    return Hand(LEFT, (x, y), blend(RELAXED, FIST, close), 76.0, 4.0, 0.0, (x - 250, 430.0), 0.0, name)


def scissors_pose(base: Rope, time: float, hold: Point) -> tuple[Point, float, float, bool]:
    """The scissors: on the table, or carried with their rings at index and thumb."""
    at = base.time
    lying = not at(TAKEN) <= time < at(LAID)
    x, y = base.table if lying else hold
    turned = interpolate([(at(TAKEN), 0.0), (at(CUT) - 0.14, 1.0), (at(CUT) + 0.1, 1.0), (at(LAID), 0.0)], time)
    turn = math.radians(205 - 22 * turned)
    snip = [(at(TAKEN) + 0.1, 0.06), (at(CUT) - 0.16, 0.42), (at(CUT) - 0.08, 0.42), (at(CUT), 0.04)]
    return (x + 24 * math.cos(turn), y + 24 * math.sin(turn)), turn, interpolate(snip, time), lying


MIDDLE, PIECE = "middle of the rope", "short piece"
_DEEP = 4.0
"""How near the rope is to the viewer within the fist: before the palm, behind the fingers."""
_HALF = 15.0
"""How far the middle of the rope goes to each side."""


@dataclass(frozen=True, slots=True)
class RopeMoment:
    """Both hands, the rope, the loop above the fist, and the scissors: pivot, direction, opening.

    `bight` is where the hanging rope is turned over, `loop` how high one stands above the fist, `short` whether it is
    of the short piece, `cut` how far its halves are apart; `pulled` is how far the rope is drawn out, 0 to 1.
    """

    left: Hand
    right: Hand
    bight: Point | None
    lag: float
    loop: float
    short: bool
    ends: float
    cut: float
    pulled: float
    hold: Point
    scissors: tuple[Point, float, float, bool]


def rope(base: Rope, moment: RopeMoment) -> list[Layer]:
    """The rope and the short piece, as far as they are seen."""
    if moment.bight is not None:
        return _hanging(base, moment)
    top, low = openings(moment.left)
    # How much of the rope has slid through the fist.
    slid = moment.pulled * ((base.hang - 8) * (base.stretch - 1) - 30) if moment.short else 0.0
    made = [*_loop(base, moment, top), *_strand(base, _side(base, low, -1, base.hang - slid))]
    if not moment.short:
        return made + (_half(base, moment, top, low) if moment.pulled > 0 else _strand(base, _side(base, low, 1)))
    if moment.ends > 0:
        made += _stubs(base, moment, low)
    if moment.pulled == 0:
        return made + _strand(base, _side(base, low, 1))
    x, y = moment.hold
    start = (low[0] + 4, low[1] - 16)
    long = math.dist(start, (x, y))
    end = (x + 8 * (x - start[0]) / long, y + 8 * (y - start[1]) / long)
    points = bezier(start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 10 * moment.pulled), end)
    return made + _strand(base, points, length(points) - base.hang - 20)


def _strand(base: Rope, points: list[Point], middle: float | None = None, both: bool = False) -> list[Layer]:
    """Rope along a line that ends with a taped end; `middle` is how far along it the rope's middle is."""
    color, tape = ROPES[base.color], TAPES[base.tape]
    long = length(points)
    marks, names = [0.0, long], ["rope"]
    if middle is not None and middle > 0:
        marks, names = [0.0, max(0.0, middle - _HALF), min(long, middle + _HALF), long], ["rope", MIDDLE, "rope"]
    made = [
        cord(name, piece(points, a, b), _DEEP, color)
        for name, a, b in zip(names, marks[:-1], marks[1:], strict=True)
        if b - a > 1
    ]
    made.append(tip("rope", points[-1], points[-2], _DEEP, color, tape))
    if both:
        made.append(tip("rope", points[0], points[1], _DEEP, color, tape))
    return made


def _hanging(base: Rope, moment: RopeMoment) -> list[Layer]:
    """The rope, turned over between index and thumb, with both ends down."""
    assert moment.bight is not None
    x, y = moment.bight
    low, lag = y + base.hang + 58, moment.lag
    sides = [bezier((x + 5 * s, y - 2), (x + 7 * s, y + 60), (x + 7 * s + lag, low - 3 * s)) for s in (-1, 1)]
    arch = bezier((x - 5, y - 2), (x, y - 20), (x + 5, y - 2), steps=6)
    points = [*sides[0][::-1], *arch[1:-1], *sides[1]]
    return _strand(base, points, length(points) / 2, both=True)


def _side(base: Rope, low: Point, side: int, hang: float = 0.0) -> list[Point]:
    """What hangs below the fist on one side."""
    x, y = low
    hang = hang or base.hang
    return bezier((x + 4 * side, y - 16), (x + 5 * side, y + 0.45 * hang), (x + 8 * side, y + hang - 3 * side))


def _loop(base: Rope, moment: RopeMoment, top: Point) -> list[Layer]:
    """The loop above the fist: of the short piece, or of the rope's middle; whole or cut, in two halves."""
    if moment.loop <= 2:
        return []
    (x, y), c, color = top, moment.cut, ROPES[base.color]
    made = []
    for side in (-1, 1):
        if side > 0 and moment.pulled > 0 and not moment.short:
            continue
        end = (x + (10 * c - 1) * side, y - moment.loop + 4 * c)
        points = bezier((x + 7 * side, y + 14), (x + (14 - 6 * c) * side, y - moment.loop * (1 - 0.45 * c)), end)
        long = length(points)
        if moment.short:
            made.append(cord(PIECE, piece(points, 0.0, long), _DEEP, color))
        else:
            made.append(cord("rope", piece(points, 0.0, long - _HALF), _DEEP, color))
            made.append(cord(MIDDLE, piece(points, long - _HALF, long), _DEEP, color))
        if c > 0.3:
            made.append(tip(PIECE if moment.short else MIDDLE, end, points[-2], _DEEP, color))
    return made


def _half(base: Rope, moment: RopeMoment, top: Point, low: Point) -> list[Layer]:
    """The half of the cut rope that the acting hand draws out of the fist, by its cut end."""
    x, y = moment.hold[0] - 8, moment.hold[1]
    color = ROPES[base.color]
    long = base.loop + math.dist(top, low) + base.hang
    through = [(x - 1, y - 6), (x, y), (top[0] + 6, top[1]), *_side(base, low, 1)]
    bound = piece(through, 0.0, long, 5.0)
    free = piece([(x - 1, y - 6), (x, y), (x + 1, y + long)], 0.0, long, long / (len(bound) - 1.001))
    loose = min(1.0, max(0.0, (moment.pulled - 0.5) / 0.5))
    points = [(a[0] + loose * (b[0] - a[0]), a[1] + loose * (b[1] - a[1])) for a, b in zip(bound, free, strict=False)]
    made = _strand(base, points, _HALF / 2)
    return [*made, tip(MIDDLE, points[0], points[1], _DEEP, color)]


def _stubs(base: Rope, moment: RopeMoment, low: Point) -> list[Layer]:
    """The ends of the short piece below the fist: the further out, the higher the grade of the tell."""
    (x, y), color = low, ROPES[base.color]
    out = moment.ends * (5.0 + 17.0 * base.staging.peek)
    made = []
    for side in (-1, 1):
        start, end = (x + 7 * side, y - 10), (x + 18 * side, y + out)
        name = f"{PIECE}/ends"
        made += [cord(name, piece([start, end], 0.0, 99.0), _DEEP, color), tip(name, end, start, _DEEP, color)]
    return made
